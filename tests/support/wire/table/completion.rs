//! Argument completion.

use serde_json::{Map, Value};

use super::{BOOLEAN, Member, Object, Shape, TEXT, member, meta, object, result};
use crate::wire::{Rule, check::Checker, format::COUNT};

pub(crate) static PARAMS: Object = object(
    "CompleteRequestParams",
    &[
        member("ref", b"RRRRR", REFERENCE),
        member("argument", b"RRRRR", Shape::Object(&ARGUMENT)),
        member("context", b"..ooo", Shape::Object(&CONTEXT)),
        meta::ON_REQUEST,
    ],
);

const REFERENCE: Shape = Shape::Tagged(
    "type",
    &[
        member("ref/prompt", b"ooooo", Shape::Object(&PROMPT_REFERENCE)),
        member("ref/resource", b"ooooo", Shape::Object(&RESOURCE_REFERENCE)),
    ],
);

const TYPE: Member = member("type", b"RRRRR", TEXT);

static PROMPT_REFERENCE: Object = object(
    "PromptReference",
    &[
        TYPE,
        member("name", b"RRRRR", TEXT),
        member("title", b"..ooo", TEXT),
    ],
);

static RESOURCE_REFERENCE: Object =
    object("ResourceReference", &[TYPE, member("uri", b"RRRRR", TEXT)]);

static ARGUMENT: Object = object(
    "argument",
    &[
        member("name", b"RRRRR", TEXT),
        member("value", b"RRRRR", TEXT),
    ],
);

static CONTEXT: Object = object(
    "context",
    &[member("arguments", b"..ooo", Shape::Map(&TEXT))],
);

pub(crate) static RESULT: Object = object(
    "CompleteResult",
    &[member("completion", b"RRRRR", Shape::Object(&COMPLETION))],
)
.extends(&result::RESULT);

static COMPLETION: Object = object(
    "completion",
    &[
        member("values", b"RRRRR", Shape::List(&TEXT)),
        member("total", b"ooooo", COUNT),
        member("hasMore", b"ooooo", BOOLEAN),
    ],
)
.with_rule(at_most_100_values);

fn at_most_100_values(completion: &Map<String, Value>, checker: &mut Checker) {
    let values = completion.get("values").and_then(Value::as_array);
    if values.is_some_and(|values| values.len() > 100) {
        checker.report_at(&["values"], Rule::Value, "must have at most 100 items");
    }
}
