//! Which known names a mistaken name was probably meant to be.

/// At most three of `names` that are near `wanted`, nearest first.
pub(crate) fn nearest<'a>(wanted: &str, names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let wanted: Vec<char> = simplified(wanted).take(LONGEST).collect();
    let allowed = wanted.len() / 3 + 1;
    let mut near: Vec<(usize, &str)> = names
        .map(|name| (distance(&wanted, name), name))
        .filter(|(distance, _)| *distance <= allowed)
        .collect();
    near.sort_unstable();
    near.into_iter().take(3).map(|(_, name)| name).collect()
}

/// Names that are compared; more of a longer one would only cost time.
const LONGEST: usize = 128;

/// Case and separators are what callers get wrong most.
fn simplified(name: &str) -> impl Iterator<Item = char> {
    let letters = name
        .chars()
        .filter(|letter| !matches!(letter, '_' | '-' | '.' | ' '));
    letters.flat_map(char::to_lowercase)
}

/// The number of insertions, deletions and replacements between two names.
fn distance(wanted: &[char], name: &str) -> usize {
    let mut row: Vec<usize> = (0..=wanted.len()).collect();
    for (line, letter) in simplified(name).take(LONGEST).enumerate() {
        let mut diagonal = row[0];
        row[0] = line + 1;
        for (column, other) in wanted.iter().enumerate() {
            let replaced = diagonal + usize::from(*other != letter);
            diagonal = row[column + 1];
            row[column + 1] = replaced.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[wanted.len()]
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn near_names_come_nearest_first_and_far_ones_not_at_all() {
        let names = ["add", "addNote", "delete_note", "list", "search"];
        let check = |wanted: &str, expected: &[&str]| {
            assert_eq!(nearest(wanted, names.into_iter()), expected, "{wanted}");
        };
        check("ad", &["add"]);
        check("add_note", &["addNote"]);
        check("DELETE-NOTE", &["delete_note"]);
        check("liszt", &["list"]);
        check("weather", &[]);
        check("", &[]);
    }
}
