use std::sync::Arc;

use serde_json::{Map, json};
use tokio::sync::OwnedSemaphorePermit;

use super::admit::admit;
use super::authorize::{Denial, authorize};
use super::record::CallRecord;
use super::{Execution, Reply, ServerContext, invalid, resolve};
use crate::argument::{CompletionRequest, CompletionSource};
use crate::audit::AuditOutcome;
use crate::codec::Payload;
use crate::context::RequestParts;
use crate::jsonrpc::ErrorObject;
use crate::protocol::{CompleteRequestParams, CompletionReference};
use crate::registry::{Definition, DefinitionMeta};

const METHOD: &str = "completion/complete";

/// Runs a `completion/complete` request.
///
/// The caller needs the same authorization as for the prompt or resource itself, because the values
/// could disclose the arguments of a hidden prompt.
pub(crate) fn complete(
    server: &ServerContext,
    parts: &RequestParts<'_>,
    params: &str,
) -> Execution<Reply> {
    let Ok(request) = serde_json::from_str::<CompleteRequestParams<'_>>(params) else {
        return invalid(
            "`completion/complete` needs `ref`, a `ref/prompt` with `name` or a `ref/resource` \
             with `uri`, and `argument`, an object of the strings `name` and `value`",
        );
    };
    let name = match &request.reference {
        CompletionReference::Prompt { name } => name,
        CompletionReference::Resource { uri } => uri,
    };
    let record = CallRecord::open(server, parts, METHOD, name);
    let (source, permit) = match permitted(server, parts, &request) {
        Ok(permitted) => permitted,
        Err(denial) => return Execution::Ready(record.denied(denial)),
    };
    let completion_request = CompletionRequest {
        value: request.argument.value.into_owned(),
        arguments: request.context.arguments,
        state: Arc::clone(&server.state),
        context: Arc::clone(parts.context()),
    };
    // A completion function may block its thread, as a handler may.
    Execution::Blocking(Box::new(move || {
        let _permit = permit;
        record.finished_request(run_completion(&source, &completion_request))
    }))
}

type Permit = Option<OwnedSemaphorePermit>;

/// Authorizes and admits the request, and returns the completion source of the argument.
fn permitted(
    server: &ServerContext,
    parts: &RequestParts<'_>,
    request: &CompleteRequestParams<'_>,
) -> Result<(CompletionSource, Permit), Denial> {
    let snapshot = server.registry.snapshot();
    match &request.reference {
        CompletionReference::Prompt { name } => {
            let prompt = resolve::prompt(server, parts, &snapshot, name);
            let prompt = prompt.map_err(Denial::unknown)?;
            let not_found = || resolve::unknown_prompt(server, parts, &snapshot, name);
            authorize(server, prompt.meta(), parts, name, not_found)?;
            completion_source(server, prompt.meta(), parts, request)
        }
        // `uri` is a resource template, or a URI that matches a resource template.
        CompletionReference::Resource { uri } => {
            let template = snapshot.templates.get(uri).map(Arc::clone);
            let resource = template.or_else(|| Some(snapshot.resource(uri)?.resource));
            let resource = resource.ok_or_else(|| Denial::unknown(unknown_template(uri)))?;
            authorize(server, resource.meta(), parts, uri, || {
                unknown_template(uri)
            })?;
            completion_source(server, resource.meta(), parts, request)
        }
    }
}

fn unknown_template(uri: &str) -> ErrorObject {
    let uri = crate::text::truncate(uri, 200);
    ErrorObject::invalid_params(format!(
        "there is no resource template `{uri}`; `resources/templates/list` lists them"
    ))
}

/// Admits the request, and returns the completion source of the argument.
fn completion_source(
    server: &ServerContext,
    definition: &DefinitionMeta,
    parts: &RequestParts<'_>,
    request: &CompleteRequestParams<'_>,
) -> Result<(CompletionSource, Permit), Denial> {
    let permit = admit(server, &definition.name, parts, METHOD)?;
    let name = &request.argument.name;
    let source = definition.arguments.completion_source(name);
    let source = source.ok_or_else(|| {
        let (owner, name) = (&definition.name, crate::text::truncate(name, 80));
        let message = format!("`{owner}` has no argument `{name}`");
        Denial {
            outcome: AuditOutcome::Invalid,
            error: ErrorObject::invalid_params(message),
            detail: String::new(),
        }
    })?;
    Ok((source, permit))
}

fn run_completion(
    source: &CompletionSource,
    request: &CompletionRequest,
) -> Result<Payload, Denial> {
    let complete = std::panic::AssertUnwindSafe(|| source.complete(request));
    match std::panic::catch_unwind(complete) {
        Ok(completion) => Ok(Payload::Object(Map::from_iter([(
            "completion".to_owned(),
            json!(completion),
        )]))),
        Err(_) => Err(Denial {
            outcome: AuditOutcome::Panic,
            error: ErrorObject::internal(),
            detail: "a completion function panicked".to_owned(),
        }),
    }
}
