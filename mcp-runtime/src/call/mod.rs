//! The pipeline from a request to its result: `resolve → authorize → admit → validate →
//! approve → execute → audit`.
//!
//! Tool calls, prompt requests and resource reads pass through this pipeline, from every entry
//! point: a transport, a test, or the command line. Each stage can end the call with its own reply.
//! The tool, prompt or resource of the request is a [`Definition`].

mod admit;
mod approve;
mod audit_record_builder;
mod authorize;
mod call_limits;
mod catch_panic;
mod complete;
mod confirmation;
mod correlation;
mod custom_method;
mod dry_run;
mod execute;
mod execution;
mod explain;
mod handler_settings;
mod middleware;
mod normalize_arguments;
#[cfg(feature = "otel")]
mod otel;
mod outcome;
mod read;
mod record;
mod require_task_support;
mod resolve;
mod round_trip;
mod run_handler;
mod server_context;
mod trace;
mod trace_parent;
mod validate;

use std::borrow::Cow;
use std::sync::Arc;

use authorize::Denial;
pub(crate) use authorize::is_visible;
use call_limits::CallLimits;
pub(crate) use catch_panic::catch_panic_async;
use catch_panic::{catch_panic, redact_panics};
pub(crate) use complete::complete;
pub(crate) use correlation::correlation_id;
pub(crate) use custom_method::CustomMethodCall;
use execute::CallFinalizer;
pub(crate) use execution::Execution;
pub(crate) use explain::explain;
pub use explain::{Stage, StageEffect};
pub(crate) use handler_settings::HandlerSettings;
pub use middleware::{Middleware, Next, ToolCall};
pub(crate) use read::{permit_reading, read_resource};
use record::CallRecord;
pub(crate) use require_task_support::{missing_task_support, supports_tasks};
use round_trip::{CallIdentity, RoundTrip};
pub(crate) use server_context::ServerContext;
use tokio::sync::OwnedSemaphorePermit;

use crate::argument::Adjustment;
use crate::context::RequestParts;
use crate::handler::{Inputs, PreparedCall};
use crate::jsonrpc::ErrorObject;
use crate::protocol::{CallToolRequestParams, GetPromptRequestParams};
pub(crate) use crate::registry::Reply;
use crate::registry::{Definition, HandlerResult, RegisteredPrompt, RegisteredTool, Snapshot};

/// A `tools/call` request, parsed once for all that need it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ToolCallRequest<'a> {
    params: &'a str,
    pub(crate) name: &'a str,
    arguments: Option<&'a str>,
    /// The nesting depth of the arguments.
    depth: usize,
}

/// Parses the parameters of `tools/call` and passes them to `run`.
pub(crate) fn with_tool_call(
    params: &str,
    run: impl FnOnce(ToolCallRequest<'_>) -> Execution<Reply>,
) -> Execution<Reply> {
    let Some((request, depth)) = CallToolRequestParams::parse_with_depth(params) else {
        return invalid("`tools/call` needs `name`, a string, and takes `arguments`, an object");
    };
    run(ToolCallRequest {
        params,
        name: &request.name,
        arguments: request.arguments,
        depth,
    })
}

/// Runs a `tools/call` request through all stages of the pipeline.
///
/// Returns a protocol error only for a malformed request. An error that the model can correct is
/// returned as a result.
pub(crate) fn call_tool(
    server: &ServerContext,
    parts: &RequestParts<'_>,
    request: ToolCallRequest<'_>,
) -> Execution<Reply> {
    let identity = CallIdentity {
        method: RegisteredTool::METHOD,
        name: request.name,
        arguments: request.arguments,
    };
    run(server, parts, identity, request.params, |snapshot| {
        let definition = resolve::tool(server, parts, snapshot, request.name)?;
        Ok(ResolvedCall {
            definition,
            arguments: identity.arguments.map(Cow::Borrowed),
            depth: request.depth,
            request: (),
            not_found: resolve::unknown_tool,
            apply_middleware: middleware::apply_middleware,
        })
    })
}

/// Runs a `prompts/get` request through all stages of the pipeline.
pub(crate) fn get_prompt(
    server: &ServerContext,
    parts: &RequestParts<'_>,
    params: &str,
) -> Execution<Reply> {
    let Ok(request) = serde_json::from_str::<GetPromptRequestParams<'_>>(params) else {
        return invalid(
            "`prompts/get` needs `name`, a string, and takes `arguments`, an object of strings",
        );
    };
    let arguments = request.arguments.map(|arguments| json_object(&arguments));
    let identity = CallIdentity {
        method: RegisteredPrompt::METHOD,
        name: &request.name,
        arguments: arguments.as_deref(),
    };
    run(server, parts, identity, params, |snapshot| {
        let definition = resolve::prompt(server, parts, snapshot, &request.name)?;
        Ok(ResolvedCall {
            definition,
            arguments: identity.arguments.map(Cow::Borrowed),
            depth: 1,
            request: (),
            not_found: resolve::unknown_prompt,
            apply_middleware: |_, _, prepared| prepared,
        })
    })
}

