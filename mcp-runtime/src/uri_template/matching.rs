use super::parse::{Operator, Part};

/// Longer URIs never match, since the time for matching grows with the square of the length.
const MAX_LENGTH: usize = 4096;

type Values = Vec<(String, String)>;

/// Returns the values of the variables; `None` if the URI does not match.
pub(super) fn match_parts(parts: &[Part], uri: &str) -> Option<Values> {
    if uri.len() > MAX_LENGTH {
        return None;
    }
    let mut search = TemplateSearch {
        parts,
        uri,
        failed: vec![false; (parts.len() + 1) * (uri.len() + 1)],
        values: Vec::new(),
    };
    search.match_from(0, 0).then_some(search.values)
}

/// A backtracking search that remembers failed positions.
struct TemplateSearch<'a> {
    parts: &'a [Part],
    uri: &'a str,
    failed: Vec<bool>,
    values: Values,
}

impl TemplateSearch<'_> {
    /// Matches the parts from `part` against the URI from byte `at`.
    fn match_from(&mut self, part: usize, at: usize) -> bool {
        let Some(next) = self.parts.get(part) else {
            return at == self.uri.len();
        };
        let position = part * (self.uri.len() + 1) + at;
        if self.failed[position] {
            return false;
        }
        let found = match next {
            Part::Literal(literal) => {
                self.uri[at..].starts_with(literal.as_str())
                    && self.match_from(part + 1, at + literal.len())
            }
            Part::Expression(operator, names) => self.match_expression(*operator, names, part, at),
        };
        self.failed[position] = !found;
        found
    }

    fn match_expression(
        &mut self,
        operator: Operator,
        names: &[String],
        part: usize,
        at: usize,
    ) -> bool {
        let rest = &self.uri[at..];
        let (prefix, separator) = operator.prefix_and_separator();
        let optional = !operator.requires();
        let Some(text) = rest.strip_prefix(prefix) else {
            return optional && self.match_from(part + 1, at);
        };
        let start = at + prefix.len();
        let longest = text
            .find(|letter| !operator.allows(letter, separator, names.len()))
            .unwrap_or(text.len());
        for length in (1..=longest).rev() {
            if !text.is_char_boundary(length) {
                continue;
            }
            let Some(values) = operator.split(names, &text[..length], separator) else {
                continue;
            };
            let before = self.values.len();
            self.values.extend(values);
            if self.match_from(part + 1, start + length) {
                return true;
            }
            self.values.truncate(before);
        }
        optional && self.match_from(part + 1, at)
    }
}

impl Operator {
    /// The prefix of the expression, and the separator between its values.
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

    /// Whether the text of the expression may contain a character.
    fn allows(self, letter: char, separator: char, names: usize) -> bool {
        let unreserved = letter.is_ascii_alphanumeric() || "-_~%".contains(letter);
        match self {
            Self::Reserved => letter != '#',
            Self::Fragment => true,
            // A label ends at the next dot; in other expressions a dot is part of the value.
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

    /// Splits the text of the expression into values, by name or by position.
    fn split(self, names: &[String], text: &str, separator: char) -> Option<Values> {
        if self.is_named() {
            return split_named(names, text, separator);
        }
        if let [name] = names {
            return Some(vec![(name.clone(), percent_decode(text)?)]);
        }
        let pieces: Vec<&str> = text.split(separator).collect();
        let has_valid_count = match self.requires() {
            true => pieces.len() == names.len(),
            false => pieces.len() <= names.len(),
        };
        if !has_valid_count || pieces.contains(&"") {
            return None;
        }
        let pairs = names.iter().zip(pieces);
        pairs
            .map(|(name, piece)| Some((name.clone(), percent_decode(piece)?)))
            .collect()
    }
}

/// Splits `name=value` pairs in any order; unknown and repeated names do not match.
fn split_named(names: &[String], text: &str, separator: char) -> Option<Values> {
    let mut values = Values::new();
    for pair in text.split(separator) {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let is_known = names.iter().any(|known| known == name);
        if !is_known || values.iter().any(|(seen, _)| seen == name) {
            return None;
        }
        values.push((name.to_owned(), percent_decode(value)?));
    }
    Some(values)
}

/// Decodes percent-encoding; `None` if it is malformed or the result is not UTF-8.
fn percent_decode(text: &str) -> Option<String> {
    if !text.contains('%') {
        return Some(text.to_owned());
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        if *first != b'%' {
            bytes.push(*first);
            rest = after;
            continue;
        }
        let digit = |byte: &u8| char::from(*byte).to_digit(16);
        let (high, low) = (digit(after.first()?)?, digit(after.get(1)?)?);
        // Two hexadecimal digits always fit into a byte.
        bytes.push(u8::try_from(high * 16 + low).ok()?);
        rest = &after[2..];
    }
    String::from_utf8(bytes).ok()
}
