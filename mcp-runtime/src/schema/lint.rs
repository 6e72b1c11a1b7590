//! Which clients and model APIs would refuse a tool, and why.
//!
//! One tool refused often takes all tools of its server with it.

mod rules;

use super::keyword::{each_child, escape};
use rules::{NAME_RULES, SCHEMA_RULES};
use serde_json::Value;

/// One reason for which a client or model API may refuse a tool.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct LintFinding {
    /// The tool's name.
    pub tool: String,
    /// A JSON Pointer into the tool as `tools/list` shows it.
    pub pointer: String,
    /// Who refuses it.
    pub client: &'static str,
    /// What is refused, and what to do instead.
    pub reason: &'static str,
}

/// Names everything in a tool that a known client or model API refuses.
///
/// The findings come in the order of the tool's name, `inputSchema` and
/// `outputSchema`. For a schema that the framework derived there are none,
/// save where its author chose so: a long name, a parameter of any type, a
/// list of tagged unions, a very large type.
pub(crate) fn lint(
    tool_name: &str,
    input_schema: &Value,
    output_schema: Option<&Value>,
) -> Vec<LintFinding> {
    let finding = |pointer: String, client, reason| LintFinding {
        tool: tool_name.to_owned(),
        pointer,
        client,
        reason,
    };
    let mut findings = Vec::new();
    for rule in NAME_RULES.iter().filter(|rule| (rule.refuses)(tool_name)) {
        findings.push(finding("/name".to_owned(), rule.client, rule.reason));
    }
    let schemas = [
        (Side::Input, "/inputSchema", Some(input_schema)),
        (Side::Output, "/outputSchema", output_schema),
    ];
    for (side, pointer, schema) in schemas {
        let Some(root) = schema else {
            continue;
        };
        each_place(
            &Place {
                root,
                schema: root,
                side,
                pointer: pointer.to_owned(),
                depth: 0,
            },
            &mut |place| {
                for rule in SCHEMA_RULES.iter().filter(|rule| rule.concerns(place.side)) {
                    if let Some(below) = (rule.refuses)(place) {
                        let pointer = format!("{}{below}", place.pointer);
                        findings.push(finding(pointer, rule.client, rule.reason));
                    }
                }
            },
        );
    }
    findings
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Input,
    Output,
}

/// One schema within a tool.
struct Place<'a> {
    root: &'a Value,
    schema: &'a Value,
    side: Side,
    pointer: String,
    /// How many schemas it stands in; 0 for the root.
    depth: usize,
}

fn each_place<'a>(place: &Place<'a>, visit: &mut impl FnMut(&Place<'a>)) {
    visit(place);
    let Value::Object(keywords) = place.schema else {
        return;
    };
    each_child(keywords, |keyword, name, child| {
        // A closed object is the one place for `false` that everyone knows.
        if keyword == "additionalProperties" && child.is_boolean() {
            return;
        }
        let name = name
            .map(|name| format!("/{}", escape(&name)))
            .unwrap_or_default();
        let pointer = format!("{}/{keyword}{name}", place.pointer);
        each_place(
            &Place {
                schema: child,
                pointer,
                depth: place.depth + 1,
                ..*place
            },
            visit,
        );
    });
}
