//! Rate, concurrency, timeout and size limits.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use mcp_runtime::auth::{Access, Decision, Principal};
use mcp_runtime::dispatch::MethodCall;
use mcp_runtime::protocol::{JsonObject, Revision};
use mcp_runtime::{Client, ClientError, Rate};
use serde_json::json;

use crate::tools::{GO, SHARE, WAITING};
use support::access::{
    AuditLog, alice_with_scopes, anonymous_client, call_text, call_tool, error_code, server,
};
use support::checked_client::checked_client;

#[tokio::test]
async fn rate_limited_call_gets_retry_after() {
    let server = server().tool_rate_limit("echo", Rate::per_hour(2));
    let audit = AuditLog::default();
    let (client, log) = alice_with_scopes(audit.record(server), Revision::NEWEST, &[]).await;
    for _ in 0..2 {
        assert!(
            call_tool(&client, "echo", json!({ "text": "a" }))
                .await
                .is_ok()
        );
    }
    let error = call_tool(&client, "echo", json!({ "text": "a" }))
        .await
        .unwrap_err();
    assert_eq!(error["code"], -31429);
    let wait = error["data"]["retryAfter"].as_u64().unwrap();
    assert!((1700..=1800).contains(&wait), "{wait}");
    assert!(
        call_tool(&client, "swallow", json!({ "value": 1 }))
            .await
            .is_ok()
    );
    log.assert_valid();
    let expected = ["success", "success", "rate_limited", "success"];
    assert_eq!(audit.outcomes(), expected);
}

#[tokio::test]
async fn completions_have_their_own_rate_limit() {
    let argument = json!({ "name": "name", "value": "" });
    let params =
        json!({ "ref": { "type": "ref/prompt", "name": "greeting" }, "argument": argument });
    for revision in Revision::ALL {
        let server = server()
            .rate_limit(Rate::per_hour(1))
            .tool_rate_limit("completion/complete", Rate::per_hour(3));
        let (client, log) = alice_with_scopes(server, revision, &["notes:read"]).await;
        let complete = async || {
            let answer = client
                .request_once("completion/complete", params.clone())
                .await;
            answer.map_err(|error| match error {
                ClientError::Protocol(error) => error.code.0,
                error => panic!("{error}"),
            })
        };
        for _ in 0..3 {
            assert!(complete().await.is_ok(), "{revision}");
        }
        let limited = i32::try_from(error_code(-31429, revision)).unwrap();
        assert_eq!(complete().await, Err(limited), "{revision}");
        // The prompt has its own limit.
        let get = json!({ "name": "greeting", "arguments": { "name": "Ada" } });
        assert!(
            client
                .request_once("prompts/get", get.clone())
                .await
                .is_ok()
        );
        assert!(client.request_once("prompts/get", get).await.is_err());
        log.assert_valid();
    }
}

#[tokio::test]
async fn invalid_calls_count_towards_the_rate_limit() {
    let server = server().rate_limit(Rate::per_hour(1));
    let (client, _) = alice_with_scopes(server, Revision::NEWEST, &[]).await;
    assert!(call_tool(&client, "echo", json!({})).await.is_ok());
    assert!(
        call_tool(&client, "echo", json!({ "text": "a" }))
            .await
            .is_err()
    );
}

#[tokio::test]
async fn timeout_is_a_tool_error() {
    for revision in Revision::ALL {
        let audit = AuditLog::default();
        let (client, log) = alice_with_scopes(audit.record(server()), revision, &[]).await;
        for tool in ["hang", "block"] {
            let (failed, text) = call_text(&client, tool, json!({})).await;
            assert!(failed && text.contains("within 20ms"), "{text}");
        }
        log.assert_valid();
        assert_eq!(audit.outcomes(), ["timed_out", "timed_out"]);
    }
}

#[tokio::test]
async fn longest_possible_timeout_does_not_overflow() {
    let server = server().timeout(Duration::MAX);
    let (client, log) = alice_with_scopes(server, Revision::NEWEST, &[]).await;
    assert_eq!(
        call_text(&client, "echo", json!({ "text": "a" })).await.1,
        "a"
    );
    log.assert_valid();
}

#[tokio::test]
async fn server_timeout_applies_to_tools_without_one() {
    let audit = AuditLog::default();
    let server = server().timeout(Duration::from_millis(30));
    let (client, log) = alice_with_scopes(audit.record(server), Revision::NEWEST, &[]).await;
    for (tool, limit) in [("hasty", "30ms"), ("hang", "20ms")] {
        let (failed, text) = call_text(&client, tool, json!({})).await;
        assert!(
            failed && text.contains(&format!("within {limit}")),
            "{text}"
        );
    }
    assert_eq!(
        call_text(&client, "echo", json!({ "text": "a" })).await.1,
        "a"
    );
    log.assert_valid();
    assert_eq!(audit.outcomes(), ["timed_out", "timed_out", "success"]);
}

