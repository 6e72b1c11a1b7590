//! Servers over HTTP that say no, or nothing that can be understood.

use mcp_runtime::protocol::Revision;
use mcp_runtime::{Client, ClientError, Side};
use serde_json::{Value, json};

use crate::gate::server;
use crate::scripted::{Scripted, legacy, response, result};
use crate::talk::checked;

const MODERN: Revision = Revision::V2026_07_28;

#[tokio::test]
async fn tools_that_may_not_be_called_are_left_out() {
    let tool = |name: &str, header: &str| {
        let value = json!({ "type": "string", "x-mcp-header": header });
        json!({ "name": name, "inputSchema": { "type": "object", "properties": { "a": value } } })
    };
    let tools = json!({ "tools": [tool("good", "A"), tool("bad", "A B")] });
    let scripted = Scripted::serve(move |heard| match heard.method() {
        "tools/list" => result(heard, tools.clone()),
        _ => legacy(heard),
    })
    .await;
    for (revision, expected) in [
        (MODERN, &["good"] as &[&str]),
        (Revision::V2025_11_25, &["good", "bad"]),
    ] {
        let builder = Client::builder().revision(revision);
        let client = builder.http(&scripted.url).await.unwrap();
        let tools = client.list_tools().await.unwrap();
        let names: Vec<_> = tools.iter().map(|tool| tool.name.as_str()).collect();
        assert_eq!(names, expected);
    }
}

#[tokio::test]
async fn a_server_that_knows_no_discovery_is_shaken_hands_with() {
    let scripted = Scripted::serve(|heard| match heard.method() {
        "ping" => result(heard, json!({})),
        _ => legacy(heard),
    })
    .await;
    let client = Client::builder().http(&scripted.url).await.unwrap();
    assert_eq!(client.revision(), Revision::V2025_11_25);
    client.request("ping", json!({})).await.unwrap();
    client.close().await;
    let heard = scripted.heard();
    let initialize = heard.iter().find(|it| it.method() == "initialize").unwrap();
    assert!(!initialize.head.contains("mcp-protocol-version"));
    let later = ["notifications/initialized", "ping"];
    for request in heard.iter().filter(|it| later.contains(&it.method())) {
        assert!(request.has("mcp-session-id: s1"), "{}", request.head);
        assert!(request.has("mcp-protocol-version: 2025-11-25"));
    }
    let ended = heard.last().unwrap();
    assert!(ended.head.starts_with("delete /mcp ") && ended.has("mcp-session-id: s1"));
}

#[tokio::test]
async fn a_server_that_lets_nobody_in_is_not_taken_for_an_old_one() {
    for status in [401, 403, 429, 500, 503] {
        let scripted = Scripted::serve(move |_| response(status, "text/plain", "no")).await;
        let error = Client::builder().http(&scripted.url).await.unwrap_err();
        assert!(
            matches!(error, ClientError::Http { status: told, .. } if told == status),
            "{error}"
        );
        assert_eq!(scripted.heard().len(), 1);
    }
}

#[tokio::test]
async fn what_is_no_answer_is_an_error_at_once() {
    const ERROR: &str = r#"{"jsonrpc":"2.0","error":{"code":-32600,"message":"no"}}"#;
    const OTHER: &str = r#"{"jsonrpc":"2.0","id":99,"result":{}}"#;
    for (status, media_type, body, expected) in [
        (
            200,
            "text/html",
            "<p>Hello</p>",
            "HTTP status 200: <p>Hello</p>",
        ),
        (200, "application/json", OTHER, "HTTP status 200: {"),
        (202, "application/json", "", "HTTP status 202"),
        (302, "text/plain", "elsewhere", "HTTP status 302: elsewhere"),
        (
            400,
            "application/json",
            ERROR,
            "refused the request: no (-32600)",
        ),
        (401, "application/json", ERROR, "HTTP status 401"),
        (404, "text/plain", "", "HTTP status 404"),
        (500, "text/plain", &"x".repeat(300), "x…"),
        (
            200,
            "text/event-stream",
            "id: 1\ndata: {}\n\n",
            "the server is gone",
        ),
        (
            200,
            "text/event-stream",
            "data: nonsense\n\n",
            "the server is gone",
        ),
    ] {
        let answer = response(status, media_type, body);
        let scripted = Scripted::serve(move |_| answer.clone()).await;
        let builder = Client::builder().revision(MODERN);
        let client = builder.http(&scripted.url).await.unwrap();
        let error = client.request("tools/list", json!({})).await.unwrap_err();
        assert!(
            error.to_string().contains(expected),
            "{status} {body}: {error}"
        );
    }
}

