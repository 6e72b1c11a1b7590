use crate::protocol::Completion;

/// The return type of a completion function: a list of candidates or a [`Completion`].
///
/// The server ranks the candidates in a list that match the typed text, and drops all other
/// candidates. It sends a `Completion` unchanged, except that it keeps only the first 100 values,
/// the maximum for one response (specification, *Completion*).
///
/// ```
/// use mcp_runtime::prelude::*;
///
/// fn languages(_typed: &str) -> Vec<String> {
///     ["C", "Go", "Rust"].map(str::to_owned).into()
/// }
///
/// /// Asks for a review.
/// #[prompt]
/// fn review(#[arg(complete = languages)] language: String) -> String {
///     format!("Review this {language}.")
/// }
/// ```
pub trait Completable {
    /// Returns the suggestions for the text that the user has typed.
    fn into_completion(self, typed: &str) -> Completion;
}

impl Completable for Completion {
    fn into_completion(mut self, _: &str) -> Completion {
        limit(&mut self);
        self
    }
}

impl<S: Into<String>> Completable for Vec<S> {
    fn into_completion(self, typed: &str) -> Completion {
        ranked(self.into_iter().map(Into::into), typed)
    }
}

impl<S: Into<String>, const N: usize> Completable for [S; N] {
    fn into_completion(self, typed: &str) -> Completion {
        ranked(self.into_iter().map(Into::into), typed)
    }
}

/// The maximum number of values in one response (specification, *Completion*).
const MAX_VALUES: usize = 100;

fn limit(completion: &mut Completion) {
    if completion.values.len() > MAX_VALUES {
        let total = completion.values.len() as u64;
        completion.total.get_or_insert(total);
        completion.has_more = Some(true);
        completion.values.truncate(MAX_VALUES);
    }
}

/// Ranks the candidates that match the typed text. Candidates that start with the text come first,
/// then candidates that contain it, then candidates that contain its letters in order. Each group
/// is sorted. Case is ignored.
pub(super) fn ranked(candidates: impl Iterator<Item = String>, typed: &str) -> Completion {
    let typed = typed.to_lowercase();
    let matching = candidates.filter_map(|candidate| {
        let folded = candidate.to_lowercase();
        let group = match folded.find(&typed) {
            Some(0) => 0,
            Some(_) => 1,
            None if contains_in_order(&folded, &typed) => 2,
            None => return None,
        };
        Some((group, folded, candidate))
    });
    let mut matching: Vec<_> = matching.collect();
    matching.sort();
    matching.dedup();
    let mut completion = Completion {
        total: Some(matching.len() as u64),
        has_more: Some(false),
        values: matching.into_iter().map(|(_, _, value)| value).collect(),
    };
    limit(&mut completion);
    completion
}

fn contains_in_order(text: &str, typed: &str) -> bool {
    let mut letters = text.chars();
    typed
        .chars()
        .all(|wanted| letters.any(|letter| letter == wanted))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matching_candidates_are_ranked_and_others_left_out() {
        let check = |typed: &str, expected: &[&str]| {
            let found = ["Gdynia", "gdańsk", "Ogden", "Gouda", "Rome"].into_completion(typed);
            assert_eq!(found.values, expected, "{typed}");
            assert_eq!(found.total, Some(expected.len() as u64));
            assert_eq!(found.has_more, Some(false));
        };
        check("gd", &["gdańsk", "Gdynia", "Ogden", "Gouda"]);
        check("GDA", &["gdańsk", "Gdynia", "Gouda"]);
        check("x", &[]);
        check("", &["gdańsk", "Gdynia", "Gouda", "Ogden", "Rome"]);
    }

    #[test]
    fn at_most_a_hundred_values_are_sent() {
        let many: Vec<String> = (0..101).map(|number| format!("{number:03}")).collect();
        let found = many.clone().into_completion("");
        assert_eq!(
            (found.values.len(), found.total, found.has_more),
            (100, Some(101), Some(true))
        );
        let custom = Completion {
            values: many,
            total: Some(7),
            has_more: None,
        };
        let found = custom.into_completion("ignored");
        assert_eq!(
            (found.values.len(), found.total, found.has_more),
            (100, Some(7), Some(true))
        );
    }
}
