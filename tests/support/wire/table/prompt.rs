//! Prompts.

use serde_json::{Map, Value};

use super::{
    BOOLEAN, Object, Shape, TEXT,
    content::{BLOCK, ICONS, ROLE},
    input, member, meta, object, result,
};
use crate::wire::{Rule, check::Checker};

static PROMPT: Object = object(
    "Prompt",
    &[
        member("name", b"RRRRR", TEXT),
        member("title", b"..ooo", TEXT),
        member("description", b"ooooo", TEXT),
        member("arguments", b"ooooo", Shape::Objects(&ARGUMENT)),
        ICONS,
        meta::ON_ITEM,
    ],
);

static ARGUMENT: Object = object(
    "PromptArgument",
    &[
        member("name", b"RRRRR", TEXT),
        member("title", b"..ooo", TEXT),
        member("description", b"ooooo", TEXT),
        member("required", b"ooooo", BOOLEAN),
    ],
);

pub(crate) static LIST_RESULT: Object = object(
    "ListPromptsResult",
    &[member("prompts", b"RRRRR", Shape::Objects(&PROMPT))],
)
.extends(&result::LIST_RESULT);

pub(crate) static GET_PARAMS: Object = object(
    "GetPromptRequestParams",
    &[
        member("name", b"RRRRR", TEXT),
        member("arguments", b"ooooo", Shape::Map(&TEXT)),
        input::RESPONSES,
        input::STATE,
        meta::ON_REQUEST,
    ],
);

pub(crate) static GET_RESULT: Object = object(
    "GetPromptResult",
    &[
        member("description", b"ooooo", TEXT),
        member("messages", b"RRRRR", Shape::Objects(&MESSAGE)),
    ],
)
.extends(&result::RESULT);

static MESSAGE: Object = object(
    "PromptMessage",
    &[
        member("role", b"RRRRR", ROLE),
        member("content", b"RRRRR", BLOCK),
    ],
)
.with_rule(embedded_resource_has_a_mime_type);

fn embedded_resource_has_a_mime_type(message: &Map<String, Value>, checker: &mut Checker) {
    let resource = message.get("content").and_then(|it| it.get("resource"));
    if resource.is_some_and(|resource| resource.get("mimeType").is_none()) {
        checker.report_at(
            &["content", "resource", "mimeType"],
            Rule::Required,
            "is missing in a prompt",
        );
    }
}
