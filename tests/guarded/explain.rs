//! What is explained is what happens.

use std::sync::{Arc, Mutex};

use mcp_runtime::auth::Principal;
use mcp_runtime::protocol::Revision;
use mcp_runtime::{Rate, StageEffect};
use serde_json::{Value, json};
use tracing::field::{Field, Visit};
use tracing::span;

use crate::server::{Book, call, server, somebody};

/// Hears the names of the stages.
#[derive(Clone, Default)]
struct Stages(Arc<Mutex<Vec<String>>>);

struct Message(String);

impl Visit for Message {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        if field.name() == "message" {
            self.0 = format!("{value:?}");
        }
    }
}

impl tracing::Subscriber for Stages {
    fn enabled(&self, metadata: &tracing::Metadata<'_>) -> bool {
        metadata.target().starts_with("mcp_runtime")
    }

    fn new_span(&self, _: &span::Attributes<'_>) -> span::Id {
        span::Id::from_u64(1)
    }

    fn record(&self, _: &span::Id, _: &span::Record<'_>) {}

    fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}

    fn event(&self, event: &tracing::Event<'_>) {
        let mut message = Message(String::new());
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

/// Calls that pass every stage that depends on something.
const CALLS: [(&str, &str, &[&str]); 6] = [
    ("echo", r#"{"text":"a"}"#, &[]),
    ("none", "{}", &[]),
    ("purge", "{}", &[]),
    ("read_note", r#"{"number":1}"#, &["notes:read"]),
    ("swallow", r#"{"value":1}"#, &[]),
    ("who", "{}", &[]),
];

#[test]
fn the_stages_that_are_explained_are_those_that_are_taken() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    for (tool, arguments, scopes) in CALLS {
        let heard = Stages::default();
        let alice = Principal::new("alice").with_scopes(scopes.iter().copied());
        let explained = server().build().unwrap().explain(tool, Some(&alice));
        let names: Vec<_> = explained.iter().map(|stage| stage.name).collect();
        let (client, _) = runtime.block_on(somebody(server(), Revision::NEWEST, scopes));
        let arguments: Value = serde_json::from_str(arguments).unwrap();
        let answer = tracing::subscriber::with_default(heard.clone(), || {
            runtime.block_on(call(&client, tool, arguments))
        });
        assert_eq!(*heard.0.lock().unwrap(), names, "{tool}");
        let stops = |stage: &mcp_runtime::Stage| matches!(stage.effect, StageEffect::Stops(_));
        assert_eq!(explained.iter().any(stops), answer.is_err(), "{tool}");
    }
    no_call_passes_other_stages();
}

/// Tools that end on the thread which listens, with arguments that fit, that do
/// not, and none.
fn attempts() -> Vec<(&'static str, Value)> {
    let attempts = [
        ("delete", json!({ "path": "a" })),
        ("echo", json!({ "text": "a" })),
        ("hang", json!({})),
        ("panic", json!({ "text": "a" })),
        ("read_note", json!({ "number": 1 })),
        ("spill", json!({ "bytes": 5000 })),
        ("write_note", json!({ "text": "a" })),
    ];
    let wrong = |tool| [(tool, json!({ "none": 0 })), (tool, json!({}))];
    let attempts = attempts.into_iter();
    attempts
        .flat_map(|(tool, arguments)| [[(tool, arguments)].to_vec(), wrong(tool).to_vec()].concat())
        .collect()
}

/// What a call really passes is the beginning of what is explained: it stops where
/// a stage was said to stop it, or where it depended on something, and never else.
fn no_call_passes_other_stages() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    for scopes in [&[][..], &["notes:read"], &["notes:read", "notes:write"]] {
        for limited in [false, true] {
            for (tool, arguments) in attempts() {
                let book = Book::default();
                let guarded = || match limited {
                    true => server().rate_limit(Rate::per_minute(0)),
                    false => server(),
                };
                let alice = Principal::new("alice").with_scopes(scopes.iter().copied());
                let explained = book
                    .kept(guarded())
                    .build()
                    .unwrap()
                    .explain(tool, Some(&alice));
                let (client, _) =
                    runtime.block_on(somebody(book.kept(guarded()), Revision::NEWEST, scopes));
                let heard = Stages::default();
                let _ = tracing::subscriber::with_default(heard.clone(), || {
                    runtime.block_on(call(&client, tool, arguments.clone()))
                });
                let mut heard = heard.0.lock().unwrap().clone();
                let said = format!("{tool} {arguments} for {scopes:?}: {heard:?}");
                assert_eq!(heard.pop().as_deref(), Some("audit"), "{said}");
                let names: Vec<_> = explained.iter().map(|stage| stage.name).collect();
                assert_eq!(heard, names[..heard.len()], "{said}");
                let last = &explained[heard.len() - 1];
                let outcome = book.records()[0].outcome;
                match &last.effect {
                    StageEffect::Stops(stops) => assert_eq!(outcome, *stops, "{said}"),
                    StageEffect::Passes => assert_eq!(last.name, "execute", "{said}"),
                    _ => {}
                }
            }
        }
    }
}
