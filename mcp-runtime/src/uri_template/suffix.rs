use super::decoded::DecodedUri;

/// The positions of a URI from which the rest of the URI matches the rest of the template.
pub(super) struct SuffixMatches {
    matches: Vec<bool>,
    /// For each position, one more than the last position at or before it where a value can end and
    /// the rest of the URI matches. The number is 0 if there is no such position.
    last_end: Vec<usize>,
}

impl SuffixMatches {
    /// Creates the value from `matches`, which has an element for each position of the URI.
    pub(super) fn new(matches: Vec<bool>, decoded: &DecodedUri<'_>) -> Self {
        let mut last = 0;
        let last_end = (0..matches.len())
            .map(|at| {
                if matches[at] && decoded.is_boundary(at) {
                    last = at + 1;
                }
                last
            })
            .collect();
        Self { matches, last_end }
    }

    /// Whether the rest of the URI matches from a position.
    pub(super) fn matches(&self, at: usize) -> bool {
        self.matches[at]
    }

    /// Returns the last position in `from..=to` where a value can end.
    pub(super) fn last_end(&self, from: usize, to: usize) -> Option<usize> {
        let last = self.last_end[to].checked_sub(1)?;
        (last >= from).then_some(last)
    }
}
