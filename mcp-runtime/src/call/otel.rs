//! Sets the OpenTelemetry attributes of a call's span (*Semantic conventions for Model Context
//! Protocol*, server spans).
//!
//! The program exports the spans with a `tracing-opentelemetry` layer. Without such a layer, these
//! functions have no effect. The `baggage` of a request is ignored, because it is untrusted text
//! that no function uses.

use std::borrow::Cow;

use opentelemetry::Context;
use opentelemetry::trace::{
    SpanContext, SpanId, Status, TraceContextExt as _, TraceFlags, TraceId, TraceState,
};
use serde::Deserialize;
use tracing::Span;
use tracing_opentelemetry::OpenTelemetrySpanExt as _;

use super::trace_parent::TraceParent;
use crate::context::{RequestParts, TransportKind};
use crate::jsonrpc::{ErrorObject, RequestId};
use crate::registry::Definition;
use crate::registry::{RegisteredPrompt, RegisteredTool};

/// Sets the attributes of a new call's span and its parent span in the client's trace.
pub(super) fn begin(span: &Span, parts: &RequestParts<'_>, method: &'static str, name: &str) {
    if span.is_disabled() {
        return;
    }
    span.record("otel.kind", "server");
    span.record("otel.name", method);
    span.set_attribute("mcp.method.name", method);
    span.set_attribute("mcp.protocol.version", parts.revision.as_str());
    span.set_attribute("jsonrpc.request.id", id_text(parts.id));
    match parts.transport {
        TransportKind::Stdio => span.set_attribute("network.transport", "pipe"),
        TransportKind::Http => {
            span.set_attribute("network.transport", "tcp");
            span.set_attribute("network.protocol.name", "http");
        }
        TransportKind::Memory | TransportKind::Cli => {}
    }
    if method == RegisteredTool::METHOD {
        span.set_attribute("gen_ai.operation.name", "execute_tool");
        span.set_attribute("gen_ai.tool.name", name.to_owned());
    } else if method == RegisteredPrompt::METHOD {
        span.set_attribute("gen_ai.prompt.name", name.to_owned());
    } else {
        span.set_attribute("mcp.resource.uri", name.to_owned());
    }
    if let Some(parent) = remote_parent(parts.meta) {
        set_parent(span, parent);
    }
}

/// Names the span after the definition of the call. The name must not come from the client, because
/// the number of span names would be unbounded.
pub(super) fn set_span_name<T: Definition>(span: &Span, definition: &T) {
    match T::METHOD {
        RegisteredTool::METHOD | RegisteredPrompt::METHOD if !span.is_disabled() => {
            let name = format!("{} {}", T::METHOD, definition.name());
            // The `otel.name` field has no effect after the span has begun.
            span.context().span().update_name(name);
        }
        // The number of URIs is unbounded, and a disabled span is not exported.
        _ => {}
    }
}

/// Sets the attributes and the status of a call that ends with a JSON-RPC error.
pub(super) fn record_error(span: &Span, error: &ErrorObject) {
    if span.is_disabled() {
        return;
    }
    let code = error.code.0.to_string();
    span.set_attribute("error.type", code.clone());
    span.set_attribute("rpc.response.status_code", code);
    span.set_status(Status::error(error.message.clone()));
}

/// Sets the attributes and the status of a call whose result has `isError`.
pub(super) fn record_tool_error(span: &Span) {
    span.set_attribute("error.type", "tool_error");
    span.set_status(Status::error(""));
}

/// Sets the client's span as the parent, and links the enclosing span, such as the span of an HTTP
/// request.
fn set_parent(span: &Span, parent: SpanContext) {
    let enclosing = Span::current().context();
    span.add_link(enclosing.span().span_context().clone());
    // `set_parent` fails only for a span that has begun, and this span has not been entered yet.
    let _ = span.set_parent(Context::new().with_remote_span_context(parent));
}

fn id_text(id: &RequestId) -> String {
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

fn remote_parent(meta: Option<&str>) -> Option<SpanContext> {
    let parent = TraceParent::from_meta(meta)?;
    let Meta { tracestate } = serde_json::from_str(meta?).unwrap_or_default();
    Some(SpanContext::new(
        TraceId::from_hex(parent.trace_id).ok()?,
        SpanId::from_hex(parent.parent_id).ok()?,
        TraceFlags::new(parent.flags),
        true,
        // A malformed `tracestate` is ignored, and the parent is still used (W3C Trace Context).
        tracestate.parse().unwrap_or(TraceState::NONE),
    ))
}
