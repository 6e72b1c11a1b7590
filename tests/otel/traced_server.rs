//! A server that exports its spans to a collector.

use std::collections::BTreeMap;
use std::sync::Arc;

use mcp_runtime::dispatch::{Connection, DispatchOutcome, TransportKind};
use mcp_runtime::{Dispatcher, Server};
use opentelemetry::trace::TracerProvider as _;
use opentelemetry_proto::tonic::common::v1::any_value::Value as Any;
use opentelemetry_proto::tonic::trace::v1::Span;
use opentelemetry_proto::tonic::trace::v1::span::SpanKind;
use opentelemetry_proto::tonic::trace::v1::status::StatusCode;
use serde_json::{Value, json};
use support::Inbox;
use support::wire::{Conversation, Revision};
use tokio::runtime::Runtime;
use tracing_subscriber::layer::SubscriberExt;

use crate::collector::Collector;

pub(crate) const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
pub(crate) const PARENT: &str = "00f067aa0ba902b7";

/// A server that exports its spans, and a client of one revision.
pub(crate) struct TracedServer {
    dispatcher: Dispatcher,
    connection: Connection,
    conversation: Conversation,
    revision: Revision,
    pub(crate) collector: Collector,
    pub(crate) subscriber: tracing::Dispatch,
    _provider: opentelemetry_sdk::trace::SdkTracerProvider,
    runtime: Runtime,
}

impl TracedServer {
    pub(crate) fn new(revision: Revision, transport: TransportKind) -> Self {
        let collector = Collector::start();
        let provider = collector.provider();
        let layer = tracing_opentelemetry::layer().with_tracer(provider.tracer("tests"));
        let subscriber = tracing::Dispatch::new(tracing_subscriber::registry().with(layer));
        let mut server = Self {
            dispatcher: Server::new("tests", "1").build().unwrap(),
            connection: Connection::with_sink(transport, Arc::new(Inbox::default())),
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
            server.send(
                &json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params }),
            );
            server.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        }
        server
    }

    fn send(&mut self, message: &Value) -> Option<Value> {
        self.conversation.sent_by_client(message);
        let text = message.to_string();
        let mut reply = Vec::new();
        let reply = tracing::dispatcher::with_default(&self.subscriber, || {
            let _runtime = self.runtime.enter();
            match self
                .dispatcher
                .dispatch(text.as_bytes(), &self.connection, &mut reply)
            {
                DispatchOutcome::Silent => None,
                DispatchOutcome::Replied(_) => Some(reply),
                DispatchOutcome::Pending(pending) => match pending.is_blocking() {
                    // On this thread, which has the subscriber.
                    true => {
                        let ran = pending.run_blocking(&mut reply);
                        assert!(matches!(ran, DispatchOutcome::Replied(_)));
                        Some(reply)
                    }
                    false => self.runtime.block_on(pending.run()),
                },
            }
        })?;
        let text = String::from_utf8(reply).unwrap();
        let reply = self.conversation.sent_by_server_text(&text);
        Some(reply.unwrap_or_else(|problems| panic!("{text}\n{problems}")))
    }

    /// Sends a request and returns its spans in the order in which they ended.
    pub(crate) fn spans(
        &mut self,
        method: &str,
        mut params: Value,
        trace: Value,
        count: usize,
    ) -> Vec<Span> {
        let mut meta = trace;
        if !self.revision.is_legacy() {
            meta["io.modelcontextprotocol/protocolVersion"] = self.revision.as_str().into();
            meta["io.modelcontextprotocol/clientCapabilities"] = json!({});
        }
        params["_meta"] = meta;
        let request = json!({ "jsonrpc": "2.0", "id": "r1", "method": method, "params": params });
        assert!(self.send(&request).is_some());
        (0..count).map(|_| self.collector.next()).collect()
    }

    /// Sends a request without trace context and returns its span.
    pub(crate) fn span(&mut self, method: &str, params: Value) -> Span {
        self.spans(method, params, json!({}), 1).remove(0)
    }
}

pub(crate) fn parent() -> Value {
    json!({ "traceparent": format!("00-{TRACE}-{PARENT}-01"), "tracestate": "vendor=1" })
}

pub(crate) fn hex(bytes: &[u8]) -> String {
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
pub(crate) fn check(span: &Span, name: &str, expected: &[(&str, &str)], absent: &[&str]) {
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

pub(crate) fn failure(span: &Span) -> Option<String> {
    let status = span.status.clone().unwrap_or_default();
    (status.code() == StatusCode::Error).then_some(status.message)
}
