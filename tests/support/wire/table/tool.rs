//! Tools.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::{
    ANY_OBJECT, BOOLEAN, Object, Shape, TEXT,
    content::{BLOCK, ICONS},
    input, member, meta, object, result, task,
};
use crate::wire::{Rule, check::Checker};

pub(crate) static TOOL: Object = object(
    "Tool",
    &[
        member("name", b"RRRRR", TEXT),
        member("title", b"..ooo", TEXT),
        member("description", b"ooooo", TEXT),
        member("inputSchema", b"RRRRR", Shape::InputSchema),
        member("outputSchema", b"..ooo", Shape::OutputSchema),
        member("annotations", b".oooo", Shape::Object(&ANNOTATIONS)),
        member("execution", b"...o.", Shape::Object(&EXECUTION)),
        ICONS,
        meta::ON_ITEM,
    ],
);

static ANNOTATIONS: Object = object(
    "ToolAnnotations",
    &[
        member("title", b".oooo", TEXT),
        member("readOnlyHint", b".oooo", BOOLEAN),
        member("destructiveHint", b".oooo", BOOLEAN),
        member("idempotentHint", b".oooo", BOOLEAN),
        member("openWorldHint", b".oooo", BOOLEAN),
    ],
);

static EXECUTION: Object = object(
    "ToolExecution",
    &[member(
        "taskSupport",
        b"...o.",
        Shape::OneOf(&["forbidden", "optional", "required"]),
    )],
);

pub(crate) static LIST_RESULT: Object = object(
    "ListToolsResult",
    &[member("tools", b"RRRRR", Shape::Objects(&TOOL))],
)
.extends(&result::LIST_RESULT)
.with_rule(names_are_unique);

pub(crate) static CALL_PARAMS: Object = object(
    "CallToolRequestParams",
    &[
        member("name", b"RRRRR", TEXT),
        member("arguments", b"ooooo", ANY_OBJECT),
        task::AUGMENTED,
        input::RESPONSES,
        input::STATE,
        meta::ON_REQUEST,
    ],
);

pub(crate) static CALL_RESULT: Object =
    object("CallToolResult", &[result::COMPLETE, meta::ON_RESULT])
        .extends(&CALL_OUTCOME)
        .with_rule(plain_output_has_text);

/// What a tool returns, without the members of a result.
pub(crate) static CALL_OUTCOME: Object = object(
    "CallToolResult",
    &[
        member("content", b"RRRRR", Shape::List(&BLOCK)),
        member("structuredContent", b"..oo.", ANY_OBJECT),
        member("structuredContent", b"....o", Shape::Any),
        member("isError", b"ooooo", BOOLEAN),
    ],
);

fn names_are_unique(list: &Map<String, Value>, checker: &mut Checker) {
    let mut names = BTreeSet::new();
    let tools = list.get("tools").and_then(Value::as_array);
    for (index, tool) in tools.into_iter().flatten().enumerate() {
        let name = tool.get("name").and_then(Value::as_str);
        if name.is_some_and(|name| !names.insert(name)) {
            checker.report_at(
                &["tools", &index.to_string(), "name"],
                Rule::Value,
                "is the name of an earlier tool",
            );
        }
    }
}

/// Structured output that is not an object must also be sent as text (2026-07-28).
fn plain_output_has_text(result: &Map<String, Value>, checker: &mut Checker) {
    let plain = result
        .get("structuredContent")
        .is_some_and(|output| !output.is_object());
    let blocks = result.get("content").and_then(Value::as_array);
    let text = blocks.is_some_and(|blocks| {
        blocks
            .iter()
            .any(|block| block.get("type").is_some_and(|kind| kind == "text"))
    });
    if plain && !text {
        checker.report_at(
            &["content"],
            Rule::Required,
            "has no text for output that is no object",
        );
    }
}
