//! HTTP error responses, unexpected responses, and broken streams.

use mcp_runtime::client::Direction;
use mcp_runtime::protocol::Revision;
use mcp_runtime::{Client, ClientError};
use serde_json::{Value, json};

use crate::gate::server;
use crate::scripted_server::{ScriptedServer, legacy, response, result};
use support::checked_client::checked_client;

const MODERN: Revision = Revision::V2026_07_28;

#[tokio::test]
async fn tools_with_invalid_headers_are_left_out() {
    let tool = |name: &str, header: &str| {
        let value = json!({ "type": "string", "x-mcp-header": header });
        json!({ "name": name, "inputSchema": { "type": "object", "properties": { "a": value } } })
    };
    let tools = json!({ "tools": [tool("good", "A"), tool("bad", "A B")] });
    let server = ScriptedServer::serve(move |request| match request.method() {
        "tools/list" => result(request, tools.clone()),
        _ => legacy(request),
    })
    .await;
    for (revision, expected) in [
        (MODERN, &["good"] as &[&str]),
        (Revision::V2025_11_25, &["good", "bad"]),
    ] {
        let builder = Client::builder().revision(revision);
        let client = builder.http(&server.url).await.unwrap();
        let tools = client.list_tools().await.unwrap();
        let names: Vec<_> = tools.iter().map(|tool| tool.name.as_str()).collect();
        assert_eq!(names, expected);
    }
}

#[tokio::test]
async fn server_without_discovery_gets_initialize() {
    let server = ScriptedServer::serve(|request| match request.method() {
        "ping" => result(request, json!({})),
        _ => legacy(request),
    })
    .await;
    let client = Client::builder().http(&server.url).await.unwrap();
    assert_eq!(client.revision(), Revision::V2025_11_25);
    client.request("ping", json!({})).await.unwrap();
    client.close().await;
    let requests = server.requests();
    let initialize = requests
        .iter()
        .find(|it| it.method() == "initialize")
        .unwrap();
    assert!(!initialize.head.contains("mcp-protocol-version"));
    let later = ["notifications/initialized", "ping"];
    for request in requests.iter().filter(|it| later.contains(&it.method())) {
        assert!(request.has("mcp-session-id: s1"), "{}", request.head);
        assert!(request.has("mcp-protocol-version: 2025-11-25"));
    }
    let ended = requests.last().unwrap();
    assert!(ended.head.starts_with("delete /mcp ") && ended.has("mcp-session-id: s1"));
}

#[tokio::test]
async fn error_status_is_not_taken_for_a_legacy_server() {
    for status in [401, 403, 429, 500, 503] {
        let server = ScriptedServer::serve(move |_| response(status, "text/plain", "no")).await;
        let error = Client::builder().http(&server.url).await.unwrap_err();
        assert!(
            matches!(error, ClientError::Http { status: actual, .. } if actual == status),
            "{error}"
        );
        assert_eq!(server.requests().len(), 1);
    }
}

#[tokio::test]
async fn unexpected_response_is_an_error() {
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
            "rejected the request: no (-32600)",
        ),
        (401, "application/json", ERROR, "HTTP status 401"),
        (404, "text/plain", "", "HTTP status 404"),
        (500, "text/plain", &"x".repeat(300), "x…"),
        (
            200,
            "text/event-stream",
            "id: 1\ndata: {}\n\n",
            "the server has disconnected",
        ),
        (
            200,
            "text/event-stream",
            "data: nonsense\n\n",
            "the server has disconnected",
        ),
    ] {
        let answer = response(status, media_type, body);
        let server = ScriptedServer::serve(move |_| answer.clone()).await;
        let builder = Client::builder().revision(MODERN);
        let client = builder.http(&server.url).await.unwrap();
        let error = client.request("tools/list", json!({})).await.unwrap_err();
        assert!(
            error.to_string().contains(expected),
            "{status} {body}: {error}"
        );
    }
}

#[tokio::test]
async fn empty_resumed_stream_is_given_up() {
    let server = ScriptedServer::serve(|request| match request.method() {
        "tools/call" => response(200, "text/event-stream", "id: 7\nretry: 1\ndata:\n\n"),
        "" if request.head.contains("last-event-id") => response(200, "text/event-stream", ""),
        _ => legacy(request),
    })
    .await;
    let builder = Client::builder().revision(Revision::V2025_11_25);
    let client = builder.http(&server.url).await.unwrap();
    let error = client.call::<Value>("any", ()).await.unwrap_err();
    assert!(matches!(error, ClientError::Disconnected), "{error}");
    let requests = server.requests();
    let resumed = requests
        .iter()
        .filter(|it| it.has("last-event-id: 7"))
        .count();
    assert_eq!(resumed, 5);
    assert_eq!(
        requests
            .iter()
            .filter(|it| it.method() == "tools/call")
            .count(),
        1
    );
}

