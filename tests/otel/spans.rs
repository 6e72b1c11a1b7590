use mcp_runtime::Channel;
use mcp_runtime::prelude::*;
use serde_json::{Value, json};
use wire::Revision;

use crate::traced::{PARENT, TRACE, Traced, check, failure, hex, parent};

/// Adds, in a span of its own.
#[tool(inline)]
fn add(a: i64, #[arg(default = 1)] b: i64, #[arg(secret)] word: Option<String>) -> i64 {
    let _inner =
        tracing::info_span!("inner", word.length = word.map_or(0, |it| it.len())).entered();
    a + b
}

/// Fails.
#[tool]
async fn fail() -> Result<(), String> {
    Err("no".to_owned())
}

/// Panics.
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
fn a_call_is_a_span_of_its_clients_trace_and_the_parent_of_the_bodys() {
    for revision in Revision::ALL {
        let mut traced = Traced::new(revision, Channel::Memory);
        let params = json!({ "name": "add", "arguments": { "a": 1 } });
        let spans = traced.spans("tools/call", params, parent(), 2);
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
fn without_a_parent_that_is_well_formed_a_trace_begins() {
    let mut traced = Traced::new(Revision::V2026_07_28, Channel::Memory);
    for trace in [
        json!({}),
        json!({ "traceparent": format!("ff-{TRACE}-{PARENT}-01") }),
        json!({ "traceparent": format!("00-{TRACE}-0000000000000000-01") }),
        json!({ "tracestate": "vendor=1" }),
    ] {
        let params = json!({ "name": "greet", "arguments": { "name": "Ada" } });
        let spans = traced.spans("prompts/get", params, trace, 1);
        assert_ne!(hex(&spans[0].trace_id), TRACE);
        assert!(spans[0].parent_span_id.is_empty());
    }
}

#[test]
fn a_state_that_is_malformed_is_dropped_and_the_parent_stays() {
    let mut traced = Traced::new(Revision::V2026_07_28, Channel::Memory);
    for state in [json!("no-value"), json!(7), json!(null)] {
        let mut trace = parent();
        trace["tracestate"] = state;
        let params = json!({ "name": "fail", "arguments": {} });
        let spans = traced.spans("tools/call", params, trace, 1);
        assert_eq!(hex(&spans[0].parent_span_id), PARENT);
        assert_eq!(spans[0].trace_state, "");
    }
}

#[test]
fn a_parent_that_is_not_sampled_is_not_exported() {
    let mut traced = Traced::new(Revision::V2026_07_28, Channel::Memory);
    let trace = json!({ "traceparent": format!("00-{TRACE}-{PARENT}-00") });
    let params = json!({ "name": "fail", "arguments": {} });
    assert!(
        traced
            .spans("tools/call", params.clone(), trace, 0)
            .is_empty()
    );
    // The next span is that of the next call.
    let next = traced.spans("tools/call", params, parent(), 1);
    assert_eq!(hex(&next[0].trace_id), TRACE);
}

#[test]
fn prompts_and_resources_are_named_as_the_conventions_say() {
    let mut traced = Traced::new(Revision::V2025_11_25, Channel::Stdio);
    let span = traced.span(
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
    let span = traced.span("resources/read", json!({ "uri": "notes://1" }));
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
    let mut traced = Traced::new(Revision::V2026_07_28, Channel::Http);
    let span = traced.span("resources/read", json!({ "uri": "notes://1" }));
    let expected = [
        ("network.transport", "tcp"),
        ("network.protocol.name", "http"),
    ];
    check(&span, "resources/read", &expected, &[]);
}

#[test]
fn failures_have_the_type_of_their_answer() {
    let mut traced = Traced::new(Revision::V2026_07_28, Channel::Memory);
    let mut call = |name: &str, arguments: Value| {
        traced.span(
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
        let named = format!("tools/call {name}");
        check(
            &span,
            &named,
            &[("error.type", "tool_error")],
            &["rpc.response.status_code"],
        );
        assert_eq!(failure(&span).as_deref(), Some(""), "{name}");
    }
    // A name that nobody defined does not become the name of a span.
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
    let span = traced.span("resources/read", json!({ "uri": "notes://9" }));
    check(&span, "resources/read", &[("error.type", "-32602")], &[]);
    let span = traced.span("prompts/get", json!({ "name": "greet", "arguments": {} }));
    check(&span, "prompts/get greet", &[("error.type", "-32602")], &[]);
}

#[test]
fn a_secret_is_in_no_span() {
    let mut traced = Traced::new(Revision::V2026_07_28, Channel::Memory);
    let params = json!({ "name": "add", "arguments": { "a": 1, "word": "sesame" } });
    let spans = traced.spans("tools/call", params, parent(), 2);
    let params = json!({ "name": "add", "arguments": { "a": "x", "word": "sesame" } });
    let failed = traced.spans("tools/call", params, parent(), 1);
    let told = format!("{spans:?}{failed:?}");
    assert!(!told.contains("sesame"), "{told}");
}

#[test]
fn the_span_around_a_call_is_linked_where_its_client_has_a_trace() {
    let mut traced = Traced::new(Revision::V2026_07_28, Channel::Http);
    let subscriber = traced.subscriber.clone();
    let around = tracing::dispatcher::with_default(&subscriber, || tracing::info_span!("http"));
    let entered = around.enter();
    let spans = traced.spans("resources/read", json!({ "uri": "notes://1" }), parent(), 1);
    drop(entered);
    drop(around);
    let http = traced.collector.next();
    assert_eq!(http.name, "http");
    assert_eq!(hex(&spans[0].parent_span_id), PARENT);
    assert_eq!(spans[0].links.len(), 1);
    assert_eq!(spans[0].links[0].span_id, http.span_id);
}
