//! Literals against limits: what can be known before any type is.

use std::cmp::Ordering;

use quote::ToTokens;
use regex_lite::Regex;
use syn::{Expr, ExprLit, Ident, Lit, UnOp};

use super::parameter::ArgKeys;
use crate::args::{Bounds, Given};
use crate::errors::Errors;

/// A literal as a value; `None` for every other expression.
#[derive(Debug, Clone, PartialEq)]
enum Literal {
    Integer(i128),
    Float(f64),
    Text(String),
}

impl Literal {
    fn of(expression: &Expr) -> Option<Self> {
        match expression {
            Expr::Lit(ExprLit { lit, .. }) => match lit {
                Lit::Int(number) => number.base10_parse().ok().map(Self::Integer),
                Lit::Float(number) => number.base10_parse().ok().map(Self::Float),
                Lit::Str(text) => Some(Self::Text(text.value())),
                _ => None,
            },
            Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => {
                match Self::of(&unary.expr)? {
                    Self::Integer(number) => number.checked_neg().map(Self::Integer),
                    Self::Float(number) => Some(Self::Float(-number)),
                    Self::Text(_) => None,
                }
            }
            Expr::Paren(inner) => Self::of(&inner.expr),
            Expr::Group(inner) => Self::of(&inner.expr),
            _ => None,
        }
    }

    /// Against another number; `None` where either is none.
    fn compare(&self, other: &Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Integer(left), Self::Integer(right)) => Some(left.cmp(right)),
            (Self::Float(left), Self::Float(right)) => left.partial_cmp(right),
            _ => None,
        }
    }
}

/// A range in which nothing lies, an expression that cannot be enforced, and a
/// default or an example that its own limits refuse.
pub(crate) fn check_limits(keys: &ArgKeys, errors: &mut Errors) {
    let pattern = keys.pattern.as_ref().map(|given| &given.value.0);
    // The runtime compiles it with the same crate.
    let compiled = pattern.map(|pattern| (pattern, Regex::new(&pattern.value())));
    if let Some((pattern, Err(mistake))) = compiled {
        let message = format!(
            "this regular expression cannot be enforced: {mistake}; \
             change it, without look-around and back-references"
        );
        errors.push(pattern, message);
        return;
    }
    for bounds in [&keys.range, &keys.clamp, &keys.length, &keys.items] {
        let Some(Given { key, value }) = bounds else {
            continue;
        };
        if is_empty(value) {
            let message = format!("nothing lies in this `{key}`; write the lesser end first");
            errors.push(&value.tokens, message);
            return;
        }
    }
    check_value("default", keys.default.as_ref(), keys, errors);
    check_value("example", keys.example.as_ref(), keys, errors);
}

fn check_value(what: &str, given: Option<&Given<Expr>>, keys: &ArgKeys, errors: &mut Errors) {
    let Some(expression) = given.map(|given| &given.value) else {
        return;
    };
    let Some(value) = Literal::of(expression) else {
        return;
    };
    if let Some(limit) = refused_by(&value, keys) {
        let message = format!("the {what} is against its own `{limit}`; change one of them");
        errors.push(expression.to_token_stream(), message);
    }
}

/// The key whose limit the value misses.
fn refused_by<'a>(value: &Literal, keys: &'a ArgKeys) -> Option<&'a Ident> {
    let length = match value {
        Literal::Text(text) => i128::try_from(text.chars().count()).ok(),
        _ => None,
    };
    let length = length.map(Literal::Integer);
    let bounded = [
        (keys.range.as_ref(), Some(value)),
        (keys.clamp.as_ref(), Some(value)),
        (keys.length.as_ref(), length.as_ref()),
    ];
    for (given, value) in bounded {
        if let (Some(given), Some(value)) = (given, value)
            && misses(value, &given.value)
        {
            return Some(&given.key);
        }
    }
    if let (Some(pattern), Literal::Text(text)) = (&keys.pattern, value) {
        let expression = Regex::new(&pattern.value.0.value());
        if expression.is_ok_and(|expression| !expression.is_match(text)) {
            return Some(&pattern.key);
        }
    }
    let one_of = keys.one_of.as_ref()?;
    let literals: Option<Vec<Literal>> = one_of.value.0.iter().map(Literal::of).collect();
    (!literals?.contains(value)).then_some(&one_of.key)
}

fn misses(value: &Literal, bounds: &Bounds) -> bool {
    let against = |end: &Option<Expr>| {
        let end = end.as_ref().and_then(Literal::of)?;
        value.compare(&end)
    };
    against(&bounds.start) == Some(Ordering::Less)
        || match against(&bounds.end) {
            Some(Ordering::Greater) => true,
            Some(Ordering::Equal) => !bounds.inclusive,
            _ => false,
        }
}

fn is_empty(bounds: &Bounds) -> bool {
    let start = bounds.start.as_ref().and_then(Literal::of);
    start.is_some_and(|start| {
        let open = Bounds {
            start: None,
            end: bounds.end.clone(),
            inclusive: bounds.inclusive,
            tokens: Default::default(),
        };
        misses(&start, &open)
    })
}
