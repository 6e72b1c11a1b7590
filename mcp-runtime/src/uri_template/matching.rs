use super::parse::{Operator, Part};

/// A longer URI is of no family; matching takes time that grows with its square.
const LONGEST: usize = 4096;

type Values = Vec<(String, String)>;

/// The values of the variables; `None` where the URI does not match.
pub(super) fn variables(parts: &[Part], uri: &str) -> Option<Values> {
    if uri.len() > LONGEST {
        return None;
    }
    let mut search = Search {
        parts,
        uri,
        failed: vec![false; (parts.len() + 1) * (uri.len() + 1)],
        values: Vec::new(),
    };
    search.from(0, 0).then_some(search.values)
}

/// Tries parts in their order and goes back where one took too much; what
/// failed once from a place is not tried again.
struct Search<'a> {
    parts: &'a [Part],
    uri: &'a str,
    failed: Vec<bool>,
    values: Values,
}

impl Search<'_> {
    fn from(&mut self, part: usize, at: usize) -> bool {
        let Some(next) = self.parts.get(part) else {
            return at == self.uri.len();
        };
        let place = part * (self.uri.len() + 1) + at;
        if self.failed[place] {
            return false;
        }
        let found = match next {
            Part::Literal(literal) => {
                self.uri[at..].starts_with(literal.as_str())
                    && self.from(part + 1, at + literal.len())
            }
            Part::Expression(operator, names) => self.expression(*operator, names, part, at),
        };
        self.failed[place] = !found;
        found
    }

    fn expression(&mut self, operator: Operator, names: &[String], part: usize, at: usize) -> bool {
        let rest = &self.uri[at..];
        let (sign, separator) = operator.signs();
        let optional = !operator.requires();
        let Some(body) = rest.strip_prefix(sign) else {
            return optional && self.from(part + 1, at);
        };
        let begin = at + sign.len();
        let longest = body
            .find(|letter| !operator.allows(letter, separator, names.len()))
            .unwrap_or(body.len());
        for length in (1..=longest).rev() {
            if !body.is_char_boundary(length) {
                continue;
            }
            let Some(values) = operator.split(names, &body[..length], separator) else {
                continue;
            };
            let before = self.values.len();
            self.values.extend(values);
            if self.from(part + 1, begin + length) {
                return true;
            }
            self.values.truncate(before);
        }
        optional && self.from(part + 1, at)
    }
}

impl Operator {
    /// What stands before the first value and what between two.
    fn signs(self) -> (&'static str, char) {
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

    /// Whether a character can be part of the expression's text.
    fn allows(self, letter: char, separator: char, names: usize) -> bool {
        let unreserved = letter.is_ascii_alphanumeric() || "-_~%".contains(letter);
        match self {
            Self::Reserved => letter != '#',
            Self::Fragment => true,
            // A label ends at the next dot; elsewhere a dot is a part of the value.
            Self::Label => unreserved || (names > 1 && letter == '.'),
            _ if self.is_named() => {
                // Clients often leave unencoded in a query what is harmless there.
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

    /// The values in the expression's text, by name or by place.
    fn split(self, names: &[String], text: &str, separator: char) -> Option<Values> {
        if self.is_named() {
            return named(names, text, separator);
        }
        if let [name] = names {
            return Some(vec![(name.clone(), decoded(text)?)]);
        }
        let pieces: Vec<&str> = text.split(separator).collect();
        let enough = match self.requires() {
            true => pieces.len() == names.len(),
            false => pieces.len() <= names.len(),
        };
        if !enough || pieces.contains(&"") {
            return None;
        }
        let pairs = names.iter().zip(pieces);
        pairs
            .map(|(name, piece)| Some((name.clone(), decoded(piece)?)))
            .collect()
    }
}

/// Pairs in any order, each at most once, and none that is unknown.
fn named(names: &[String], text: &str, separator: char) -> Option<Values> {
    let mut values = Values::new();
    for pair in text.split(separator) {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let known = names.iter().any(|known| known == name);
        if !known || values.iter().any(|(given, _)| given == name) {
            return None;
        }
        values.push((name.to_owned(), decoded(value)?));
    }
    Some(values)
}

/// Percent-decoded; what is not UTF-8 then is no value.
fn decoded(text: &str) -> Option<String> {
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
        // Two hexadecimal digits are less than 256.
        bytes.push(u8::try_from(high * 16 + low).ok()?);
        rest = &after[2..];
    }
    String::from_utf8(bytes).ok()
}
