//! Sampling.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::{
    ANY_OBJECT, BOOLEAN, Member, NUMBER, Object, Shape, TEXT,
    content::{AUDIO_BLOCK, BLOCK, IMAGE_BLOCK, ROLE, TEXT_BLOCK},
    member, meta, object, task, tool,
};
use crate::wire::{
    Rule,
    check::Checker,
    format::{FRACTION, INTEGER},
};

pub(crate) static PARAMS: Object = object(
    "CreateMessageRequestParams",
    &[
        member("messages", b"RRRRR", Shape::Objects(&MESSAGE)),
        member("maxTokens", b"RRRRR", INTEGER),
        member("modelPreferences", b"ooooo", Shape::Object(&PREFERENCES)),
        member("systemPrompt", b"ooooo", TEXT),
        member("includeContext", b"ooooo", CONTEXT),
        member("temperature", b"ooooo", NUMBER),
        member("stopSequences", b"ooooo", Shape::List(&TEXT)),
        member("metadata", b"ooooo", ANY_OBJECT),
        member("tools", b"...oo", Shape::Objects(&tool::TOOL)),
        member("toolChoice", b"...oo", Shape::Object(&TOOL_CHOICE)),
        task::AUGMENTED,
        meta::ON_EMBEDDED,
    ],
)
.with_rule(tool_uses_are_answered);

pub(crate) static RESULT: Object = object(
    "CreateMessageResult",
    &[
        member("role", b"RRRRR", ROLE),
        ONE_BLOCK,
        MANY_BLOCKS,
        member("model", b"RRRRR", TEXT),
        member("stopReason", b"ooooo", TEXT),
        member("_meta", b"ooooo", meta::PLAIN_SHAPE),
    ],
);

static MESSAGE: Object = object(
    "SamplingMessage",
    &[
        member("role", b"RRRRR", ROLE),
        ONE_BLOCK,
        MANY_BLOCKS,
        meta::ON_SAMPLING_ITEM,
    ],
);

const ONE_BLOCK: Member = member("content", b"RRR..", SAMPLING_BLOCK);
const MANY_BLOCKS: Member = member("content", b"...RR", Shape::OneOrMany(&SAMPLING_BLOCK));
const CONTEXT: Shape = Shape::OneOf(&["none", "thisServer", "allServers"]);

const SAMPLING_BLOCK: Shape = Shape::Tagged(
    "type",
    &[
        member("text", b"ooooo", Shape::Object(&TEXT_BLOCK)),
        member("image", b"ooooo", Shape::Object(&IMAGE_BLOCK)),
        member("audio", b".oooo", Shape::Object(&AUDIO_BLOCK)),
        member("tool_use", b"...oo", Shape::Object(&TOOL_USE)),
        member("tool_result", b"...oo", Shape::Object(&TOOL_RESULT)),
    ],
);

static TOOL_USE: Object = object(
    "ToolUseContent",
    &[
        member("type", b"...RR", TEXT),
        member("id", b"...RR", TEXT),
        member("name", b"...RR", TEXT),
        member("input", b"...RR", ANY_OBJECT),
        meta::ON_SAMPLING_ITEM,
    ],
);

static TOOL_RESULT: Object = object(
    "ToolResultContent",
    &[
        member("type", b"...RR", TEXT),
        member("toolUseId", b"...RR", TEXT),
        member("content", b"...RR", Shape::List(&BLOCK)),
        member("structuredContent", b"...o.", ANY_OBJECT),
        member("structuredContent", b"....o", Shape::Any),
        member("isError", b"...oo", BOOLEAN),
        meta::ON_SAMPLING_ITEM,
    ],
);

static PREFERENCES: Object = object(
    "ModelPreferences",
    &[
        member("hints", b"ooooo", Shape::Objects(&HINT)),
        member("costPriority", b"ooooo", FRACTION),
        member("speedPriority", b"ooooo", FRACTION),
        member("intelligencePriority", b"ooooo", FRACTION),
    ],
);

static HINT: Object = object("ModelHint", &[member("name", b"ooooo", TEXT)]);

static TOOL_CHOICE: Object = object(
    "ToolChoice",
    &[member(
        "mode",
        b"...oo",
        Shape::OneOf(&["auto", "required", "none"]),
    )],
);

/// Every `tool_use` must have its result in the next message, which has nothing else.
fn tool_uses_are_answered(params: &Map<String, Value>, checker: &mut Checker) {
    let messages = params.get("messages").and_then(Value::as_array);
    let mut open = BTreeSet::new();
    for (index, message) in messages.into_iter().flatten().enumerate() {
        let answers = ids(message, "tool_result", "toolUseId");
        let mixed =
            !answers.is_empty() && blocks(message).iter().any(|it| it["type"] != "tool_result");
        if mixed || answers != open {
            checker.report_at(
                &["messages", &index.to_string()],
                Rule::Order,
                "must answer the tool uses before it, and only those",
            );
        }
        open = ids(message, "tool_use", "id");
    }
    if !open.is_empty() {
        checker.report_at(
            &["messages"],
            Rule::Order,
            "end with a tool use that has no answer",
        );
    }
}

fn blocks(message: &Value) -> &[Value] {
    match message.get("content") {
        Some(Value::Array(blocks)) => blocks,
        Some(block) => std::slice::from_ref(block),
        None => &[],
    }
}

fn ids<'a>(message: &'a Value, kind: &str, key: &str) -> BTreeSet<&'a str> {
    blocks(message)
        .iter()
        .filter(|block| block["type"] == kind)
        .filter_map(|block| block[key].as_str())
        .collect()
}
