//! The methods of what a server offers, which all revisions have.

use serde_json::value::RawValue;

use super::capability::Capability;
use super::table::{ALL, Routed, Row};
use super::{lists, modern};
use crate::call;
use crate::registry::Kind;

/// The methods that all revisions have.
pub(super) const ROWS: [Row; 8] = [
    Row::new(
        "tools/list",
        ALL,
        Capability::Tools,
        |dispatcher, request| lists::list(dispatcher, request, Kind::Tool),
    )
    .without_bodies(),
    Row::new(
        "tools/call",
        ALL,
        Capability::Tools,
        modern::tasks::call_tool,
    ),
    Row::new(
        "prompts/list",
        ALL,
        Capability::Prompts,
        |dispatcher, request| lists::list(dispatcher, request, Kind::Prompt),
    )
    .without_bodies(),
    Row::new(
        "prompts/get",
        ALL,
        Capability::Prompts,
        |dispatcher, request| {
            call::get_prompt(&dispatcher.core().service, request.scope, params(request))
        },
    ),
    Row::new(
        "resources/list",
        ALL,
        Capability::Resources,
        |dispatcher, request| lists::list(dispatcher, request, Kind::Resource),
    ),
    Row::new(
        "resources/templates/list",
        ALL,
        Capability::Resources,
        |dispatcher, request| lists::list(dispatcher, request, Kind::ResourceTemplate),
    ),
    Row::new(
        "resources/read",
        ALL,
        Capability::Resources,
        |dispatcher, request| {
            call::read_resource(&dispatcher.core().service, request.scope, params(request))
        },
    ),
    // 2024-11-05 has the method and no capability for it.
    Row::new(
        "completion/complete",
        ALL,
        Capability::Completions,
        |dispatcher, request| {
            call::complete(&dispatcher.core().service, request.scope, params(request))
        },
    ),
];

fn params<'a>(request: &Routed<'a>) -> &'a str {
    request.request.params.map_or("{}", RawValue::get)
}
