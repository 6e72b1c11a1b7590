//! How often, how many at once, how long, how big.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use mcp_runtime::auth::Principal;
use mcp_runtime::protocol::Revision;
use mcp_runtime::{Client, ClientError, Rate};
use serde_json::json;

use crate::server::{Book, call, said, server, somebody};
use crate::talk::checked;
use crate::tools::{GO, SHARE, WAITING};

#[tokio::test]
async fn calls_beyond_the_rate_are_refused_with_the_time_to_wait() {
    let limited = server().rate_limit_of("echo", Rate::per_hour(2));
    let book = Book::default();
    let (client, log) = somebody(book.kept(limited), Revision::NEWEST, &[]).await;
    for _ in 0..2 {
        assert!(call(&client, "echo", json!({ "text": "a" })).await.is_ok());
    }
    let error = call(&client, "echo", json!({ "text": "a" }))
        .await
        .unwrap_err();
    assert_eq!(error["code"], -31429);
    let wait = error["data"]["retryAfter"].as_u64().unwrap();
    assert!((1700..=1800).contains(&wait), "{wait}");
    assert!(
        call(&client, "swallow", json!({ "value": 1 }))
            .await
            .is_ok()
    );
    log.legal();
    let expected = ["success", "success", "rate_limited", "success"];
    assert_eq!(book.outcomes(), expected);
}

#[tokio::test]
async fn completions_are_counted_apart_from_calls() {
    let argument = json!({ "name": "name", "value": "" });
    let params =
        json!({ "ref": { "type": "ref/prompt", "name": "greeting" }, "argument": argument });
    for revision in Revision::ALL {
        let limited = server()
            .rate_limit(Rate::per_hour(1))
            .rate_limit_of("completion/complete", Rate::per_hour(3));
        let (client, log) = somebody(limited, revision, &["notes:read"]).await;
        let complete = async || {
            let answer = client.exchange("completion/complete", params.clone()).await;
            answer.map_err(|error| match error {
                ClientError::Protocol(error) => error.code.0,
                error => panic!("{error}"),
            })
        };
        for _ in 0..3 {
            assert!(complete().await.is_ok(), "{revision}");
        }
        assert_eq!(complete().await, Err(-31429), "{revision}");
        // The prompt itself was not asked for yet.
        let get = json!({ "name": "greeting", "arguments": { "name": "Ada" } });
        assert!(client.exchange("prompts/get", get.clone()).await.is_ok());
        assert!(client.exchange("prompts/get", get).await.is_err());
        log.legal();
    }
}

#[tokio::test]
async fn bad_calls_count_as_well() {
    let limited = server().rate_limit(Rate::per_hour(1));
    let (client, _) = somebody(limited, Revision::NEWEST, &[]).await;
    assert!(call(&client, "echo", json!({})).await.is_ok());
    assert!(call(&client, "echo", json!({ "text": "a" })).await.is_err());
}

#[tokio::test]
async fn a_body_that_takes_too_long_is_told_to_the_model() {
    for revision in Revision::ALL {
        let book = Book::default();
        let (client, log) = somebody(book.kept(server()), revision, &[]).await;
        for tool in ["hang", "block"] {
            let (failed, text) = said(&client, tool, json!({})).await;
            assert!(failed && text.contains("within 20ms"), "{text}");
        }
        log.legal();
        assert_eq!(book.outcomes(), ["timed_out", "timed_out"]);
    }
}

#[tokio::test]
async fn a_timeout_may_be_longer_than_any_clock_tells() {
    let patient = server().timeout(Duration::MAX);
    let (client, log) = somebody(patient, Revision::NEWEST, &[]).await;
    assert_eq!(said(&client, "echo", json!({ "text": "a" })).await.1, "a");
    log.legal();
}

#[tokio::test]
async fn a_server_has_a_timeout_for_tools_without_one() {
    let book = Book::default();
    let hasty = server().timeout(Duration::from_millis(30));
    let (client, log) = somebody(book.kept(hasty), Revision::NEWEST, &[]).await;
    for (tool, limit) in [("hasty", "30ms"), ("hang", "20ms")] {
        let (failed, text) = said(&client, tool, json!({})).await;
        assert!(
            failed && text.contains(&format!("within {limit}")),
            "{text}"
        );
    }
    assert_eq!(said(&client, "echo", json!({ "text": "a" })).await.1, "a");
    log.legal();
    assert_eq!(book.outcomes(), ["timed_out", "timed_out", "success"]);
}

