//! Matches a URI against the parts of a template. The time is linear in the length of the URI.
//!
//! The URI is percent-decoded once. A backward pass computes, for each part from the last to the
//! first, the positions from which the rest of the URI matches. A forward pass then takes the
//! longest value of each expression. No position is tried twice.

use super::decoded::DecodedUri;
use super::expression::{Expression, Values};
use super::normalize::after_literal;
use super::parse::Part;
use super::suffix::SuffixMatches;

/// The maximum length of a URI in bytes. A longer URI never matches, which limits the time and
/// memory for matching.
const MAX_LENGTH: usize = 4096;

/// Returns the names and values of the variables, or `None` if the URI does not match.
pub(super) fn match_parts(parts: &[Part], uri: &str) -> Option<Values> {
    if uri.len() > MAX_LENGTH {
        return None;
    }
    // This check is fast and rejects most templates, because the templates of a server usually
    // differ in their first literal.
    if let Some(Part::Literal(prefix)) = parts.first() {
        after_literal(uri, prefix, 0)?;
    }
    let decoded = DecodedUri::new(uri);
    let at_end = (0..=uri.len()).map(|at| at == uri.len()).collect();
    let mut suffixes = vec![SuffixMatches::new(at_end, &decoded)];
    for part in parts.iter().rev() {
        let next = suffixes.last()?;
        suffixes.push(suffix_matches(part, &decoded, next));
    }
    let mut values = Values::new();
    let mut at = 0;
    for (part, next) in parts.iter().zip(suffixes.iter().rev().skip(1)) {
        at = match part {
            Part::Literal(literal) => after_literal(uri, literal, at)?,
            Part::Expression(operator, names) => {
                let expression = Expression::new(*operator, names, &decoded);
                let end = expression.longest(at, next)?;
                expression.read(at, end, &mut values)?;
                end
            }
        };
    }
    (at == uri.len()).then_some(values)
}

/// Returns the positions from which the URI matches `part` and the rest of the template after it.
fn suffix_matches(part: &Part, decoded: &DecodedUri<'_>, next: &SuffixMatches) -> SuffixMatches {
    let positions = 0..=decoded.uri.len();
    let matches = match part {
        Part::Literal(literal) => positions
            .map(|at| {
                let end = after_literal(decoded.uri, literal, at);
                end.is_some_and(|end| next.matches(end))
            })
            .collect(),
        Part::Expression(operator, names) => {
            let expression = Expression::new(*operator, names, decoded);
            positions
                .map(|at| expression.longest(at, next).is_some())
                .collect()
        }
    };
    SuffixMatches::new(matches, decoded)
}
