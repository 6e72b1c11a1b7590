use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use mcp_runtime::prelude::*;
use mcp_runtime::{Channel, Dispatched, Dispatcher, Outgoing, Peer};
use opentelemetry::trace::TracerProvider as _;
use opentelemetry_proto::tonic::common::v1::any_value::Value as Any;
use opentelemetry_proto::tonic::trace::v1::Span;
use opentelemetry_proto::tonic::trace::v1::span::SpanKind;
use opentelemetry_proto::tonic::trace::v1::status::StatusCode;
use serde_json::{Value, json};
use tokio::runtime::Runtime;
use tracing_subscriber::layer::SubscriberExt;
use wire::{Conversation, Revision};

use crate::collector::Collector;

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

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT: &str = "00f067aa0ba902b7";

#[derive(Debug, Default)]
struct Inbox(Mutex<Vec<Vec<u8>>>);

impl Outgoing for Inbox {
    fn send(&self, message: &[u8]) -> bool {
        self.0.lock().unwrap().push(message.to_vec());
        true
    }
}

/// A server whose spans go to a collector, and a client of one revision.
struct Traced {
    dispatcher: Dispatcher,
    peer: Peer,
    conversation: Conversation,
    revision: Revision,
    collector: Collector,
    subscriber: tracing::Dispatch,
    _provider: opentelemetry_sdk::trace::SdkTracerProvider,
    runtime: Runtime,
}

impl Traced {
    fn new(revision: Revision, channel: Channel) -> Self {
        let collector = Collector::start();
        let provider = collector.provider();
        let layer = tracing_opentelemetry::layer().with_tracer(provider.tracer("tests"));
        let subscriber = tracing::Dispatch::new(tracing_subscriber::registry().with(layer));
        let mut traced = Self {
            dispatcher: Server::new("tests", "1").build().unwrap(),
            peer: Peer::through(channel, Arc::new(Inbox::default())),
            conversation: Conversation::new(Revision::V2026_07_28),
            revision,
            collector,
            subscriber,
            _provider: provider,
            runtime: tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .unwrap(),
        };
        if revision.is_legacy() {
            let params = json!({
                "protocolVersion": revision.as_str(), "capabilities": {},
                "clientInfo": { "name": "probe", "version": "1" },
            });
            traced.say(
                &json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params }),
            );
            traced.say(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        }
        traced
    }

    fn say(&mut self, message: &Value) -> Option<Value> {
        self.conversation.sent_by_client(message);
        let text = message.to_string();
        let mut reply = Vec::new();
        let reply = tracing::dispatcher::with_default(&self.subscriber, || {
            let _runtime = self.runtime.enter();
            match self
                .dispatcher
                .dispatch(text.as_bytes(), &self.peer, &mut reply)
            {
                Dispatched::Silent => None,
                Dispatched::Replied(_) => Some(reply),
                Dispatched::Pending(pending) => match pending.is_blocking() {
                    // On this thread, whose subscriber it is.
                    true => {
                        let ran = pending.run_here(&mut reply);
                        assert!(matches!(ran, Dispatched::Replied(_)));
                        Some(reply)
                    }
                    false => self.runtime.block_on(pending.run()),
                },
            }
        })?;
        let text = String::from_utf8(reply).unwrap();
        let checked = self.conversation.sent_by_server_text(&text);
        Some(checked.unwrap_or_else(|problems| panic!("{text}\n{problems}")))
    }

    /// The spans of one request, in the order in which they ended.
    fn spans(&mut self, method: &str, mut params: Value, trace: Value, count: usize) -> Vec<Span> {
        let mut meta = trace;
        if !self.revision.is_legacy() {
            meta["io.modelcontextprotocol/protocolVersion"] = self.revision.as_str().into();
            meta["io.modelcontextprotocol/clientCapabilities"] = json!({});
        }
        params["_meta"] = meta;
        let request = json!({ "jsonrpc": "2.0", "id": "r1", "method": method, "params": params });
        assert!(self.say(&request).is_some());
        (0..count).map(|_| self.collector.next()).collect()
    }

    /// The span of a request without a trace of its own.
    fn span(&mut self, method: &str, params: Value) -> Span {
        self.spans(method, params, json!({}), 1).remove(0)
    }
}

fn parent() -> Value {
    json!({ "traceparent": format!("00-{TRACE}-{PARENT}-01"), "tracestate": "vendor=1" })
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn attributes(span: &Span) -> BTreeMap<String, String> {
    let text = |any: Option<Any>| match any {
        Some(Any::StringValue(text)) => text,
        Some(other) => format!("{other:?}"),
        None => String::new(),
    };
    let attributes = span.attributes.iter().cloned();
    attributes
        .map(|it| (it.key, text(it.value.and_then(|value| value.value))))
        .collect()
}

#[track_caller]
fn check(span: &Span, name: &str, expected: &[(&str, &str)], absent: &[&str]) {
    assert_eq!(span.name, name);
    assert_eq!(span.kind(), SpanKind::Server);
    let attributes = attributes(span);
    for (key, value) in expected {
        assert_eq!(
            attributes.get(*key).map(String::as_str),
            Some(*value),
            "{key}"
        );
    }
    for key in absent {
        assert!(!attributes.contains_key(*key), "{key}");
    }
}

fn failure(span: &Span) -> Option<String> {
    let status = span.status.clone().unwrap_or_default();
    (status.code() == StatusCode::Error).then_some(status.message)
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
