//! The text from which a model repairs its call.
//!
//! It is ours to the last word: what a library says about a value names
//! neither the argument nor the way out.

#[cfg(test)]
mod tests;

pub(crate) use crate::schema::{Problem, Violation};

use crate::schema::example;
use crate::text::shortened;
use serde_json::Value;

/// More lines than these are counted only.
const TOLD: usize = 20;

/// Keys that are mistaken for `arguments`.
const LOOK_ALIKES: [&str; 5] = ["parameters", "params", "args", "input", "argument"];

/// Why a call was refused, and how it should have been made.
///
/// One line says which tool, one line each what is wrong where, then `hint` if
/// there is one, then a call that would be accepted.
pub(crate) fn render(
    tool: &str,
    schema: &Value,
    arguments: &Value,
    violations: &[Violation],
    hint: Option<&str>,
) -> String {
    let problems = counted(violations.len(), "problem");
    let mut lines = vec![format!("invalid arguments for `{tool}`: {problems}")];
    lines.extend(violations.iter().take(TOLD).map(line));
    if violations.len() > TOLD {
        lines.push(format!("… and {} more", violations.len() - TOLD));
    }
    lines.extend(hint.map(|hint| format!("hint: {hint}")));
    lines.extend(example(schema, arguments).map(|example| format!("example: {example}")));
    lines.join("\n")
}

/// A hint for a call without `arguments` that has something like it.
pub(crate) fn look_alike<'a>(keys: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let key = keys.into_iter().find(|key| LOOK_ALIKES.contains(key))?;
    Some(format!(
        "the request has `{key}` but no `arguments`; rename `{key}` to `arguments`"
    ))
}

fn line(violation: &Violation) -> String {
    let place = place(&violation.pointer);
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

/// The pointer on one line; a name in it may be anything.
fn place(pointer: &str) -> String {
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
    shortened(&escaped, 200).into_owned()
}

fn counted(count: usize, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}
