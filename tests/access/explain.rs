//! `Dispatcher::explain` and the stages that calls really take.

#[allow(dead_code, reason = "shared with other tests")]
#[path = "../fixtures/access_tools.rs"]
mod tools;

use std::sync::{Arc, Mutex};

use mcp_runtime::Rate;
use mcp_runtime::auth::Principal;
use mcp_runtime::dispatch::StageEffect;
use mcp_runtime::protocol::Revision;
use serde_json::{Value, json};
use tracing::field::{Field, Visit};
use tracing::span;

use support::access::{AuditLog, alice_with_scopes, call_tool, server};

/// Collects the names of the stages from trace events.
#[derive(Clone, Default)]
struct StageCollector(Arc<Mutex<Vec<String>>>);

struct MessageField(String);

impl Visit for MessageField {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        if field.name() == "message" {
            self.0 = format!("{value:?}");
        }
    }
}

impl tracing::Subscriber for StageCollector {
    fn enabled(&self, metadata: &tracing::Metadata<'_>) -> bool {
        metadata.target().starts_with("mcp_runtime")
    }

    fn new_span(&self, _: &span::Attributes<'_>) -> span::Id {
        span::Id::from_u64(1)
    }

    fn record(&self, _: &span::Id, _: &span::Record<'_>) {}

    fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}

    fn event(&self, event: &tracing::Event<'_>) {
        let mut message = MessageField(String::new());
        event.record(&mut message);
        let stage = match event.metadata().target() {
            "mcp_runtime::audit" => "audit".to_owned(),
            target
                if target.starts_with("mcp_runtime::call")
                    && *event.metadata().level() == tracing::Level::TRACE =>
            {
                message.0
            }
            _ => return,
        };
        self.0.lock().unwrap().push(stage);
    }

    fn enter(&self, _: &span::Id) {}

    fn exit(&self, _: &span::Id) {}
}

/// Calls that pass every conditional stage.
const CALLS: [(&str, &str, &[&str]); 6] = [
    ("echo", r#"{"text":"a"}"#, &[]),
    ("none", "{}", &[]),
    ("purge", "{}", &[]),
    ("read_note", r#"{"number":1}"#, &["notes:read"]),
    ("swallow", r#"{"value":1}"#, &[]),
    ("who", "{}", &[]),
];

#[test]
fn explained_stages_are_the_stages_taken() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    for (tool, arguments, scopes) in CALLS {
        let taken = StageCollector::default();
        let alice = Principal::new("alice").with_scopes(scopes.iter().copied());
        let explained = server().build().unwrap().explain(tool, Some(&alice));
        let names: Vec<_> = explained.iter().map(|stage| stage.name).collect();
        let (client, _) = runtime.block_on(alice_with_scopes(server(), Revision::NEWEST, scopes));
        let arguments: Value = serde_json::from_str(arguments).unwrap();
        let answer = tracing::subscriber::with_default(taken.clone(), || {
            runtime.block_on(call_tool(&client, tool, arguments))
        });
        assert_eq!(*taken.0.lock().unwrap(), names, "{tool}");
        let stops =
            |stage: &mcp_runtime::dispatch::Stage| matches!(stage.effect, StageEffect::Stops(_));
        assert_eq!(explained.iter().any(stops), answer.is_err(), "{tool}");
    }
    taken_stages_are_a_prefix();
}

/// Calls that end on the calling thread, each with valid, invalid and no arguments.
fn calls() -> Vec<(&'static str, Value)> {
    let calls = [
        ("delete", json!({ "path": "a" })),
        ("echo", json!({ "text": "a" })),
        ("hang", json!({})),
        ("panic", json!({ "text": "a" })),
        ("read_note", json!({ "number": 1 })),
        ("spill", json!({ "bytes": 5000 })),
        ("write_note", json!({ "text": "a" })),
    ];
    let wrong = |tool| [(tool, json!({ "none": 0 })), (tool, json!({}))];
    let calls = calls.into_iter();
    calls
        .flat_map(|(tool, arguments)| [[(tool, arguments)].to_vec(), wrong(tool).to_vec()].concat())
        .collect()
}

/// The stages of a call are a prefix of the explained ones: the call ends only at a
/// stage that was explained as stopping it or as conditional.
fn taken_stages_are_a_prefix() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    for scopes in [&[][..], &["notes:read"], &["notes:read", "notes:write"]] {
        for limited in [false, true] {
            for (tool, arguments) in calls() {
                let audit = AuditLog::default();
                let limited_server = || match limited {
                    true => server().rate_limit(Rate::per_minute(0)),
                    false => server(),
                };
                let alice = Principal::new("alice").with_scopes(scopes.iter().copied());
                let explained = audit
                    .record(limited_server())
                    .build()
                    .unwrap()
                    .explain(tool, Some(&alice));
                let (client, _) = runtime.block_on(alice_with_scopes(
                    audit.record(limited_server()),
                    Revision::NEWEST,
                    scopes,
                ));
                let taken = StageCollector::default();
                let _ = tracing::subscriber::with_default(taken.clone(), || {
                    runtime.block_on(call_tool(&client, tool, arguments.clone()))
                });
                let mut taken = taken.0.lock().unwrap().clone();
                let description = format!("{tool} {arguments} for {scopes:?}: {taken:?}");
                assert_eq!(taken.pop().as_deref(), Some("audit"), "{description}");
                let names: Vec<_> = explained.iter().map(|stage| stage.name).collect();
                assert_eq!(taken, names[..taken.len()], "{description}");
                let last = &explained[taken.len() - 1];
                let outcome = audit.records()[0].outcome;
                match &last.effect {
                    StageEffect::Stops(stops) => assert_eq!(outcome, *stops, "{description}"),
                    StageEffect::Passes => assert_eq!(last.name, "execute", "{description}"),
                    _ => {}
                }
            }
        }
    }
}
