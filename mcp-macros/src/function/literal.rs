//! Checks the literals in the rules, defaults and examples of an argument. The macro does not know
//! the type of the argument.

use std::cmp::Ordering;

use quote::ToTokens;
use regex_lite::Regex;
use syn::{Expr, ExprLit, Ident, Lit, UnOp};

use super::parameter::ArgKeys;
use crate::args::{Bounds, KeyValue};
use crate::errors::Errors;

/// The value of a literal.
#[derive(Debug, Clone, PartialEq)]
enum Literal {
    Integer(i128),
    Float(f64),
    Text(String),
}

impl Literal {
    /// Returns the value of an expression. Returns `None` if the expression is not a literal.
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

    /// Compares two integers or two floats. Returns `None` for all other literals.
    fn compare(&self, other: &Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Integer(left), Self::Integer(right)) => Some(left.cmp(right)),
            (Self::Float(left), Self::Float(right)) => left.partial_cmp(right),
            _ => None,
        }
    }
}

/// Reports an error for an invalid pattern, an empty range, and a default or an example that
/// violates a rule of the same argument.
pub(crate) fn check_rules(keys: &ArgKeys, errors: &mut Errors) {
    let pattern = keys.pattern.as_ref().map(|pattern| &pattern.value.0);
    // The runtime uses the same regex crate, so it accepts the same patterns.
    let compiled = pattern.map(|pattern| (pattern, Regex::new(&pattern.value())));
    if let Some((pattern, Err(mistake))) = compiled {
        let message =
            format!("`pattern` does not compile: {mistake}; correct it, without look-around");
        errors.push(pattern, message);
        return;
    }
    for bounds in [&keys.range, &keys.clamp, &keys.length, &keys.items] {
        let Some(KeyValue { key, value }) = bounds else {
            continue;
        };
        if is_empty(value) {
            let message = format!("this `{key}` is empty; write the lower bound first");
            errors.push(&value.tokens, message);
            return;
        }
    }
    check_value("default", keys.default.as_ref(), keys, errors);
    check_value("example", keys.example.as_ref(), keys, errors);
}

fn check_value(key: &str, value: Option<&KeyValue<Expr>>, keys: &ArgKeys, errors: &mut Errors) {
    let Some(expression) = value.map(|value| &value.value) else {
        return;
    };
    let Some(value) = Literal::of(expression) else {
        return;
    };
    if let Some(rule) = violated_rule(&value, keys) {
        let message = format!("the {key} violates its own `{rule}`; change one of them");
        errors.push(expression.to_token_stream(), message);
    }
}

/// Returns the key of the first rule that the value violates.
fn violated_rule<'a>(value: &Literal, keys: &'a ArgKeys) -> Option<&'a Ident> {
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
    for (rule, value) in bounded {
        if let (Some(rule), Some(value)) = (rule, value)
            && is_outside(value, &rule.value)
        {
            return Some(&rule.key);
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

fn is_outside(value: &Literal, bounds: &Bounds) -> bool {
    let compare = |end: &Option<Expr>| {
        let end = end.as_ref().and_then(Literal::of)?;
        value.compare(&end)
    };
    compare(&bounds.start) == Some(Ordering::Less)
        || match compare(&bounds.end) {
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
        is_outside(&start, &open)
    })
}
