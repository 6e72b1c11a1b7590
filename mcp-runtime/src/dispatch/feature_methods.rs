//! The methods of tools, prompts, resources and completions, which all revisions have.

use super::capabilities::Capability;
use super::route::{ALL, Route};
use super::{list_methods, modern};
use crate::call;
use crate::registry::DefinitionKind;

pub(super) const ROUTES: [Route; 8] = [
    Route::new("tools/list", ALL, Capability::Tools, |core, routed| {
        list_methods::list(core, routed, DefinitionKind::Tool)
    })
    .without_handlers(),
    Route::new(
        "tools/call",
        ALL,
        Capability::Tools,
        modern::tasks::call_tool,
    ),
    Route::new("prompts/list", ALL, Capability::Prompts, |core, routed| {
        list_methods::list(core, routed, DefinitionKind::Prompt)
    })
    .without_handlers(),
    Route::new("prompts/get", ALL, Capability::Prompts, |core, routed| {
        call::get_prompt(&core.server, routed.parts, routed.params())
    }),
    Route::new(
        "resources/list",
        ALL,
        Capability::Resources,
        |core, routed| list_methods::list(core, routed, DefinitionKind::Resource),
    ),
    Route::new(
        "resources/templates/list",
        ALL,
        Capability::Resources,
        |core, routed| list_methods::list(core, routed, DefinitionKind::ResourceTemplate),
    ),
    Route::new(
        "resources/read",
        ALL,
        Capability::Resources,
        |core, routed| call::read_resource(&core.server, routed.parts, routed.params()),
    ),
    // 2024-11-05 has the method but no capability for it.
    Route::new(
        "completion/complete",
        ALL,
        Capability::Completions,
        |core, routed| call::complete(&core.server, routed.parts, routed.params()),
    ),
];
