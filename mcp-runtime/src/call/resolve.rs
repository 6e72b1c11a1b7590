use serde_json::json;

use crate::jsonrpc::ErrorObject;
use crate::registry::{RegisteredTool, Registry};
use crate::text::{nearest_names, shortened};

/// Finds the tool, or says which names are near (−32602, specification, *Tools*, *Error handling*).
pub(super) fn resolve<'a>(
    registry: &'a Registry,
    name: &str,
) -> Result<&'a RegisteredTool, ErrorObject> {
    tracing::trace!("resolve");
    registry.tool(name).ok_or_else(|| unknown(registry, name))
}

fn unknown(registry: &Registry, name: &str) -> ErrorObject {
    let names = registry.tools().map(|tool| tool.name());
    let near = nearest_names(name, names, 3);
    let name = shortened(name, 80);
    let hint = match near.as_slice() {
        [] => String::new(),
        names => format!("; did you mean `{}`?", names.join("` or `")),
    };
    let error = ErrorObject::invalid_params(format!("unknown tool `{name}`{hint}"));
    error.with_data(json!({ "nearest": near }))
}
