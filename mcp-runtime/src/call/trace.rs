use tracing::Span;

use super::trace_parent::TraceParent;
use crate::context::RequestParts;

/// Creates the span that all stages of a call run in. The span records its parent in the client's
/// trace, if the request names a parent.
pub(super) fn span(parts: &RequestParts<'_>, method: &'static str, name: &str) -> Span {
    let span = tracing::info_span!(
        target: "mcp_runtime::call",
        "call",
        method,
        name,
        request_id = %parts.id,
        revision = parts.revision.as_str(),
        channel = parts.transport.as_str(),
        principal = parts.principal_id(),
        trace_id = tracing::field::Empty,
        parent_id = tracing::field::Empty,
        otel.kind = tracing::field::Empty,
        otel.name = tracing::field::Empty,
    );
    // Most servers have no tracing subscriber, so avoid all further work for a disabled span.
    if span.is_disabled() {
        return span;
    }
    if let Some(parent) = TraceParent::from_meta(parts.meta) {
        span.record("trace_id", parent.trace_id);
        span.record("parent_id", parent.parent_id);
    }
    #[cfg(feature = "otel")]
    super::otel::begin(&span, parts, method, name);
    span
}
