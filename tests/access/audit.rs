//! Audit records and required sinks, and the order of middleware.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use mcp_runtime::audit::{AuditArguments, AuditError, AuditRecord, JsonLines};
use mcp_runtime::protocol::{CallToolResult, Revision};
use mcp_runtime::{Middleware, Next, ToolCall};
use serde_json::{Value, json};

use support::access::{AuditLog, alice_with_scopes, call_text, call_tool, server};

#[tokio::test]
async fn every_outcome_writes_one_audit_record() {
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
        let audit = AuditLog::default();
        let (client, log) = alice_with_scopes(audit.record(server()), revision, &[]).await;
        for (tool, arguments, _) in &exits {
            let _ = call_tool(&client, tool, arguments.clone()).await;
        }
        let expected = exits.iter().map(|(_, _, outcome)| *outcome);
        assert_eq!(audit.outcomes(), expected.collect::<Vec<_>>());
        for (record, (tool, ..)) in audit.records().iter().zip(&exits) {
            assert_eq!(record.name, *tool);
            assert_eq!(record.method, "tools/call");
            assert_eq!(record.principal.as_deref(), Some("alice"));
            assert_eq!(record.revision, Some(revision));
            assert_eq!(record.transport.as_str(), "memory");
        }
        log.assert_valid();
    }
}

#[tokio::test]
async fn record_has_arguments_coercions_and_size() {
    let audit = AuditLog::default();
    let server = server().audit_arguments(AuditArguments::Values);
    let (client, _) =
        alice_with_scopes(audit.record(server), Revision::NEWEST, &["notes:read"]).await;
    let _ = call_tool(&client, "read_note", json!({ "number": "3" })).await;
    let _ = call_tool(&client, "read_note", json!(r#"{"number":3}"#)).await;
    assert_eq!(audit.records()[1].arguments, json!({ "number": 3 }));
    let record = &audit.records()[0];
    assert_eq!(record.arguments, json!({ "number": "3" }));
    assert_eq!(record.coerced, ["/number"]);
    assert_eq!(record.bytes, Some("note 3".len() as u64));
}

#[tokio::test]
async fn error_id_is_the_correlation_id_of_the_record() {
    let audit = AuditLog::default();
    let (client, _) = alice_with_scopes(audit.record(server()), Revision::NEWEST, &[]).await;
    let (failed, text) = call_text(&client, "panic", json!({ "text": "planted" })).await;
    let record = &audit.records()[0];
    assert!(
        failed && text.contains(&format!("error {} in", record.correlation_id)),
        "{text}"
    );
    assert!(!text.contains("planted") && record.detail.contains("planted"));
}

#[tokio::test]
async fn required_audit_sink_stops_calls_while_it_fails() {
    let path = std::env::temp_dir().join(format!("mcp-guarded-{}.jsonl", std::process::id()));
    let full = Arc::new(AtomicBool::new(false));
    let (file, is_full) = (JsonLines::open(&path).unwrap(), Arc::clone(&full));
    let server = server().audit_required(move |record: &AuditRecord| {
        match is_full.load(Ordering::Relaxed) {
            true => Err(AuditError::from("no space is left")),
            false => mcp_runtime::audit::AuditSink::record(&file, record),
        }
    });
    let (client, log) = alice_with_scopes(server, Revision::NEWEST, &[]).await;
    let echo = async || {
        call_tool(&client, "echo", json!({ "text": "a" }))
            .await
            .is_ok()
    };
    assert!(echo().await);
    full.store(true, Ordering::Relaxed);
    // The handler has run when writing its record fails; later calls are stopped.
    assert!(echo().await);
    assert!(!echo().await && !echo().await);
    full.store(false, Ordering::Relaxed);
    assert!(!echo().await);
    assert!(echo().await);
    log.assert_valid();
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    let records: Vec<Value> = text
        .lines()
        .map(|it| serde_json::from_str(it).unwrap())
        .collect();
    let outcomes: Vec<_> = records.iter().map(|record| &record["outcome"]).collect();
    assert_eq!(outcomes, ["success", "audit_unavailable", "success"]);
}

/// Caches the result of the first call.
#[derive(Default)]
struct CachingMiddleware(Arc<Mutex<Option<CallToolResult>>>);

impl Middleware for CachingMiddleware {
    fn call(
        &self,
        call: ToolCall,
        next: Next,
    ) -> std::pin::Pin<
        Box<dyn Future<Output = Result<CallToolResult, mcp_runtime::ToolError>> + Send>,
    > {
        let cache = Arc::clone(&self.0);
        Box::pin(async move {
            assert_eq!(call.context.principal().map(|it| &*it.id), Some("alice"));
            if let Some(cached) = cache.lock().unwrap().clone() {
                return Ok(cached);
            }
            let result = next.run().await?;
            *cache.lock().unwrap() = Some(result.clone());
            Ok(result)
        })
    }
}

#[tokio::test]
async fn caching_middleware_is_authorized_and_audited() {
    let middleware = CachingMiddleware::default();
    let shared = Arc::clone(&middleware.0);
    let audit = AuditLog::default();
    let (client, _) = alice_with_scopes(
        audit.record(server().middleware(middleware)),
        Revision::NEWEST,
        &["admin"],
    )
    .await;
    assert_eq!(
        call_text(&client, "purge", json!({})).await,
        (false, "gone".to_owned())
    );
    assert_eq!(
        call_text(&client, "purge", json!({})).await,
        (false, "gone".to_owned())
    );
    let server = audit.record(server().middleware(CachingMiddleware(shared)));
    let (client, _) = alice_with_scopes(server, Revision::NEWEST, &[]).await;
    assert!(call_tool(&client, "purge", json!({})).await.is_err());
    assert_eq!(audit.outcomes(), ["success", "success", "forbidden"]);
}

#[tokio::test]
async fn middleware_runs_in_order_of_registration() {
    let order = Arc::new(Mutex::new(Vec::new()));
    let named = |name: &'static str| {
        let order = Arc::clone(&order);
        move |_: ToolCall, next: Next| {
            let order = Arc::clone(&order);
            async move {
                order.lock().unwrap().push(name);
                next.run().await
            }
        }
    };
    let server = server()
        .middleware(named("outer"))
        .middleware(named("inner"));
    let (client, log) = alice_with_scopes(server, Revision::NEWEST, &[]).await;
    assert_eq!(
        call_text(&client, "echo", json!({ "text": "a" })).await.1,
        "a"
    );
    assert_eq!(*order.lock().unwrap(), ["outer", "inner"]);
    log.assert_valid();
}
