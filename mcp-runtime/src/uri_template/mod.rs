//! URI templates (RFC 6570, levels 1 to 3) that match URIs.
//!
//! The maintained crates for URI templates can only expand templates, not match them.

mod decoded;
mod expression;
mod matching;
mod normalize;
mod parse;
mod relative_path;
mod suffix;

use std::cmp::Reverse;
use std::str::FromStr;

pub(crate) use normalize::normalize;
pub use parse::UriTemplateError;
use parse::{Part, parse};
pub(crate) use relative_path::is_relative_path;

/// A parsed URI template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UriTemplate {
    text: String,
    /// The parts of the template. Literal parts are normalized.
    parts: Vec<Part>,
}

/// The precedence of a template. If several templates match a URI, the server uses the template
/// with the lowest rank.
///
/// The rank prefers the longest literal prefix, then the most literal text, then the fewest
/// variables, and finally alphabetical order.
pub(crate) type Rank<'a> = (Reverse<usize>, Reverse<usize>, usize, &'a str);

impl FromStr for UriTemplate {
    type Err = UriTemplateError;

    fn from_str(text: &str) -> Result<Self, UriTemplateError> {
        let mut parts = parse(text)?;
        for part in &mut parts {
            if let Part::Literal(literal) = part {
                *literal = normalize(literal).into_owned();
            }
        }
        Ok(Self {
            parts,
            text: text.to_owned(),
        })
    }
}

impl UriTemplate {
    /// Returns the names of the variables, in the order of the template.
    pub(crate) fn variables(&self) -> impl Iterator<Item = &str> {
        self.parts
            .iter()
            .flat_map(|part| match part {
                Part::Literal(_) => [].as_slice(),
                Part::Expression(_, names) => names.as_slice(),
            })
            .map(String::as_str)
    }

    /// Whether every URI that matches the template has a value for the variable.
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

    /// Matches a URI and returns the names and values of the variables, or `None` if it does not
    /// match.
    ///
    /// Literal text also matches an equivalent encoding, because RFC 6570 expands `é` to `%C3%A9`
    /// (section 3.1). Values are percent-decoded. If a value is ambiguous, the longest one is used.
    pub(crate) fn match_uri(&self, uri: &str) -> Option<Vec<(String, String)>> {
        matching::match_parts(&self.parts, uri)
    }
}

#[cfg(test)]
mod tests;
