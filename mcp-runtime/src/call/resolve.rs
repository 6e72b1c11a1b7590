use std::sync::Arc;

use serde_json::json;

use super::{ServerContext, is_visible};
use crate::codec;
use crate::context::RequestParts;
use crate::jsonrpc::ErrorObject;
use crate::protocol::Revision;
use crate::registry::{
    Definition, DefinitionMap, RegisteredPrompt, RegisteredTool, ResourceMatch, Snapshot,
};
use crate::text::{nearest_names, truncate};

/// Finds the tool with this name.
///
/// # Errors
/// Returns error −32602 with similar names if there is no such tool (specification, *Tools*, *Error
/// handling*).
pub(super) fn tool(
    server: &ServerContext,
    parts: &RequestParts<'_>,
    snapshot: &Snapshot,
    name: &str,
) -> Result<Arc<RegisteredTool>, ErrorObject> {
    tracing::trace!("resolve");
    let found = snapshot.tools.get(name).map(Arc::clone);
    found.ok_or_else(|| unknown_tool(server, parts, snapshot, name))
}

/// Finds the prompt with this name.
///
/// # Errors
/// Returns error −32602 with similar names if there is no such prompt (specification, *Prompts*,
/// *Error handling*).
pub(super) fn prompt(
    server: &ServerContext,
    parts: &RequestParts<'_>,
    snapshot: &Snapshot,
    name: &str,
) -> Result<Arc<RegisteredPrompt>, ErrorObject> {
    tracing::trace!("resolve");
    let found = snapshot.prompts.get(name).map(Arc::clone);
    found.ok_or_else(|| unknown_prompt(server, parts, snapshot, name))
}

/// Finds the resource with this URI, or the resource template that matches the URI.
pub(super) fn resource(
    snapshot: &Snapshot,
    uri: &str,
    revision: Revision,
) -> Result<ResourceMatch, ErrorObject> {
    tracing::trace!("resolve");
    let found = snapshot.resource(uri);
    found.ok_or_else(|| codec::resource_not_found(revision, uri))
}

pub(super) fn unknown_tool(
    server: &ServerContext,
    parts: &RequestParts<'_>,
    snapshot: &Snapshot,
    name: &str,
) -> ErrorObject {
    unknown(server, parts, &snapshot.tools, name)
}

pub(super) fn unknown_prompt(
    server: &ServerContext,
    parts: &RequestParts<'_>,
    snapshot: &Snapshot,
    name: &str,
) -> ErrorObject {
    unknown(server, parts, &snapshot.prompts, name)
}

/// Creates the error for an unknown name, which suggests similar names that the caller may use.
fn unknown<T: Definition>(
    server: &ServerContext,
    parts: &RequestParts<'_>,
    definitions: &DefinitionMap<T>,
    name: &str,
) -> ErrorObject {
    let visible = definitions
        .iter()
        .filter(|definition| is_visible(server, definition.meta(), parts));
    let names = visible.map(|definition| &*definition.meta().name);
    let near = nearest_names(name, names, 3);
    let name = truncate(name, 80);
    let hint = match near.as_slice() {
        [] => String::new(),
        names => format!("; did you mean `{}`?", names.join("` or `")),
    };
    let error = ErrorObject::invalid_params(format!("unknown {} `{name}`{hint}", T::WORD));
    error.with_data(json!({ "nearest": near }))
}
