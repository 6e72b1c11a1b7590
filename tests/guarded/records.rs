//! One record a call, on every exit.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use mcp_runtime::audit::{AuditArguments, AuditError, AuditRecord, JsonLines};
use mcp_runtime::protocol::{CallToolResult, Revision};
use mcp_runtime::{Layer, ToolBody, ToolCall};
use serde_json::{Value, json};

use crate::server::{Book, call, said, server, somebody};

#[tokio::test]
async fn every_exit_writes_one_record() {
    let exits = [
        ("echo", json!({ "text": "a" }), "success"),
        ("echo", json!({ "txt": "a" }), "invalid"),
        ("none", json!({}), "unknown"),
        ("purge", json!({}), "forbidden"),
        (
            "login",
            json!({ "password": "12345678", "how": "internal" }),
            "error",
        ),
        ("panic", json!({ "text": "planted" }), "panic"),
        ("hang", json!({}), "timed_out"),
        ("spill", json!({ "bytes": 5000 }), "too_large"),
    ];
    for revision in Revision::ALL {
        let book = Book::default();
        let (client, log) = somebody(book.kept(server()), revision, &[]).await;
        for (tool, arguments, _) in &exits {
            let _ = call(&client, tool, arguments.clone()).await;
        }
        let expected = exits.iter().map(|(_, _, outcome)| *outcome);
        assert_eq!(book.outcomes(), expected.collect::<Vec<_>>());
        for (record, (tool, ..)) in book.records().iter().zip(&exits) {
            assert_eq!(record.name, *tool);
            assert_eq!(record.method, "tools/call");
            assert_eq!(record.principal.as_deref(), Some("alice"));
            assert_eq!(record.revision, Some(revision));
            assert_eq!(record.channel.as_str(), "memory");
        }
        log.legal();
    }
}

#[tokio::test]
async fn a_record_says_what_came_and_what_was_made_of_it() {
    let book = Book::default();
    let valued = server().audit_arguments(AuditArguments::Values);
    let (client, _) = somebody(book.kept(valued), Revision::NEWEST, &["notes:read"]).await;
    let _ = call(&client, "read_note", json!({ "number": "3" })).await;
    let _ = call(&client, "read_note", json!(r#"{"number":3}"#)).await;
    assert_eq!(book.records()[1].arguments, json!({ "number": 3 }));
    let record = &book.records()[0];
    assert_eq!(record.arguments, json!({ "number": "3" }));
    assert_eq!(record.coerced, ["/number"]);
    assert_eq!(record.bytes, Some("note 3".len() as u64));
}

#[tokio::test]
async fn the_id_that_a_client_sees_is_that_of_the_record() {
    let book = Book::default();
    let (client, _) = somebody(book.kept(server()), Revision::NEWEST, &[]).await;
    let (failed, text) = said(&client, "panic", json!({ "text": "planted" })).await;
    let record = &book.records()[0];
    assert!(
        failed && text.ends_with(&format!("error {}", record.correlation_id)),
        "{text}"
    );
    assert!(!text.contains("planted") && record.detail.contains("planted"));
}

#[tokio::test]
async fn a_file_has_every_call_and_stops_those_that_it_cannot_take() {
    let path = std::env::temp_dir().join(format!("mcp-guarded-{}.jsonl", std::process::id()));
    let full = Arc::new(AtomicBool::new(false));
    let (file, is_full) = (JsonLines::open(&path).unwrap(), Arc::clone(&full));
    let server = server().audit_required(move |record: &AuditRecord| {
        match is_full.load(Ordering::Relaxed) {
            true => Err(AuditError::from("no space is left")),
            false => mcp_runtime::audit::AuditSink::record(&file, record),
        }
    });
    let (client, log) = somebody(server, Revision::NEWEST, &[]).await;
    let echo = async || call(&client, "echo", json!({ "text": "a" })).await.is_ok();
    assert!(echo().await);
    full.store(true, Ordering::Relaxed);
    // The body has run when its record fails; no other runs after it.
    assert!(echo().await);
    assert!(!echo().await && !echo().await);
    full.store(false, Ordering::Relaxed);
    assert!(!echo().await);
    assert!(echo().await);
    log.legal();
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    let records: Vec<Value> = text
        .lines()
        .map(|it| serde_json::from_str(it).unwrap())
        .collect();
    let outcomes: Vec<_> = records.iter().map(|record| &record["outcome"]).collect();
    assert_eq!(outcomes, ["success", "stopped", "success"]);
}

/// Answers every second call from what it kept, as a cache does.
#[derive(Default)]
struct Kept(Arc<Mutex<Option<CallToolResult>>>);

impl Layer for Kept {
    fn call(
        &self,
        call: ToolCall,
        body: ToolBody,
    ) -> std::pin::Pin<
        Box<dyn Future<Output = Result<CallToolResult, mcp_runtime::ToolError>> + Send>,
    > {
        let kept = Arc::clone(&self.0);
        Box::pin(async move {
            assert_eq!(call.context.principal().map(|it| &*it.id), Some("alice"));
            if let Some(kept) = kept.lock().unwrap().clone() {
                return Ok(kept);
            }
            let result = body.run().await?;
            *kept.lock().unwrap() = Some(result.clone());
            Ok(result)
        })
    }
}

#[tokio::test]
async fn a_cache_stands_behind_every_gate_and_is_audited() {
    let kept = Kept::default();
    let shared = Arc::clone(&kept.0);
    let book = Book::default();
    let (client, _) = somebody(
        book.kept(server().layer(kept)),
        Revision::NEWEST,
        &["admin"],
    )
    .await;
    assert_eq!(
        said(&client, "purge", json!({})).await,
        (false, "gone".to_owned())
    );
    assert_eq!(
        said(&client, "purge", json!({})).await,
        (false, "gone".to_owned())
    );
    let poor = book.kept(server().layer(Kept(shared)));
    let (client, _) = somebody(poor, Revision::NEWEST, &[]).await;
    assert!(call(&client, "purge", json!({})).await.is_err());
    assert_eq!(book.outcomes(), ["success", "success", "forbidden"]);
}

#[tokio::test]
async fn layers_are_around_each_other_in_their_order() {
    let heard = Arc::new(Mutex::new(Vec::new()));
    let named = |name: &'static str| {
        let heard = Arc::clone(&heard);
        move |_: ToolCall, body: ToolBody| {
            let heard = Arc::clone(&heard);
            async move {
                heard.lock().unwrap().push(name);
                body.run().await
            }
        }
    };
    let layered = server().layer(named("outer")).layer(named("inner"));
    let (client, log) = somebody(layered, Revision::NEWEST, &[]).await;
    assert_eq!(said(&client, "echo", json!({ "text": "a" })).await.1, "a");
    assert_eq!(*heard.lock().unwrap(), ["outer", "inner"]);
    log.legal();
}