#[tokio::test]
async fn stream_is_resumed_with_a_valid_last_event_id() {
    for (id, resumes) in [("größe", true), ("a\u{1}b", false), ("", false)] {
        let events = format!("id: 1\n\nid: {id}\nretry: 0\ndata:\n\n");
        let server = ScriptedServer::serve(move |request| match request.method() {
            "tools/call" => response(200, "text/event-stream", &events),
            "" if request.has("last-event-id: größe") => {
                let answer = r#"{"jsonrpc":"2.0","id":2,"result":{"content":[]}}"#;
                response(200, "text/event-stream", &format!("data: {answer}\n\n"))
            }
            _ => legacy(request),
        })
        .await;
        let builder = Client::builder().revision(Revision::V2025_11_25);
        let client = builder.http(&server.url).await.unwrap();
        match client.call_tool("any", ()).await {
            Ok(_) => assert!(resumes, "{id:?}"),
            Err(ClientError::Disconnected) => assert!(!resumes, "{id:?}"),
            Err(error) => panic!("{id:?}: {error}"),
        }
    }
}

#[tokio::test]
async fn configured_headers_are_sent_and_never_shown() {
    let server = ScriptedServer::serve(|request| match request.method() {
        "ping" => response(401, "text/plain", "try again"),
        _ => legacy(request),
    })
    .await;
    let builder = Client::builder()
        .bearer("hunter2")
        .header("X-Tenant", "acme7")
        .header("Mcp-Session-Id", "mine");
    let mut shown = format!("{builder:?}");
    let client = builder.http(&server.url).await.unwrap();
    let error = client.request("ping", json!({})).await.unwrap_err();
    shown += &format!("{client:?} {error} {error:?}");
    client.close().await;
    for secret in ["hunter2", "acme7", "mine"] {
        assert!(!shown.contains(secret), "{shown}");
    }
    let requests = server.requests();
    assert!(
        requests
            .iter()
            .all(|it| it.has("authorization: bearer hunter2"))
    );
    assert!(requests.iter().all(|it| it.has("x-tenant: acme7")));
    assert!(requests.last().unwrap().has("mcp-session-id: s1"));
    for (name, value) in [("a b", "c"), ("a", "b\nc")] {
        let builder = Client::builder().header(name, value).bearer("x");
        let error = builder.http(&server.url).await.unwrap_err();
        assert!(
            matches!(error, ClientError::InvalidConfig { .. }),
            "{error}"
        );
    }
}

#[tokio::test]
async fn params_that_are_not_an_object_are_rejected() {
    for revision in [Revision::V2025_11_25, Revision::V2026_07_28] {
        let (builder, log) = checked_client(revision);
        let builder = builder.on_progress(|_| {});
        let client = builder.connect(server().build().unwrap()).await.unwrap();
        let before = log.messages().len();
        for params in [json!([]), json!("text"), json!({ "_meta": "text" })] {
            let error = client.request("tools/list", params).await.unwrap_err();
            assert!(matches!(error, ClientError::ParamsNotObject(_)), "{error}");
        }
        for params in [json!([]), json!("text"), json!({ "_meta": "text" })] {
            let error = client.notify("notifications/roots/list_changed", params);
            let error = error.unwrap_err();
            assert!(matches!(error, ClientError::ParamsNotObject(_)), "{error}");
        }
        assert_eq!(log.messages().len(), before);
        assert!(client.request("tools/list", Value::Null).await.is_ok());
    }
}

#[tokio::test]
async fn null_params_are_omitted() {
    for revision in [Revision::V2025_06_18, Revision::V2025_11_25] {
        let (builder, log) = checked_client(revision);
        let client = builder.connect(server().build().unwrap()).await.unwrap();
        for params in [Value::Null, json!({ "_meta": null })] {
            client.request("ping", params.clone()).await.unwrap();
            let notification = "notifications/roots/list_changed";
            client.notify(notification, params).unwrap();
        }
        for method in ["ping", "notifications/roots/list_changed"] {
            let messages = log.sent_by(Direction::ToServer, method);
            assert_eq!(messages[0].get("params"), None);
            assert_eq!(messages[1]["params"], json!({}));
        }
    }
}
