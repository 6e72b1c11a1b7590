use mcp_runtime::dispatch::TransportKind;
use mcp_runtime::prelude::*;
use serde_json::{Value, json};
use support::wire::Revision;

use crate::traced_server::{PARENT, TRACE, TracedServer, check, failure, hex, parent};

/// Adds two numbers in a span.
#[tool(inline)]
fn add(a: i64, #[arg(default = 1)] b: i64, #[arg(secret)] word: Option<String>) -> i64 {
    let _inner =
        tracing::info_span!("inner", word.length = word.map_or(0, |it| it.len())).entered();
    a + b
}

/// Always fails.
#[tool]
async fn fail() -> Result<(), String> {
    Err("no".to_owned())
}

/// Always panics.
#[tool]
fn panics() {
    panic!("a cause that is for the operator");
}

/// Greets.
#[prompt]
async fn greet(name: String) -> String {
    format!("Greet {name}.")
}

/// A note.
#[resource("notes://{id}")]
fn note(id: u8) -> Option<String> {
    (id < 3).then(|| id.to_string())
}

#[test]
fn call_span_joins_the_client_trace_and_parents_handler_spans() {
    for revision in Revision::ALL {
        let mut server = TracedServer::new(revision, TransportKind::Memory);
        let params = json!({ "name": "add", "arguments": { "a": 1 } });
        let spans = server.spans("tools/call", params, parent(), 2);
        let [inner, call] = &spans[..] else {
            panic!("{spans:?}")
        };
        assert_eq!(hex(&call.trace_id), TRACE);
        assert_eq!(hex(&call.parent_span_id), PARENT);
        assert_eq!(call.trace_state, "vendor=1");
        assert_eq!(inner.name, "inner");
        assert_eq!(inner.trace_id, call.trace_id);
        assert_eq!(inner.parent_span_id, call.span_id);
        let expected = [
            ("mcp.method.name", "tools/call"),
            ("mcp.protocol.version", revision.as_str()),
            ("jsonrpc.request.id", "r1"),
            ("gen_ai.operation.name", "execute_tool"),
            ("gen_ai.tool.name", "add"),
        ];
        let absent = [
            "error.type",
            "rpc.response.status_code",
            "network.transport",
        ];
        check(call, "tools/call add", &expected, &absent);
        assert_eq!(failure(call), None);
    }
}

#[test]
fn invalid_traceparent_starts_a_new_trace() {
    let mut server = TracedServer::new(Revision::V2026_07_28, TransportKind::Memory);
    for trace in [
        json!({}),
        json!({ "traceparent": format!("ff-{TRACE}-{PARENT}-01") }),
        json!({ "traceparent": format!("00-{TRACE}-0000000000000000-01") }),
        json!({ "tracestate": "vendor=1" }),
    ] {
        let params = json!({ "name": "greet", "arguments": { "name": "Ada" } });
        let spans = server.spans("prompts/get", params, trace, 1);
        assert_ne!(hex(&spans[0].trace_id), TRACE);
        assert!(spans[0].parent_span_id.is_empty());
    }
}

#[test]
fn malformed_tracestate_is_dropped() {
    let mut server = TracedServer::new(Revision::V2026_07_28, TransportKind::Memory);
    for state in [json!("no-value"), json!(7), json!(null)] {
        let mut trace = parent();
        trace["tracestate"] = state;
        let params = json!({ "name": "fail", "arguments": {} });
        let spans = server.spans("tools/call", params, trace, 1);
        assert_eq!(hex(&spans[0].parent_span_id), PARENT);
        assert_eq!(spans[0].trace_state, "");
    }
}

#[test]
fn unsampled_parent_is_not_exported() {
    let mut server = TracedServer::new(Revision::V2026_07_28, TransportKind::Memory);
    let trace = json!({ "traceparent": format!("00-{TRACE}-{PARENT}-00") });
    let params = json!({ "name": "fail", "arguments": {} });
    assert!(
        server
            .spans("tools/call", params.clone(), trace, 0)
            .is_empty()
    );
    // The next exported span belongs to the next call.
    let next = server.spans("tools/call", params, parent(), 1);
    assert_eq!(hex(&next[0].trace_id), TRACE);
}

