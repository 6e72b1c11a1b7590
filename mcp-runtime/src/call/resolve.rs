use std::sync::Arc;

use serde_json::json;

use super::{Service, sees};
use crate::codec;
use crate::context::RequestScope;
use crate::jsonrpc::ErrorObject;
use crate::protocol::Revision;
use crate::registry::{Defined, Found, RegisteredPrompt, RegisteredTool, Shelf, Snapshot};
use crate::text::{nearest_names, shortened};

/// Finds the tool, or says which names are near (−32602, specification, *Tools*, *Error handling*).
pub(super) fn tool(
    service: &Service,
    scope: &RequestScope<'_>,
    snapshot: &Snapshot,
    name: &str,
) -> Result<Arc<RegisteredTool>, ErrorObject> {
    tracing::trace!("resolve");
    let found = snapshot.tools.get(name).map(Arc::clone);
    found.ok_or_else(|| unknown(service, scope, &snapshot.tools, "tool", name))
}

/// Finds the prompt, or says which names are near (−32602, specification, *Prompts*, *Error handling*).
pub(super) fn prompt(
    service: &Service,
    scope: &RequestScope<'_>,
    snapshot: &Snapshot,
    name: &str,
) -> Result<Arc<RegisteredPrompt>, ErrorObject> {
    tracing::trace!("resolve");
    let found = snapshot.prompts.get(name).map(Arc::clone);
    found.ok_or_else(|| unknown(service, scope, &snapshot.prompts, "prompt", name))
}

/// Finds what a URI names.
pub(super) fn resource(
    snapshot: &Snapshot,
    uri: &str,
    revision: Revision,
) -> Result<Found, ErrorObject> {
    tracing::trace!("resolve");
    let found = snapshot.resource(uri);
    found.ok_or_else(|| codec::resource_not_found(revision, uri))
}

/// Names only what the caller may see.
pub(super) fn unknown<T: Defined>(
    service: &Service,
    scope: &RequestScope<'_>,
    shelf: &Shelf<T>,
    word: &str,
    name: &str,
) -> ErrorObject {
    let seen = shelf
        .iter()
        .filter(|definition| sees(service, &***definition, scope));
    let names = seen.map(|definition| &*definition.common().name);
    let near = nearest_names(name, names, 3);
    let name = shortened(name, 80);
    let hint = match near.as_slice() {
        [] => String::new(),
        names => format!("; did you mean `{}`?", names.join("` or `")),
    };
    let error = ErrorObject::invalid_params(format!("unknown {word} `{name}`{hint}"));
    error.with_data(json!({ "nearest": near }))
}
