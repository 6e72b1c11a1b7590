use super::decoded::{DecodedUri, next_positions};
use super::parse::Operator;
use super::suffix::SuffixMatches;

/// The names and values of the variables.
pub(super) type Values = Vec<(String, String)>;

/// A template expression that is being matched against one URI.
pub(super) struct Expression<'a> {
    operator: Operator,
    names: &'a [String],
    decoded: &'a DecodedUri<'a>,
    prefix: &'static str,
    /// For each position, the end of the run of allowed characters that starts there.
    run_end: Vec<usize>,
    next_separator: Vec<usize>,
    next_equals: Vec<usize>,
}

impl<'a> Expression<'a> {
    pub(super) fn new(
        operator: Operator,
        names: &'a [String],
        decoded: &'a DecodedUri<'a>,
    ) -> Self {
        let (prefix, separator) = operator.prefix_and_separator();
        let uri = decoded.uri;
        let length = uri.len();
        let mut forbidden = vec![false; length + 1];
        let mut separators = vec![false; length + 1];
        for (at, letter) in uri.char_indices() {
            forbidden[at] = !operator.allows(letter, separator, names.len());
            separators[at] = letter == separator;
        }
        let is_list = names.len() > 1 || operator.is_named();
        let run_end = next_positions(length, |at| forbidden[at] || decoded.is_invalid(at));
        let next_separator = next_positions(length, |at| is_list && separators[at]);
        let next_equals = next_positions(length, |at| uri.as_bytes()[at] == b'=');
        Self {
            operator,
            names,
            decoded,
            prefix,
            run_end,
            next_separator,
            next_equals,
        }
    }

    /// Returns the end of the longest match of the expression at `at` after which the rest of the
    /// URI matches the rest of the template.
    pub(super) fn longest(&self, at: usize, next: &SuffixMatches) -> Option<usize> {
        let from = at + self.prefix.len();
        let begins = self.decoded.uri.as_bytes()[at..].starts_with(self.prefix.as_bytes());
        let found = match begins && self.decoded.is_boundary(from) {
            false => None,
            true if self.operator.is_named() => self.longest_pairs(from, next),
            true => self.longest_list(from, next),
        };
        let absent = || (!self.operator.requires() && next.matches(at)).then_some(at);
        found.or_else(absent)
    }

    /// Returns the end of the longest list of values. The values have the order of the names, and a
    /// required expression needs a value for each name.
    fn longest_list(&self, from: usize, next: &SuffixMatches) -> Option<usize> {
        let run_end = self.run_end[from];
        let mut longest = None;
        let mut start = from;
        for index in 1..=self.names.len() {
            let piece_end = self.next_separator[start].min(run_end);
            if !self.operator.requires() || index == self.names.len() {
                longest = next.last_end(start + 1, piece_end).or(longest);
            }
            if piece_end == run_end || piece_end == start {
                break;
            }
            start = piece_end + 1;
        }
        longest
    }

    /// Returns the end of the longest list of `name=value` pairs. The pairs may have any order, and
    /// each name occurs at most once.
    fn longest_pairs(&self, from: usize, next: &SuffixMatches) -> Option<usize> {
        let run_end = self.run_end[from];
        let mut used: Vec<&str> = Vec::new();
        let mut longest = None;
        let mut start = from;
        loop {
            let pair_end = self.next_separator[start].min(run_end);
            let name_end = self.next_equals[start].min(pair_end);
            let text = &self.decoded.uri[start..name_end];
            let unused = |name: &&str| !used.contains(name);
            let mut names = self.names.iter().map(String::as_str).filter(unused);
            // A name without `=` is a pair too, and the expression can end after the name.
            let bare = names.clone().filter(|name| text.starts_with(name));
            let bare_end =
                bare.filter_map(|name| next.last_end(start + name.len(), start + name.len()));
            longest = bare_end.max().or(longest);
            let Some(name) = names.find(|name| *name == text) else {
                return longest;
            };
            if name_end < pair_end {
                longest = next.last_end(name_end + 1, pair_end).or(longest);
            }
            if pair_end == run_end {
                return longest;
            }
            used.push(name);
            start = pair_end + 1;
        }
    }

    /// Adds the values of the expression, which matches the text from `at` to `end`, to `values`.
    pub(super) fn read(&self, at: usize, end: usize, values: &mut Values) -> Option<()> {
        let mut start = at + self.prefix.len();
        let mut names = self.names.iter();
        while start <= end && end > at {
            let piece_end = self.next_separator[start].min(end);
            let name = names.next()?;
            let (name, value) = match self.operator.is_named() {
                false => (name.as_str(), start),
                true => {
                    let name_end = self.next_equals[start].min(piece_end);
                    let value = (name_end + 1).min(piece_end);
                    (&self.decoded.uri[start..name_end], value)
                }
            };
            values.push((name.to_owned(), self.decoded.text(value, piece_end)?));
            start = piece_end + 1;
        }
        Some(())
    }
}

impl Operator {
    /// Returns the prefix of the expression and the separator between its values.
    fn prefix_and_separator(self) -> (&'static str, char) {
        match self {
            Self::Simple | Self::Reserved => ("", ','),
            Self::Fragment => ("#", ','),
            Self::Label => (".", '.'),
            Self::Path => ("/", '/'),
            Self::Parameter => (";", ';'),
            Self::Query => ("?", '&'),
            Self::Continuation => ("&", '&'),
        }
    }

    fn is_named(self) -> bool {
        matches!(self, Self::Parameter | Self::Query | Self::Continuation)
    }

    /// Whether the matched text of the expression may contain `letter`.
    fn allows(self, letter: char, separator: char, names: usize) -> bool {
        let unreserved = letter.is_ascii_alphanumeric() || "-_~%".contains(letter);
        match self {
            Self::Reserved => letter != '#',
            Self::Fragment => true,
            // A label ends at the next dot. In other expressions, a dot is part of the value.
            Self::Label => unreserved || (names > 1 && letter == '.'),
            _ if self.is_named() => {
                // Clients often leave these characters of a query unencoded.
                unreserved
                    || letter == separator
                    || "=.!$'()*+,:@/?".contains(letter)
                    || !letter.is_ascii()
            }
            _ => {
                unreserved
                    || letter == '.'
                    || (names > 1 && letter == separator)
                    || "!$'()*+:@=".contains(letter)
                    || !letter.is_ascii()
            }
        }
    }
}
