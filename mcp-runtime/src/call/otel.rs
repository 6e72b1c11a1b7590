//! The span of a call as OpenTelemetry wants it (*Semantic conventions for
//! Model Context Protocol*, spans of a server).
//!
//! Nothing is exported here: that does whatever layer of `tracing-opentelemetry`
//! the program has installed; without one all of this does nothing. `baggage`
//! is left unread: it is a stranger's text that nothing here needs.

use std::borrow::Cow;

use opentelemetry::Context;
use opentelemetry::trace::{
    SpanContext, SpanId, Status, TraceContextExt as _, TraceFlags, TraceId, TraceState,
};
use serde::Deserialize;
use tracing::Span;
use tracing_opentelemetry::OpenTelemetrySpanExt as _;

use super::target::Target;
use super::trace::TraceParent;
use crate::context::{Channel, RequestScope};
use crate::jsonrpc::{ErrorObject, RequestId};
use crate::registry::{RegisteredPrompt, RegisteredTool};

/// Describes a call that begins, as a part of its client's trace.
pub(super) fn begin(span: &Span, scope: &RequestScope<'_>, method: &'static str, name: &str) {
    if span.is_disabled() {
        return;
    }
    span.record("otel.kind", "server");
    span.record("otel.name", method);
    span.set_attribute("mcp.method.name", method);
    span.set_attribute("mcp.protocol.version", scope.revision.as_str());
    span.set_attribute("jsonrpc.request.id", text(scope.id));
    match scope.channel {
        Channel::Stdio => span.set_attribute("network.transport", "pipe"),
        Channel::Http => {
            span.set_attribute("network.transport", "tcp");
            span.set_attribute("network.protocol.name", "http");
        }
        Channel::Memory | Channel::Cli => {}
    }
    if method == RegisteredTool::METHOD {
        span.set_attribute("gen_ai.operation.name", "execute_tool");
        span.set_attribute("gen_ai.tool.name", name.to_owned());
    } else if method == RegisteredPrompt::METHOD {
        span.set_attribute("gen_ai.prompt.name", name.to_owned());
    } else {
        span.set_attribute("mcp.resource.uri", name.to_owned());
    }
    if let Some(remote) = remote(scope.meta) {
        continue_trace(span, remote);
    }
}

/// Gives the span its name, once what is called is known to exist: a name that
/// a client makes up would be of any number.
pub(super) fn resolved<T: Target>(span: &Span, target: &T) {
    match T::METHOD {
        RegisteredTool::METHOD | RegisteredPrompt::METHOD if !span.is_disabled() => {
            let name = format!("{} {}", T::METHOD, target.name());
            // The span has begun, so that only its own name can still change.
            span.context().span().update_name(name);
        }
        // A URI is one of many; and nobody looks at a span that is disabled.
        _ => {}
    }
}

/// Notes that the call was answered with an error.
pub(super) fn error(span: &Span, error: &ErrorObject) {
    if span.is_disabled() {
        return;
    }
    let code = error.code.0.to_string();
    span.set_attribute("error.type", code.clone());
    span.set_attribute("rpc.response.status_code", code);
    span.set_status(Status::error(error.message.clone()));
}

/// Notes that the result itself says that the call failed.
pub(super) fn tool_error(span: &Span) {
    span.set_attribute("error.type", "tool_error");
    span.set_status(Status::error(""));
}

/// The client's span is the parent; one around this, as of an HTTP request, is linked.
fn continue_trace(span: &Span, remote: SpanContext) {
    let around = Span::current().context();
    span.add_link(around.span().span_context().clone());
    // It fails only for a span that has begun, and this one has not been entered.
    let _ = span.set_parent(Context::new().with_remote_span_context(remote));
}

fn text(id: &RequestId) -> String {
    match id {
        RequestId::Number(number) => number.to_string(),
        RequestId::String(text) => text.to_string(),
    }
}

#[derive(Default, Deserialize)]
struct Meta<'a> {
    #[serde(borrow)]
    tracestate: Cow<'a, str>,
}

fn remote(meta: Option<&str>) -> Option<SpanContext> {
    let parent = TraceParent::of(meta)?;
    let Meta { tracestate } = serde_json::from_str(meta?).unwrap_or_default();
    Some(SpanContext::new(
        TraceId::from_hex(parent.trace_id).ok()?,
        SpanId::from_hex(parent.parent_id).ok()?,
        TraceFlags::new(parent.flags),
        true,
        // A state that is malformed is dropped, and the parent stays (W3C Trace Context).
        tracestate.parse().unwrap_or(TraceState::NONE),
    ))
}
