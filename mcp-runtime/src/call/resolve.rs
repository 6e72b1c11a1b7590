use serde_json::json;

use crate::error::shorten;
use crate::jsonrpc::ErrorObject;
use crate::nearest::nearest;
use crate::registry::{RegisteredTool, Registry};

/// Finds the tool, or says which names are near (−32602, specification, *Tools*, *Error handling*).
pub(super) fn resolve<'a>(
    registry: &'a Registry,
    name: &str,
) -> Result<&'a RegisteredTool, ErrorObject> {
    tracing::trace!("resolve");
    registry.tool(name).ok_or_else(|| unknown(registry, name))
}

fn unknown(registry: &Registry, name: &str) -> ErrorObject {
    let names = registry.tools().map(|tool| tool.descriptor().name);
    let near = nearest(name, names);
    let name = shorten(name, 80);
    let hint = match near.as_slice() {
        [] => String::new(),
        names => format!("; did you mean `{}`?", names.join("` or `")),
    };
    let error = ErrorObject::invalid_params(format!("unknown tool `{name}`{hint}"));
    error.with_data(json!({ "nearest": near }))
}
