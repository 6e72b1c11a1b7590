//! The text of a template, taken apart.
//!
//! Also compiled into the macros, so that both sides agree on what is legal;
//! hence it depends on nothing.

use std::fmt;

/// A piece of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// Stands for itself.
    Literal(String),
    /// Stands for the values of its variables.
    Expression(Operator, Vec<String>),
}

/// What an expression adds around its values, and which characters they have
/// (RFC 6570, section 3.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operator {
    /// `{x}`
    Simple,
    /// `{+x}`
    Reserved,
    /// `{#x}`
    Fragment,
    /// `{.x}`
    Label,
    /// `{/x}`
    Path,
    /// `{;x}`
    Parameter,
    /// `{?x}`
    Query,
    /// `{&x}`
    Continuation,
}

/// Why a text is no template that is supported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UriTemplateError {
    /// It does not begin with a scheme.
    NoScheme,
    /// A brace has no partner.
    UnbalancedBrace,
    /// An expression has no variable, or one with an illegal name.
    IllegalName(String),
    /// A variable occurs twice.
    Repeated(String),
    /// `{x*}` and `{x:3}` are of level 4.
    Modified(String),
    /// Two expressions touch, and nothing says where one ends.
    Ambiguous(String),
}

impl std::error::Error for UriTemplateError {}

impl fmt::Display for UriTemplateError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoScheme => formatter.write_str(
                "the URI must begin with a scheme; write for example `notes://` before it",
            ),
            Self::UnbalancedBrace => {
                formatter.write_str("a brace has no partner; write each variable as `{name}`")
            }
            Self::IllegalName(name) => write!(
                formatter,
                "`{{{name}}}` names no variable; use letters, digits and `_`"
            ),
            Self::Repeated(name) => {
                write!(formatter, "the variable `{name}` occurs twice; rename one")
            }
            Self::Modified(name) => write!(
                formatter,
                "`{{{name}}}` has a modifier, which is not supported; remove it"
            ),
            Self::Ambiguous(name) => write!(
                formatter,
                "nothing separates `{{{name}}}` from the variable before it; put text between them"
            ),
        }
    }
}

/// Takes a template apart.
pub(crate) fn parse(text: &str) -> Result<Vec<Part>, UriTemplateError> {
    let mut parts = Vec::new();
    let mut names: Vec<String> = Vec::new();
    let mut rest = text;
    while let Some(brace) = rest.find(['{', '}']) {
        let (literal, opened) = rest.split_at(brace);
        let Some((inside, after)) = opened
            .strip_prefix('{')
            .and_then(|opened| opened.split_once('}'))
        else {
            return Err(UriTemplateError::UnbalancedBrace);
        };
        if !literal.is_empty() {
            parts.push(Part::Literal(literal.to_owned()));
        }
        let (operator, variables) = expression(inside)?;
        if matches!(parts.last(), Some(Part::Expression(before, _)) if before.is_open())
            && operator.is_open()
        {
            return Err(UriTemplateError::Ambiguous(inside.to_owned()));
        }
        for name in &variables {
            if names.contains(name) {
                return Err(UriTemplateError::Repeated(name.clone()));
            }
            names.push(name.clone());
        }
        parts.push(Part::Expression(operator, variables));
        rest = after;
    }
    if !rest.is_empty() {
        parts.push(Part::Literal(rest.to_owned()));
    }
    match parts.first() {
        Some(Part::Literal(literal)) if begins_with_scheme(literal) => Ok(parts),
        _ => Err(UriTemplateError::NoScheme),
    }
}

/// RFC 3986, section 3.1.
fn begins_with_scheme(literal: &str) -> bool {
    let Some((scheme, _)) = literal.split_once(':') else {
        return false;
    };
    let legal = |letter: char| letter.is_ascii_alphanumeric() || "+-.".contains(letter);
    scheme.starts_with(|letter: char| letter.is_ascii_alphabetic()) && scheme.chars().all(legal)
}

fn expression(inside: &str) -> Result<(Operator, Vec<String>), UriTemplateError> {
    let (operator, names) = match inside.as_bytes().first() {
        Some(b'+') => (Operator::Reserved, &inside[1..]),
        Some(b'#') => (Operator::Fragment, &inside[1..]),
        Some(b'.') => (Operator::Label, &inside[1..]),
        Some(b'/') => (Operator::Path, &inside[1..]),
        Some(b';') => (Operator::Parameter, &inside[1..]),
        Some(b'?') => (Operator::Query, &inside[1..]),
        Some(b'&') => (Operator::Continuation, &inside[1..]),
        _ => (Operator::Simple, inside),
    };
    let mut variables = Vec::new();
    for name in names.split(',') {
        if name.ends_with('*') || name.contains(':') {
            return Err(UriTemplateError::Modified(inside.to_owned()));
        }
        let legal = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        if name.is_empty() || !name.chars().all(legal) {
            return Err(UriTemplateError::IllegalName(inside.to_owned()));
        }
        variables.push(name.to_owned());
    }
    Ok((operator, variables))
}

impl Operator {
    /// Whether the expression begins with its value and not with a sign of its own.
    fn is_open(self) -> bool {
        matches!(self, Self::Simple | Self::Reserved)
    }

    /// Whether its variables are there in each URI that matches.
    pub(crate) fn requires(self) -> bool {
        self.is_open()
    }
}
