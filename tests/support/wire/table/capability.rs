//! Capabilities, implementations, and the messages that carry them.

use serde_json::{Map, Value};

use super::{
    ANY_OBJECT, BOOLEAN, Member, Object, Shape, TEXT, content::ICONS, member, meta, object, result,
};
use crate::wire::{Rule, check::Checker, format::URI};

pub(crate) static IMPLEMENTATION: Object = object(
    "Implementation",
    &[
        member("name", b"RRRRR", TEXT),
        member("version", b"RRRRR", TEXT),
        member("title", b"..ooo", TEXT),
        member("description", b"...oo", TEXT),
        member("websiteUrl", b"...oo", URI),
        ICONS,
    ],
);

pub(crate) static CLIENT: Object = object(
    "ClientCapabilities",
    &[
        member("experimental", b"ooooo", meta::SETTINGS),
        // Only in the schema of 2026-07-28, but the Apps extension uses it in all revisions.
        member("extensions", b"ooooo", meta::SETTINGS),
        member("roots", b"ooooo", Shape::Object(&CLIENT_ROOTS)),
        member("sampling", b"ooooo", Shape::Object(&CLIENT_SAMPLING)),
        member("elicitation", b"..ooo", Shape::Object(&CLIENT_ELICITATION)),
        member("tasks", b"...o.", Shape::Object(&CLIENT_TASKS)),
    ],
)
.with_rule(extensions_have_a_prefix);

static CLIENT_ROOTS: Object = object("roots", &[member("listChanged", b"oooo.", BOOLEAN)]);

static CLIENT_SAMPLING: Object = object(
    "sampling",
    &[
        member("context", b"...oo", ANY_OBJECT),
        member("tools", b"...oo", ANY_OBJECT),
    ],
);

static CLIENT_ELICITATION: Object = object(
    "elicitation",
    &[
        member("form", b"...oo", ANY_OBJECT),
        member("url", b"...oo", ANY_OBJECT),
    ],
);

static CLIENT_TASKS: Object = object(
    "tasks",
    &[
        member("list", b"...o.", ANY_OBJECT),
        member("cancel", b"...o.", ANY_OBJECT),
        member("requests", b"...o.", Shape::Object(&CLIENT_TASK_REQUESTS)),
    ],
);

static CLIENT_TASK_REQUESTS: Object = object(
    "tasks.requests",
    &[
        member("sampling", b"...o.", Shape::Object(&TASK_SAMPLING)),
        member("elicitation", b"...o.", Shape::Object(&TASK_ELICITATION)),
    ],
);

static TASK_SAMPLING: Object = object(
    "tasks.requests.sampling",
    &[member("createMessage", b"...o.", ANY_OBJECT)],
);

static TASK_ELICITATION: Object = object(
    "tasks.requests.elicitation",
    &[member("create", b"...o.", ANY_OBJECT)],
);

pub(crate) static SERVER: Object = object(
    "ServerCapabilities",
    &[
        member("experimental", b"ooooo", meta::SETTINGS),
        member("extensions", b"ooooo", meta::SETTINGS),
        member("logging", b"ooooo", ANY_OBJECT),
        member("completions", b".oooo", ANY_OBJECT),
        member("tools", b"ooooo", Shape::Object(&LISTED)),
        member("prompts", b"ooooo", Shape::Object(&LISTED)),
        member("resources", b"ooooo", Shape::Object(&SERVER_RESOURCES)),
        member("tasks", b"...o.", Shape::Object(&SERVER_TASKS)),
    ],
)
.with_rule(extensions_have_a_prefix);

static LISTED: Object = object("tools", &[member("listChanged", b"ooooo", BOOLEAN)]);

static SERVER_RESOURCES: Object = object(
    "resources",
    &[
        member("listChanged", b"ooooo", BOOLEAN),
        member("subscribe", b"ooooo", BOOLEAN),
    ],
);

static SERVER_TASKS: Object = object(
    "tasks",
    &[
        member("list", b"...o.", ANY_OBJECT),
        member("cancel", b"...o.", ANY_OBJECT),
        member("requests", b"...o.", Shape::Object(&SERVER_TASK_REQUESTS)),
    ],
);

static SERVER_TASK_REQUESTS: Object = object(
    "tasks.requests",
    &[member("tools", b"...o.", Shape::Object(&TASK_TOOLS))],
);

static TASK_TOOLS: Object = object(
    "tasks.requests.tools",
    &[member("call", b"...o.", ANY_OBJECT)],
);

pub(crate) static INITIALIZE_PARAMS: Object = object(
    "InitializeRequestParams",
    &[
        member("protocolVersion", b"RRRR.", TEXT),
        member("capabilities", b"RRRR.", Shape::Object(&CLIENT)),
        member("clientInfo", b"RRRR.", Shape::Object(&IMPLEMENTATION)),
        meta::ON_REQUEST,
    ],
);

pub(crate) static INITIALIZE_RESULT: Object = object(
    "InitializeResult",
    &[
        member("protocolVersion", b"RRRR.", LEGACY_REVISION),
        member("capabilities", b"RRRR.", Shape::Object(&SERVER)),
        member("serverInfo", b"RRRR.", Shape::Object(&IMPLEMENTATION)),
        INSTRUCTIONS,
    ],
)
.extends(&result::RESULT);

pub(crate) static DISCOVER_RESULT: Object = object(
    "DiscoverResult",
    &[
        member("supportedVersions", b"....R", Shape::List(&TEXT)),
        member("capabilities", b"....R", Shape::Object(&SERVER)),
        INSTRUCTIONS,
    ],
)
.extends(&result::CACHEABLE_RESULT)
.with_rule(offers_2026_07_28);

const INSTRUCTIONS: Member = member("instructions", b"ooooo", TEXT);

const LEGACY_REVISION: Shape =
    Shape::OneOf(&["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]);

fn extensions_have_a_prefix(capabilities: &Map<String, Value>, checker: &mut Checker) {
    let names = capabilities.get("extensions").and_then(Value::as_object);
    for name in names.into_iter().flat_map(Map::keys) {
        if !name.contains('/') {
            checker.report_at(
                &["extensions", name],
                Rule::Value,
                "an extension is named by a prefix and `/`",
            );
        }
    }
}

/// The revision of the response must be among the supported ones.
fn offers_2026_07_28(discovery: &Map<String, Value>, checker: &mut Checker) {
    let versions = discovery.get("supportedVersions").and_then(Value::as_array);
    if versions.is_some_and(|versions| !versions.iter().any(|it| it == "2026-07-28")) {
        checker.report_at(&["supportedVersions"], Rule::Value, "must name 2026-07-28");
    }
}
