//! Suggestions of known names for a misspelled name.

/// The maximum length of a name to compare. Comparing longer names takes too long.
const MAX_LENGTH: usize = 64;

/// Returns the candidate that is most similar to `word`, or `None` if no candidate is similar. If
/// several candidates are equally similar, it returns the first of them.
///
/// The comparison ignores case and separators, and allows one edit per three letters.
pub(crate) fn nearest<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    nearest_names(word, candidates, 1).pop()
}

/// Returns up to `limit` candidates that are similar to `word`, most similar first.
pub(crate) fn nearest_names<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
    limit: usize,
) -> Vec<&'a str> {
    let Some(word) = normalize(word) else {
        return Vec::new();
    };
    let similarity = |candidate: &'a str| {
        let letters = normalize(candidate)?;
        let allowed = (word.len().max(letters.len()) + 1) / 3;
        let distance = distance(&word, &letters);
        (distance <= allowed).then_some((distance, candidate))
    };
    let mut found: Vec<_> = candidates.into_iter().filter_map(similarity).collect();
    found.sort_by_key(|(distance, _)| *distance);
    found
        .into_iter()
        .take(limit)
        .map(|(_, name)| name)
        .collect()
}

fn normalize(word: &str) -> Option<Vec<char>> {
    let letters = word.chars().filter(|c| !matches!(c, '_' | '-' | '.' | ' '));
    let letters: Vec<char> = letters
        .flat_map(char::to_lowercase)
        .take(MAX_LENGTH + 1)
        .collect();
    (letters.len() <= MAX_LENGTH && !letters.is_empty()).then_some(letters)
}

/// Returns the optimal string alignment distance, which counts insertions, deletions, substitutions
/// and transpositions of adjacent letters.
fn distance(left: &[char], right: &[char]) -> usize {
    let width = right.len() + 1;
    let mut two_above = vec![0; width];
    let mut above: Vec<usize> = (0..width).collect();
    for (row, letter) in left.iter().enumerate() {
        let mut current = vec![row + 1; width];
        for (column, other) in right.iter().enumerate() {
            let replaced = above[column] + usize::from(letter != other);
            let mut least = replaced.min(above[column + 1] + 1).min(current[column] + 1);
            let swapped =
                row > 0 && column > 0 && left[row - 1] == *other && right[column - 1] == *letter;
            if swapped {
                least = least.min(two_above[column - 1] + 1);
            }
            current[column + 1] = least;
        }
        two_above = std::mem::replace(&mut above, current);
    }
    above[width - 1]
}

#[cfg(test)]
mod tests {
    use super::nearest_names;

    #[test]
    fn similar_names_are_sorted_and_others_omitted() {
        let names = ["add", "addNote", "delete_note", "list", "search"];
        let check = |word: &str, expected: &[&str]| {
            assert_eq!(nearest_names(word, names, 3), expected, "{word}");
        };
        check("ad", &["add"]);
        check("add_note", &["addNote"]);
        check("DELETE-NOTE", &["delete_note"]);
        check("liszt", &["list"]);
        check("weather", &[]);
        check("", &[]);
    }
}
