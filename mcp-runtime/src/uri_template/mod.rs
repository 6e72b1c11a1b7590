//! Templates of URIs (RFC 6570, levels 1 to 3), matched against URIs.
//!
//! Crates that expand templates are many; none that is maintained matches them.

mod matching;
mod parse;

use std::cmp::Reverse;
use std::str::FromStr;

pub use parse::UriTemplateError;
use parse::{Part, parse};

/// A template, for finding out whether a URI is of its family.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UriTemplate {
    text: String,
    parts: Vec<Part>,
}

/// Of several templates that match one URI the one with the least rank counts:
/// the longest text before its first variable, then the most text in all, then
/// the fewest variables, then the order of the alphabet.
pub(crate) type Rank<'a> = (Reverse<usize>, Reverse<usize>, usize, &'a str);

impl FromStr for UriTemplate {
    type Err = UriTemplateError;

    fn from_str(text: &str) -> Result<Self, UriTemplateError> {
        Ok(Self {
            parts: parse(text)?,
            text: text.to_owned(),
        })
    }
}

impl UriTemplate {
    /// The names of its variables, in their order.
    pub(crate) fn variables(&self) -> impl Iterator<Item = &str> {
        self.parts
            .iter()
            .flat_map(|part| match part {
                Part::Literal(_) => [].as_slice(),
                Part::Expression(_, names) => names.as_slice(),
            })
            .map(String::as_str)
    }

    /// Whether each URI of the family has a value for the variable.
    pub(crate) fn requires(&self, name: &str) -> bool {
        self.parts.iter().any(|part| match part {
            Part::Literal(_) => false,
            Part::Expression(operator, names) => {
                operator.requires() && names.iter().any(|known| known == name)
            }
        })
    }

    pub(crate) fn rank(&self) -> Rank<'_> {
        let length = |part: &Part| match part {
            Part::Literal(literal) => literal.len(),
            Part::Expression(..) => 0,
        };
        let prefix = self.parts.first().map_or(0, length);
        let text = self.parts.iter().map(length).sum();
        (
            Reverse(prefix),
            Reverse(text),
            self.variables().count(),
            &self.text,
        )
    }

    /// What a URI of the family says; `None` if it is not of the family.
    ///
    /// Values are percent-decoded. Where the end of a value is open, it takes
    /// as much as it can.
    pub(crate) fn variables_of(&self, uri: &str) -> Option<Vec<(String, String)>> {
        matching::variables(&self.parts, uri)
    }
}

#[cfg(test)]
mod tests;