#[tokio::test]
async fn a_result_is_whole_or_not_sent() {
    let book = Book::default();
    let (client, log) = somebody(book.kept(server()), Revision::NEWEST, &[]).await;
    let (failed, text) = said(&client, "spill", json!({ "bytes": 1024 })).await;
    assert!(!failed && text.len() == 1024);
    for (tool, arguments) in [
        ("spill", json!({ "bytes": 1026 })),
        ("flood", json!({ "megabytes": 100 })),
    ] {
        let (failed, text) = said(&client, tool, arguments).await;
        assert!(failed && text.contains("narrow the request"), "{text}");
        assert!(text.len() < 200);
    }
    log.legal();
    assert_eq!(book.outcomes(), ["success", "too_large", "too_large"]);
}

#[tokio::test]
async fn arguments_are_bounded_in_depth_and_length() {
    let bounded = server().max_arguments(1000, 64);
    let (client, log) = somebody(bounded, Revision::NEWEST, &[]).await;
    let nested = |depth: usize| {
        let json = "[".repeat(depth) + &"]".repeat(depth);
        json!({ "value": serde_json::from_str::<serde_json::Value>(&json).unwrap() })
    };
    assert!(!said(&client, "swallow", nested(63)).await.0);
    let (failed, text) = said(&client, "swallow", nested(64)).await;
    assert!(failed && text.contains("64 deep"), "{text}");
    let long = json!({ "value": "a".repeat(1000) });
    let (failed, text) = said(&client, "swallow", long).await;
    assert!(failed && text.contains("takes 1000"), "{text}");
    log.legal();
}

#[tokio::test]
async fn a_client_has_its_own_share_of_the_calls() {
    let server = server().max_calls_per_client(1).build().unwrap();
    let client = |name: &str| {
        let (builder, log) = checked(Revision::NEWEST);
        let connected = builder
            .principal(Principal::new(name))
            .connect(server.clone());
        async move { (Arc::new(connected.await.unwrap()), log) }
    };
    let ((alice, log), (bob, other)) = (client("alice").await, client("bob").await);
    let waiting = {
        let alice = Arc::clone(&alice);
        tokio::spawn(async move { said(&alice, "share", json!({})).await })
    };
    let echo = async |client: &Client| call(client, "echo", json!({ "text": "a" })).await;
    while echo(&alice).await.is_ok() {
        tokio::task::yield_now().await;
    }
    assert_eq!(echo(&alice).await.unwrap_err()["code"], -31429);
    assert!(echo(&bob).await.is_ok());
    SHARE.notify_one();
    assert_eq!(waiting.await.unwrap(), (false, "done".to_owned()));
    assert!(echo(&alice).await.is_ok());
    log.legal();
    other.legal();
}

#[tokio::test]
async fn a_serial_tool_runs_one_call_at_a_time_and_a_full_server_refuses() {
    let full = server().max_calls(2);
    let (client, log) = somebody(full, Revision::NEWEST, &[]).await;
    let client = Arc::new(client);
    let waiting = [0, 1].map(|_| {
        let client = Arc::clone(&client);
        tokio::spawn(async move { said(&client, "wait", json!({})).await })
    });
    while WAITING.load(Ordering::SeqCst) == 0
        || call(&client, "echo", json!({ "text": "a" })).await.is_ok()
    {
        tokio::task::yield_now().await;
    }
    let error = call(&client, "echo", json!({ "text": "a" }))
        .await
        .unwrap_err();
    assert_eq!(
        (&error["code"], &error["data"]["retryAfter"]),
        (&json!(-31429), &json!(1))
    );
    // Both calls are admitted, and one of them waits for the other.
    assert_eq!(WAITING.load(Ordering::SeqCst), 1);
    for call in waiting {
        GO.notify_one();
        assert_eq!(call.await.unwrap(), (false, "done".to_owned()));
    }
    assert_eq!(WAITING.load(Ordering::SeqCst), 2);
    assert!(call(&client, "echo", json!({ "text": "a" })).await.is_ok());
    log.legal();
}
