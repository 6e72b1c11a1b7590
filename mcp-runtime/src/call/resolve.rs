use serde_json::json;

use super::{Service, sees};
use crate::context::RequestScope;
use crate::jsonrpc::ErrorObject;
use crate::registry::RegisteredTool;
use crate::text::{nearest_names, shortened};

/// Finds the tool, or says which names are near (−32602, specification, *Tools*, *Error handling*).
pub(super) fn resolve<'a>(
    service: &'a Service,
    scope: &RequestScope<'_>,
    name: &str,
) -> Result<&'a RegisteredTool, ErrorObject> {
    tracing::trace!("resolve");
    let tool = service.registry.tool(name);
    tool.ok_or_else(|| unknown(service, scope, name))
}

/// Names only what the caller may see.
pub(super) fn unknown(service: &Service, scope: &RequestScope<'_>, name: &str) -> ErrorObject {
    let tools = service.registry.tools();
    let names = tools
        .filter(|tool| sees(service, tool, scope))
        .map(|tool| tool.name());
    let near = nearest_names(name, names, 3);
    let name = shortened(name, 80);
    let hint = match near.as_slice() {
        [] => String::new(),
        names => format!("; did you mean `{}`?", names.join("` or `")),
    };
    let error = ErrorObject::invalid_params(format!("unknown tool `{name}`{hint}"));
    error.with_data(json!({ "nearest": near }))
}
