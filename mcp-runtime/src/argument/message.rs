//! Builds the error text for invalid arguments. A model reads the text to correct its call.
//!
//! The text contains no error messages of libraries, because these name neither the argument nor
//! the correction.

#[cfg(test)]
mod tests;

pub(crate) use crate::schema::{Problem, Violation};

use crate::text::truncate;
use serde_json::Value;

/// The maximum number of problems that are listed. Further problems are only counted.
const MAX_LISTED: usize = 20;

/// Keys that models use by mistake instead of `arguments`.
const MISNAMED: [&str; 5] = ["parameters", "params", "args", "input", "argument"];

/// Returns a text that explains why a call was rejected and how to correct it.
///
/// The first line names the tool. The next lines are one line for each problem, the `hint` if there
/// is one, and an example of valid arguments.
pub(crate) fn render(
    tool: &str,
    violations: &[Violation],
    hint: Option<&str>,
    example: Option<&Value>,
) -> String {
    let problems = pluralize(violations.len(), "problem");
    let mut lines = vec![format!("invalid arguments for `{tool}`: {problems}")];
    lines.extend(violations.iter().take(MAX_LISTED).map(line));
    if violations.len() > MAX_LISTED {
        lines.push(format!("… and {} more", violations.len() - MAX_LISTED));
    }
    lines.extend(hint.map(|hint| format!("hint: {hint}")));
    lines.extend(example.map(|example| format!("example: {example}")));
    lines.join("\n")
}

/// Returns a hint if the request has its arguments under a wrong key.
pub(crate) fn misnamed_hint<'a>(keys: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let key = keys.into_iter().find(|key| MISNAMED.contains(key))?;
    Some(format!(
        "the request has `{key}` but no `arguments`; rename `{key}` to `arguments`"
    ))
}

fn line(violation: &Violation) -> String {
    let place = one_line(&violation.pointer);
    let hint = violation
        .hint
        .as_ref()
        .map(|hint| format!("; {hint}"))
        .unwrap_or_default();
    match &violation.problem {
        Problem::Mismatch { expected, got } => {
            format!("{place}: expected {expected}, got {got}{hint}")
        }
        Problem::Rejected { got } => format!("{place}: cannot take {got}{hint}"),
        Problem::Missing { expected } => format!("{place}: missing, expected {expected}{hint}"),
        Problem::Unknown => {
            let nested = violation.pointer.matches('/').count() > 1;
            let kind = if nested { "property" } else { "argument" };
            format!("{place}: unknown {kind}{hint}")
        }
    }
}

/// Escapes the control characters in a JSON Pointer, so that the pointer stays on one line.
fn one_line(pointer: &str) -> String {
    if pointer.is_empty() {
        return "arguments".to_owned();
    }
    let escaped: String = pointer
        .chars()
        .flat_map(|c| {
            if c.is_control() {
                c.escape_default().collect()
            } else {
                vec![c]
            }
        })
        .collect();
    truncate(&escaped, 200).into_owned()
}

fn pluralize(count: usize, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}
