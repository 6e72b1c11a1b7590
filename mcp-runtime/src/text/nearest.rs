//! The known name that an unknown one was probably meant to be.

/// Longer names are not compared: no one mistypes them, and it takes time.
const LONGEST: usize = 64;

/// The candidate nearest to `word`, if one is near; of equals, the first.
///
/// Case and separators do not count, and one or two typing mistakes do not
/// matter, depending on the length.
pub(crate) fn nearest<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    nearest_names(word, candidates, 1).pop()
}

/// At most `most` candidates that are near, nearest first.
pub(crate) fn nearest_names<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
    most: usize,
) -> Vec<&'a str> {
    let Some(word) = folded(word) else {
        return Vec::new();
    };
    let near = |candidate: &'a str| {
        let letters = folded(candidate)?;
        let allowed = (word.len().max(letters.len()) + 1) / 3;
        let distance = distance(&word, &letters);
        (distance <= allowed).then_some((distance, candidate))
    };
    let mut found: Vec<_> = candidates.into_iter().filter_map(near).collect();
    found.sort_by_key(|(distance, _)| *distance);
    found.into_iter().take(most).map(|(_, name)| name).collect()
}

fn folded(word: &str) -> Option<Vec<char>> {
    let letters = word.chars().filter(|c| !matches!(c, '_' | '-' | '.' | ' '));
    let letters: Vec<char> = letters
        .flat_map(char::to_lowercase)
        .take(LONGEST + 1)
        .collect();
    (letters.len() <= LONGEST && !letters.is_empty()).then_some(letters)
}

/// How many letters must be added, left out, replaced, or swapped with their
/// neighbour.
fn distance(left: &[char], right: &[char]) -> usize {
    let width = right.len() + 1;
    let mut before = vec![0; width];
    let mut above: Vec<usize> = (0..width).collect();
    for (row, letter) in left.iter().enumerate() {
        let mut current = vec![row + 1; width];
        for (column, other) in right.iter().enumerate() {
            let replaced = above[column] + usize::from(letter != other);
            let mut least = replaced.min(above[column + 1] + 1).min(current[column] + 1);
            let swapped =
                row > 0 && column > 0 && left[row - 1] == *other && right[column - 1] == *letter;
            if swapped {
                least = least.min(before[column - 1] + 1);
            }
            current[column + 1] = least;
        }
        before = std::mem::replace(&mut above, current);
    }
    above[width - 1]
}

#[cfg(test)]
mod tests {
    use super::nearest_names;

    #[test]
    fn near_names_come_nearest_first_and_far_ones_not_at_all() {
        let names = ["add", "addNote", "delete_note", "list", "search"];
        let check = |wanted: &str, expected: &[&str]| {
            assert_eq!(nearest_names(wanted, names, 3), expected, "{wanted}");
        };
        check("ad", &["add"]);
        check("add_note", &["addNote"]);
        check("DELETE-NOTE", &["delete_note"]);
        check("liszt", &["list"]);
        check("weather", &[]);
        check("", &[]);
    }
}
