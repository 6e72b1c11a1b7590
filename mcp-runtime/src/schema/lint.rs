//! Finds the parts of a tool definition that known clients or model APIs reject.
//!
//! If a client rejects one tool, often none of the server's tools can be used.

mod location;
mod rules;

use super::keyword::{escape, for_each_subschema};
use location::{SchemaKind, SchemaLocation};
use rules::{DESCRIPTION_RULES, NAME_RULES, SCHEMA_RULES};
use serde_json::Value;
use std::fmt;

/// A reason why a client or model API may reject a tool. See
/// [`lint_schemas`](crate::testing::lint_schemas).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct LintFinding {
    /// The name of the tool.
    pub tool: String,
    /// The JSON Pointer to the rejected part of the tool in the `tools/list` result.
    pub pointer: String,
    /// The clients or model APIs that reject this part.
    pub client: &'static str,
    /// The reason for the rejection, and an alternative.
    pub reason: &'static str,
}

impl fmt::Display for LintFinding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            tool,
            pointer,
            client,
            reason,
        } = self;
        write!(formatter, "tool `{tool}`, {pointer}: {reason} ({client})")
    }
}

/// Returns a finding for each part of a tool that a known client or model API rejects.
///
/// The findings for the name come first, then those for the description, `inputSchema` and
/// `outputSchema`. A generated schema has findings only for choices of the server author: a long
/// name or description, a very large type, a parameter of any type, a list of tagged unions,
/// tuples, sets, maps with restricted keys, exclusive bounds, and formats and patterns that some
/// model APIs reject.
pub(crate) fn lint(
    tool_name: &str,
    description: Option<&str>,
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
    for rule in NAME_RULES
        .iter()
        .filter(|rule| (rule.is_rejected)(tool_name))
    {
        findings.push(finding("/name".to_owned(), rule.client, rule.reason));
    }
    let length = description.unwrap_or_default().chars().count();
    for rule in DESCRIPTION_RULES
        .iter()
        .filter(|rule| length > rule.max_chars)
    {
        findings.push(finding("/description".to_owned(), rule.client, rule.reason));
    }
    let schemas = [
        (SchemaKind::Input, "/inputSchema", Some(input_schema)),
        (SchemaKind::Output, "/outputSchema", output_schema),
    ];
    for (kind, pointer, schema) in schemas {
        let Some(root) = schema else {
            continue;
        };
        visit_schemas(
            &SchemaLocation {
                root,
                schema: root,
                kind,
                pointer: pointer.to_owned(),
                depth: 0,
            },
            &mut |location| {
                for rule in SCHEMA_RULES
                    .iter()
                    .filter(|rule| rule.applies_to(location.kind))
                {
                    if let Some(suffix) = (rule.find_rejected)(location) {
                        let pointer = format!("{}{suffix}", location.pointer);
                        findings.push(finding(pointer, rule.client, rule.reason));
                    }
                }
            },
        );
    }
    findings
}

fn visit_schemas<'a>(location: &SchemaLocation<'a>, visit: &mut impl FnMut(&SchemaLocation<'a>)) {
    visit(location);
    let Value::Object(keywords) = location.schema else {
        return;
    };
    for_each_subschema(keywords, |keyword, name, child| {
        // Every client supports a boolean `additionalProperties`.
        if keyword == "additionalProperties" && child.is_boolean() {
            return;
        }
        let name = name
            .map(|name| format!("/{}", escape(&name)))
            .unwrap_or_default();
        let pointer = format!("{}/{keyword}{name}", location.pointer);
        visit_schemas(
            &SchemaLocation {
                schema: child,
                pointer,
                depth: location.depth + 1,
                ..*location
            },
            visit,
        );
    });
}