/// The definition that a request names, and the arguments of the request.
struct ResolvedCall<'a, T: Definition> {
    definition: Arc<T>,
    arguments: Option<Cow<'a, str>>,
    /// The nesting depth of the arguments.
    depth: usize,
    request: T::Request,
    /// Creates the error for a caller who must not see the definition.
    not_found: fn(&ServerContext, &RequestParts<'_>, &Snapshot, &str) -> ErrorObject,
    apply_middleware: ApplyMiddleware<T>,
}

/// Wraps the handler in the middleware of the server, for a definition that supports middleware.
type ApplyMiddleware<T> = fn(
    &[Arc<dyn Middleware>],
    &dyn Fn() -> ToolCall,
    PreparedCall<HandlerResult<T>>,
) -> PreparedCall<HandlerResult<T>>;

/// Runs all stages of the pipeline for one request.
fn run<'a, T: Definition>(
    server: &ServerContext,
    parts: &RequestParts<'_>,
    identity: CallIdentity<'_>,
    params: &str,
    resolve: impl FnOnce(&Snapshot) -> Result<ResolvedCall<'a, T>, ErrorObject>,
) -> Execution<Reply> {
    let mut record = CallRecord::open(server, parts, T::METHOD, identity.name);
    let span = record.span().clone();
    let _entered = span.enter();
    let snapshot = server.registry.snapshot();
    let resolved = match resolve(&snapshot) {
        Ok(resolved) => resolved,
        Err(error) => {
            record.record_arguments(identity.arguments, None);
            let denial = admit::admit_unknown(server, parts, T::METHOD).err();
            let denial = denial.unwrap_or_else(|| Denial::unknown(error));
            return Execution::Ready(record.denied(denial));
        }
    };
    record.record_arguments(identity.arguments, Some(resolved.definition.meta()));
    record.record_definition(&*resolved.definition);
    let not_found = || (resolved.not_found)(server, parts, &snapshot, identity.name);
    let permitted = authorize::authorize(
        server,
        resolved.definition.meta(),
        parts,
        identity.name,
        not_found,
    )
    .and_then(|()| admit::admit(server, resolved.definition.name(), parts, T::METHOD))
    .and_then(|permit| {
        require_task_support::require_task_support(resolved.definition.meta(), parts)?;
        Ok(permit)
    });
    match permitted {
        Ok(permit) => run_permitted(server, parts, identity, params, resolved, permit, record),
        Err(denial) => Execution::Ready(record.denied(denial)),
    }
}

