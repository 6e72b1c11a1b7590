//! The methods of tools, prompts, resources and completions, which all protocol revisions define.

use super::builtin_method::{ALL, BuiltinMethod};
use super::capabilities::Capability;
use super::{list_methods, modern};
use crate::call;
use crate::registry::DefinitionKind;

pub(super) const ROUTES: [BuiltinMethod; 8] = [
    BuiltinMethod::new("tools/list", ALL, Capability::Tools, |core, routed| {
        list_methods::list(core, routed, DefinitionKind::Tool)
    })
    .without_handlers(),
    BuiltinMethod::new("tools/call", ALL, Capability::Tools, |core, routed| {
        call::with_tool_call(routed.params(), |request| {
            match routed.parts.revision.is_modern() {
                true => modern::tasks::call_tool(core, routed, request),
                false => call::call_tool(&core.server, routed.parts, request),
            }
        })
    }),
    // Some hosts always request these lists and treat an error as fatal. A server without the
    // capability therefore returns an empty list.
    BuiltinMethod::unconditional("prompts/list", ALL, |core, routed| {
        list_methods::list(core, routed, DefinitionKind::Prompt)
    })
    .without_handlers(),
    BuiltinMethod::new("prompts/get", ALL, Capability::Prompts, |core, routed| {
        call::get_prompt(&core.server, routed.parts, routed.params())
    }),
    BuiltinMethod::unconditional("resources/list", ALL, |core, routed| {
        list_methods::list(core, routed, DefinitionKind::Resource)
    }),
    BuiltinMethod::unconditional("resources/templates/list", ALL, |core, routed| {
        list_methods::list(core, routed, DefinitionKind::ResourceTemplate)
    }),
    BuiltinMethod::new(
        "resources/read",
        ALL,
        Capability::Resources,
        |core, routed| call::read_resource(&core.server, routed.parts, routed.params()),
    ),
    // Protocol version 2024-11-05 defines the method, but no capability for it.
    BuiltinMethod::new(
        "completion/complete",
        ALL,
        Capability::Completions,
        |core, routed| call::complete(&core.server, routed.parts, routed.params()),
    ),
];