#[test]
fn prompt_and_resource_spans_follow_the_conventions() {
    let mut server = TracedServer::new(Revision::V2025_11_25, TransportKind::Stdio);
    let span = server.span(
        "prompts/get",
        json!({ "name": "greet", "arguments": { "name": "Ada" } }),
    );
    let expected = [
        ("mcp.method.name", "prompts/get"),
        ("gen_ai.prompt.name", "greet"),
        ("network.transport", "pipe"),
    ];
    check(
        &span,
        "prompts/get greet",
        &expected,
        &["gen_ai.operation.name", "gen_ai.tool.name"],
    );
    let span = server.span("resources/read", json!({ "uri": "notes://1" }));
    let expected = [
        ("mcp.method.name", "resources/read"),
        ("mcp.resource.uri", "notes://1"),
    ];
    check(
        &span,
        "resources/read",
        &expected,
        &["gen_ai.prompt.name", "error.type"],
    );
    let mut server = TracedServer::new(Revision::V2026_07_28, TransportKind::Http);
    let span = server.span("resources/read", json!({ "uri": "notes://1" }));
    let expected = [
        ("network.transport", "tcp"),
        ("network.protocol.name", "http"),
    ];
    check(&span, "resources/read", &expected, &[]);
}

#[test]
fn failed_spans_have_an_error_type() {
    let mut server = TracedServer::new(Revision::V2026_07_28, TransportKind::Memory);
    let mut call = |name: &str, arguments: Value| {
        server.span(
            "tools/call",
            json!({ "name": name, "arguments": arguments }),
        )
    };
    for (name, arguments) in [
        ("fail", json!({})),
        ("panics", json!({})),
        ("add", json!({ "a": "x" })),
    ] {
        let span = call(name, arguments);
        let span_name = format!("tools/call {name}");
        check(
            &span,
            &span_name,
            &[("error.type", "tool_error")],
            &["rpc.response.status_code"],
        );
        assert_eq!(failure(&span).as_deref(), Some(""), "{name}");
    }
    // An unknown name is not used as the name of a span.
    let span = call("made_up", json!({}));
    let expected = [
        ("error.type", "-32602"),
        ("rpc.response.status_code", "-32602"),
    ];
    check(&span, "tools/call", &expected, &[]);
    assert!(
        failure(&span)
            .unwrap()
            .starts_with("unknown tool `made_up`")
    );
    let span = server.span("resources/read", json!({ "uri": "notes://9" }));
    check(&span, "resources/read", &[("error.type", "-32602")], &[]);
    let span = server.span("prompts/get", json!({ "name": "greet", "arguments": {} }));
    check(&span, "prompts/get greet", &[("error.type", "-32602")], &[]);
}

#[test]
fn spans_contain_no_secrets() {
    let mut server = TracedServer::new(Revision::V2026_07_28, TransportKind::Memory);
    let params = json!({ "name": "add", "arguments": { "a": 1, "word": "sesame" } });
    let spans = server.spans("tools/call", params, parent(), 2);
    let params = json!({ "name": "add", "arguments": { "a": "x", "word": "sesame" } });
    let failed = server.spans("tools/call", params, parent(), 1);
    let exported = format!("{spans:?}{failed:?}");
    assert!(!exported.contains("sesame"), "{exported}");
}

#[test]
fn enclosing_span_is_linked_if_the_client_has_a_trace() {
    let mut server = TracedServer::new(Revision::V2026_07_28, TransportKind::Http);
    let subscriber = server.subscriber.clone();
    let around = tracing::dispatcher::with_default(&subscriber, || tracing::info_span!("http"));
    let entered = around.enter();
    let spans = server.spans("resources/read", json!({ "uri": "notes://1" }), parent(), 1);
    drop(entered);
    drop(around);
    let http = server.collector.next();
    assert_eq!(http.name, "http");
    assert_eq!(hex(&spans[0].parent_span_id), PARENT);
    assert_eq!(spans[0].links.len(), 1);
    assert_eq!(spans[0].links[0].span_id, http.span_id);
}