#[tokio::test]
async fn a_stream_that_brings_nothing_is_given_up() {
    let scripted = Scripted::serve(|heard| match heard.method() {
        "tools/call" => response(200, "text/event-stream", "id: 7\nretry: 1\ndata:\n\n"),
        "" if heard.head.contains("last-event-id") => response(200, "text/event-stream", ""),
        _ => legacy(heard),
    })
    .await;
    let builder = Client::builder().revision(Revision::V2025_11_25);
    let client = builder.http(&scripted.url).await.unwrap();
    let error = client.call::<Value>("any", ()).await.unwrap_err();
    assert!(matches!(error, ClientError::Disconnected), "{error}");
    let heard = scripted.heard();
    let resumed = heard.iter().filter(|it| it.has("last-event-id: 7")).count();
    assert_eq!(resumed, 5);
    assert_eq!(
        heard
            .iter()
            .filter(|it| it.method() == "tools/call")
            .count(),
        1
    );
}

#[tokio::test]
async fn a_stream_is_resumed_after_its_last_id_or_not_at_all() {
    for (id, resumes) in [("größe", true), ("a\u{1}b", false), ("", false)] {
        let begun = format!("id: 1\n\nid: {id}\nretry: 0\ndata:\n\n");
        let scripted = Scripted::serve(move |heard| match heard.method() {
            "tools/call" => response(200, "text/event-stream", &begun),
            "" if heard.has("last-event-id: größe") => {
                let answer = r#"{"jsonrpc":"2.0","id":2,"result":{"content":[]}}"#;
                response(200, "text/event-stream", &format!("data: {answer}\n\n"))
            }
            _ => legacy(heard),
        })
        .await;
        let builder = Client::builder().revision(Revision::V2025_11_25);
        let client = builder.http(&scripted.url).await.unwrap();
        match client.call_tool("any", ()).await {
            Ok(_) => assert!(resumes, "{id:?}"),
            Err(ClientError::Disconnected) => assert!(!resumes, "{id:?}"),
            Err(error) => panic!("{id:?}: {error}"),
        }
    }
}

#[tokio::test]
async fn what_the_user_adds_goes_with_every_request_and_nowhere_else() {
    let scripted = Scripted::serve(|heard| match heard.method() {
        "ping" => response(401, "text/plain", "try again"),
        _ => legacy(heard),
    })
    .await;
    let builder = Client::builder()
        .bearer("hunter2")
        .header("X-Tenant", "acme7")
        .header("Mcp-Session-Id", "mine");
    let mut shown = format!("{builder:?}");
    let client = builder.http(&scripted.url).await.unwrap();
    let error = client.request("ping", json!({})).await.unwrap_err();
    shown += &format!("{client:?} {error} {error:?}");
    client.close().await;
    for secret in ["hunter2", "acme7", "mine"] {
        assert!(!shown.contains(secret), "{shown}");
    }
    let heard = scripted.heard();
    assert!(
        heard
            .iter()
            .all(|it| it.has("authorization: bearer hunter2"))
    );
    assert!(heard.iter().all(|it| it.has("x-tenant: acme7")));
    assert!(heard.last().unwrap().has("mcp-session-id: s1"));
    for (name, value) in [("a b", "c"), ("a", "b\nc")] {
        let builder = Client::builder().header(name, value).bearer("x");
        let error = builder.http(&scripted.url).await.unwrap_err();
        assert!(matches!(error, ClientError::Address { .. }), "{error}");
    }
}

#[tokio::test]
async fn parameters_that_are_no_object_are_not_sent() {
    for revision in [Revision::V2025_11_25, Revision::V2026_07_28] {
        let (builder, log) = checked(revision);
        let builder = builder.on_progress(|_| {});
        let client = builder.connect(server().build().unwrap()).await.unwrap();
        let before = log.legal().len();
        for params in [json!([]), json!("text"), json!({ "_meta": "text" })] {
            let error = client.request("tools/list", params).await.unwrap_err();
            assert!(matches!(error, ClientError::NoObject(_)), "{error}");
        }
        for params in [json!([]), json!("text"), json!({ "_meta": "text" })] {
            let error = client.notify("notifications/roots/list_changed", params);
            let error = error.unwrap_err();
            assert!(matches!(error, ClientError::NoObject(_)), "{error}");
        }
        assert_eq!(log.legal().len(), before);
        assert!(client.request("tools/list", Value::Null).await.is_ok());
    }
}

#[tokio::test]
async fn parameters_that_are_null_are_left_out() {
    for revision in [Revision::V2025_06_18, Revision::V2025_11_25] {
        let (builder, log) = checked(revision);
        let client = builder.connect(server().build().unwrap()).await.unwrap();
        for params in [Value::Null, json!({ "_meta": null })] {
            client.request("ping", params.clone()).await.unwrap();
            let told = "notifications/roots/list_changed";
            client.notify(told, params).unwrap();
        }
        for method in ["ping", "notifications/roots/list_changed"] {
            let said = log.said(Side::Client, method);
            assert_eq!(said[0].get("params"), None);
            assert_eq!(said[1]["params"], json!({}));
        }
    }
}