#[tokio::test]
async fn oversized_result_is_an_error() {
    let audit = AuditLog::default();
    let (client, log) = alice_with_scopes(audit.record(server()), Revision::NEWEST, &[]).await;
    let (failed, text) = call_text(&client, "spill", json!({ "bytes": 1024 })).await;
    assert!(!failed && text.len() == 1024);
    for (tool, arguments) in [
        ("spill", json!({ "bytes": 1026 })),
        ("flood", json!({ "megabytes": 100 })),
    ] {
        let (failed, text) = call_text(&client, tool, arguments).await;
        assert!(failed && text.contains("narrow the request"), "{text}");
        assert!(text.len() < 200);
    }
    log.assert_valid();
    assert_eq!(audit.outcomes(), ["success", "too_large", "too_large"]);
}

#[tokio::test]
async fn argument_depth_and_length_are_limited() {
    let server = server().max_arguments(1000, 64);
    let (client, log) = alice_with_scopes(server, Revision::NEWEST, &[]).await;
    let nested = |depth: usize| {
        let json = "[".repeat(depth) + &"]".repeat(depth);
        json!({ "value": serde_json::from_str::<serde_json::Value>(&json).unwrap() })
    };
    assert!(!call_text(&client, "swallow", nested(63)).await.0);
    let (failed, text) = call_text(&client, "swallow", nested(64)).await;
    assert!(failed && text.contains("64 deep"), "{text}");
    let long = json!({ "value": "a".repeat(1000) });
    let (failed, text) = call_text(&client, "swallow", long).await;
    assert!(failed && text.contains("accepts 1000"), "{text}");
    log.assert_valid();
}

#[tokio::test]
async fn concurrency_limit_is_per_client() {
    let server = server().max_concurrent_calls_per_client(1).build().unwrap();
    let client = |name: &str| {
        let (builder, log) = checked_client(Revision::NEWEST);
        let connected = builder
            .principal(Principal::new(name))
            .connect(server.clone());
        async move { (Arc::new(connected.await.unwrap()), log) }
    };
    let ((alice, log), (bob, other)) = (client("alice").await, client("bob").await);
    let waiting = {
        let alice = Arc::clone(&alice);
        tokio::spawn(async move { call_text(&alice, "share", json!({})).await })
    };
    let echo = async |client: &Client| call_tool(client, "echo", json!({ "text": "a" })).await;
    while echo(&alice).await.is_ok() {
        tokio::task::yield_now().await;
    }
    assert_eq!(echo(&alice).await.unwrap_err()["code"], -31429);
    assert!(echo(&bob).await.is_ok());
    SHARE.notify_one();
    assert_eq!(waiting.await.unwrap(), (false, "done".to_owned()));
    assert!(echo(&alice).await.is_ok());
    log.assert_valid();
    other.assert_valid();
}

#[tokio::test]
async fn serial_tool_queues_and_full_server_rejects() {
    let server = server().max_concurrent_calls(2);
    let (client, log) = alice_with_scopes(server, Revision::NEWEST, &[]).await;
    let client = Arc::new(client);
    let waiting = [0, 1].map(|_| {
        let client = Arc::clone(&client);
        tokio::spawn(async move { call_text(&client, "wait", json!({})).await })
    });
    while WAITING.load(Ordering::SeqCst) == 0
        || call_tool(&client, "echo", json!({ "text": "a" }))
            .await
            .is_ok()
    {
        tokio::task::yield_now().await;
    }
    let error = call_tool(&client, "echo", json!({ "text": "a" }))
        .await
        .unwrap_err();
    assert_eq!(
        (&error["code"], &error["data"]["retryAfter"]),
        (&json!(-31429), &json!(1))
    );
    // Both calls are admitted, and one of them is queued.
    assert_eq!(WAITING.load(Ordering::SeqCst), 1);
    for call in waiting {
        GO.notify_one();
        assert_eq!(call.await.unwrap(), (false, "done".to_owned()));
    }
    assert_eq!(WAITING.load(Ordering::SeqCst), 2);
    assert!(
        call_tool(&client, "echo", json!({ "text": "a" }))
            .await
            .is_ok()
    );
    log.assert_valid();
}

#[tokio::test]
async fn custom_methods_are_authorized_limited_and_audited() {
    let method = |_: MethodCall| async { Ok(JsonObject::new()) };
    let audit = AuditLog::default();
    let server = audit
        .record(server().rate_limit(Rate::per_hour(1)))
        .method("example/open", method)
        .method("example/hidden", method)
        .authorizer(|access: &Access<'_>| match (access.kind, access.name) {
            ("method", "example/hidden") => Decision::Deny("planted".into()),
            _ => Decision::Allow,
        });
    let (client, _) = anonymous_client(server, Revision::NEWEST).await;
    assert!(client.request("example/open", json!({})).await.is_ok());
    for (method, code) in [("example/open", -31429), ("example/hidden", -32601)] {
        let error = client.request(method, json!({})).await.unwrap_err();
        let mcp_runtime::ClientError::Protocol(error) = error else {
            panic!("{error}");
        };
        assert_eq!(error.code.0, code, "{method}");
    }
    assert_eq!(audit.outcomes(), ["success", "rate_limited", "denied"]);
}
