//! The parser of URI templates.
//!
//! This file is also compiled into `mcp-macros`, because both crates must accept the same
//! templates. It therefore uses no other module.

use std::fmt;

/// A part of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// Literal text.
    Literal(String),
    /// An expression with its operator and the names of its variables.
    Expression(Operator, Vec<String>),
}

/// The operator of an expression (RFC 6570, section 3.2). It determines the prefix, the separator
/// and the allowed characters of the values.
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

/// The error for a URI template that is invalid or not supported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UriTemplateError {
    /// The template does not start with a scheme.
    NoScheme,
    /// The template has an opening brace without a closing brace, or the reverse.
    UnbalancedBrace,
    /// An expression has no variable, or a variable with an invalid name.
    InvalidVariableName(String),
    /// The template contains a variable twice.
    DuplicateVariable(String),
    /// A variable has a modifier, such as `{x*}` or `{x:3}` (level 4 of RFC 6570).
    UnsupportedModifier(String),
    /// Two expressions are adjacent, and the end of the first value is ambiguous.
    AmbiguousVariables(String),
}

impl std::error::Error for UriTemplateError {}

impl fmt::Display for UriTemplateError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoScheme => {
                formatter.write_str("the URI must start with a scheme, such as `notes://`")
            }
            Self::UnbalancedBrace => {
                formatter.write_str("unbalanced brace; write each variable as `{name}`")
            }
            Self::InvalidVariableName(name) => write!(
                formatter,
                "`{{{name}}}` is not a valid variable; use letters, digits and `_`"
            ),
            Self::DuplicateVariable(name) => {
                write!(formatter, "the variable `{name}` occurs twice; rename one")
            }
            Self::UnsupportedModifier(name) => write!(
                formatter,
                "`{{{name}}}` has a modifier, which is not supported; remove it"
            ),
            Self::AmbiguousVariables(name) => write!(
                formatter,
                "`{{{name}}}` directly follows another variable; put text between them"
            ),
        }
    }
}

/// Parses a template into its parts.
pub(crate) fn parse(text: &str) -> Result<Vec<Part>, UriTemplateError> {
    let mut parts = Vec::new();
    let mut names: Vec<String> = Vec::new();
    let mut rest = text;
    while let Some(brace) = rest.find(['{', '}']) {
        let (literal, from_brace) = rest.split_at(brace);
        let Some((inside, after)) = from_brace
            .strip_prefix('{')
            .and_then(|rest| rest.split_once('}'))
        else {
            return Err(UriTemplateError::UnbalancedBrace);
        };
        if !literal.is_empty() {
            parts.push(Part::Literal(literal.to_owned()));
        }
        let (operator, variables) = parse_expression(inside)?;
        if matches!(parts.last(), Some(Part::Expression(before, _)) if before.has_no_prefix())
            && operator.has_no_prefix()
        {
            return Err(UriTemplateError::AmbiguousVariables(inside.to_owned()));
        }
        for name in &variables {
            if names.contains(name) {
                return Err(UriTemplateError::DuplicateVariable(name.clone()));
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
        Some(Part::Literal(literal)) if starts_with_scheme(literal) => Ok(parts),
        _ => Err(UriTemplateError::NoScheme),
    }
}

/// Whether `literal` starts with a URI scheme (RFC 3986, section 3.1).
fn starts_with_scheme(literal: &str) -> bool {
    let Some((scheme, _)) = literal.split_once(':') else {
        return false;
    };
    let is_valid = |letter: char| letter.is_ascii_alphanumeric() || "+-.".contains(letter);
    scheme.starts_with(|letter: char| letter.is_ascii_alphabetic()) && scheme.chars().all(is_valid)
}

fn parse_expression(inside: &str) -> Result<(Operator, Vec<String>), UriTemplateError> {
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
            return Err(UriTemplateError::UnsupportedModifier(inside.to_owned()));
        }
        let is_valid = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        if name.is_empty() || !name.chars().all(is_valid) {
            return Err(UriTemplateError::InvalidVariableName(inside.to_owned()));
        }
        variables.push(name.to_owned());
    }
    Ok((operator, variables))
}

impl Operator {
    /// Whether an expression with this operator has no prefix.
    fn has_no_prefix(self) -> bool {
        matches!(self, Self::Simple | Self::Reserved)
    }

    /// Whether every matching URI has values for all variables of the expression.
    pub(crate) fn requires(self) -> bool {
        self.has_no_prefix()
    }
}
