//! Matches a URI against the parts of a template in time linear in its length.
//!
//! The URI is percent-decoded once. From the last part to the first, each part
//! computes from which positions the rest of the URI matches, so nothing is tried
//! twice; then one pass forward takes the longest value of each expression.

use super::decoded::DecodedUri;
use super::expression::{Expression, Values};
use super::normalize::after_literal;
use super::parse::Part;
use super::suffix::SuffixMatches;

/// Longer URIs never match, which bounds the time and the memory for matching.
const MAX_LENGTH: usize = 4096;

/// Returns the values of the variables; `None` if the URI does not match.
pub(super) fn match_parts(parts: &[Part], uri: &str) -> Option<Values> {
    if uri.len() > MAX_LENGTH {
        return None;
    }
    // Most templates of a server differ in their first literal.
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

/// The positions from which the part matches, followed by the rest of the template.
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