/// Runs the stages of the pipeline that follow authorization and admission.
fn run_permitted<T: Definition>(
    server: &ServerContext,
    parts: &RequestParts<'_>,
    identity: CallIdentity<'_>,
    params: &str,
    resolved: ResolvedCall<'_, T>,
    permit: Option<OwnedSemaphorePermit>,
    mut record: CallRecord,
) -> Execution<Reply> {
    if let Err(error) = round_trip::resume(server, parts, identity, params) {
        return Execution::Ready(Err(record.rejected(error)));
    }
    let (prepared, adjustments) = match prepare(server, parts, &resolved, params, &mut record) {
        Ok(prepared) => prepared,
        Err(reply) => return Execution::Ready(reply),
    };
    let (definition, arguments) = (resolved.definition, resolved.arguments.as_deref());
    let meta = definition.meta();
    let call_arguments = confirmation::CallArguments {
        arguments,
        adjustments: &adjustments,
    };
    let consent = approve::approve(server, meta, parts, call_arguments, || {
        record.consent_outcome()
    });
    if dry_run::is_dry_run(parts) {
        return Execution::Ready(dry_run::reply(record, &*definition, consent.as_ref()));
    }
    if consent.is_some()
        && let Err(error) = round_trip::consume_nonce(server, parts)
    {
        return Execution::Ready(Err(record.rejected(error)));
    }
    let prepared = round_trip::forbid_in_blocking(parts, hold_work_guard(parts, prepared));
    let call = || ToolCall::new(definition.name(), arguments, parts);
    let limits = CallLimits::new(server, meta, parts, permit, || record.outcome());
    let secrets = record.secrets();
    let prepared = redact_panics(secrets, prepared);
    let layered = (resolved.apply_middleware)(&server.middleware, &call, prepared);
    let layered = redact_panics(secrets, layered);
    let limited = match consent {
        // Acquire the permit of the tool only after the user has consented.
        Some(consent) => consent.require_before(PreparedCall::future(limits.run(layered))),
        None => limits.apply(layered),
    };
    let hints = server.cache_hints(meta);
    let reply_context = definition.reply_context(resolved.request, hints, parts.revision);
    let mut completion = CallFinalizer::<T>::new(&definition, reply_context, parts, server, record);
    if matches!(limited, PreparedCall::Blocking(_)) {
        completion = completion.unstoppable(parts.cancellation());
    }
    let completion = completion.with_adjustments(adjustments);
    execute::execute(
        limited,
        completion.with_round_trip(RoundTrip::new(server, parts, identity)),
    )
}

/// Validates the arguments and prepares the handler.
///
/// # Errors
/// Returns the error reply if the arguments are invalid or reading them panics.
fn prepare<T: Definition>(
    server: &ServerContext,
    parts: &RequestParts<'_>,
    resolved: &ResolvedCall<'_, T>,
    params: &str,
    record: &mut CallRecord,
) -> Result<(PreparedCall<HandlerResult<T>>, Vec<Adjustment>), Reply> {
    let (definition, arguments) = (&*resolved.definition, resolved.arguments.as_deref());
    let (set, state) = (&definition.meta().arguments, &server.state);
    let mut inputs = Inputs::new(set, arguments, params, state, parts);
    let read = || validate::validate(server, definition, &mut inputs, arguments, resolved.depth);
    let prepared = match catch_panic(record.secrets(), read) {
        Ok(Ok(prepared)) => prepared,
        Ok(Err(rejection)) => return Err(record.invalid_arguments::<T>(&rejection)),
        Err(panic) => return Err(record.panicked::<T>(&*panic)),
    };
    record.record_coercions(inputs.coercions());
    Ok((prepared, inputs.take_adjustments()))
}

/// Makes the handler hold the guard that counts it as running work of its client, if the request
/// has such a guard.
fn hold_work_guard<V: 'static>(
    parts: &RequestParts<'_>,
    prepared: PreparedCall<V>,
) -> PreparedCall<V> {
    match parts.work_guard.get() {
        Some(guard) => prepared.holding(Arc::clone(guard)),
        None => prepared,
    }
}

fn invalid(message: &'static str) -> Execution<Reply> {
    Execution::Ready(Err(ErrorObject::invalid_params(message)))
}

/// Writes pairs of an argument name and its value as a JSON object.
fn json_object<'a>(pairs: impl IntoIterator<Item = (&'a String, &'a String)>) -> String {
    let members = pairs
        .into_iter()
        .map(|(name, value)| (name.clone(), value.clone().into()));
    serde_json::Value::Object(members.collect()).to_string()
}
