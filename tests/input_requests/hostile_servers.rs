//! Clients of servers that send or hold too much.

use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use mcp_runtime::client::ServerMessage;
use mcp_runtime::protocol::Revision;
use mcp_runtime::{Client, ClientError};
use serde_json::{Value, json};

use crate::scripted_server::{ScriptedServer, legacy, result};

/// A shell script that is a server of 2025-11-25 and runs `script` after the handshake.
fn server(script: &str) -> Command {
    let initialized = r#"{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"sh","version":"1"}}}"#;
    let script = format!("read initialize; echo '{initialized}'; read initialized; {script}");
    let mut command = Command::new("sh");
    command.args(["-c", &script]);
    command
}

async fn connect(script: &str) -> Client {
    let builder = Client::builder().revision(Revision::V2025_11_25);
    let builder = builder.timeout(Duration::from_secs(60));
    builder.spawn(server(script)).await.unwrap()
}

fn ping() -> (&'static str, Value) {
    ("ping", Value::Null)
}

#[tokio::test]
async fn endless_line_ends_the_connection() {
    let client = connect("read ping; yes a | tr -d '\\n'").await;
    for _ in 0..2 {
        let (method, params) = ping();
        let error = client.request(method, params).await.unwrap_err();
        assert!(
            matches!(error, ClientError::MessageTooLong { .. }),
            "{error}"
        );
    }
    client.close().await;
}

#[tokio::test]
async fn server_that_does_not_read_cannot_fill_the_memory() {
    let client = connect("exec sleep 120").await;
    let text = "x".repeat(1024 * 1024);
    let sent = (0..200)
        .take_while(|_| {
            let params = json!({ "text": text });
            client.notify("notifications/example", params).is_ok()
        })
        .count();
    assert!((60..70).contains(&sent), "{sent}");
    // A request waits for room, and closing ends the wait.
    let (method, params) = ping();
    let request = client.request(method, json!({ "text": text, "p": params }));
    let waiting = tokio::time::timeout(Duration::from_millis(100), request);
    assert!(waiting.await.is_err());
    client.close().await;
}

#[tokio::test]
async fn requests_of_a_server_are_limited() {
    const REQUESTS: usize = 2000;
    // The script ends the flood with a response once all others were rejected.
    let script = format!(
        r#"read ping
        for i in $(seq {REQUESTS}); do echo '{{"jsonrpc":"2.0","id":"r'$i'","method":"sampling/createMessage","params":{{}}}}'; done
        for i in $(seq {}); do read response; done
        echo '{{"jsonrpc":"2.0","id":2,"result":'"$response"'}}'
        read end"#,
        REQUESTS - 256
    );
    let client = connect(&script).await;
    let running = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&running);
    client.duplex().set_handler(move |_: ServerMessage| {
        counted.fetch_add(1, Ordering::SeqCst);
        std::future::pending()
    });
    let (method, params) = ping();
    let rejected = client.request(method, params).await.unwrap();
    assert_eq!(rejected["error"]["code"], -32603);
    assert!(running.load(Ordering::SeqCst) <= 256);
    client.close().await;
}

#[tokio::test]
async fn pages_are_limited_in_bytes() {
    let server = ScriptedServer::serve(|request| match request.method() {
        "tools/list" => {
            let text = "x".repeat(8 * 1024 * 1024);
            let tool = json!({ "name": "t", "description": text, "inputSchema": {} });
            result(request, json!({ "tools": [tool], "nextCursor": "next" }))
        }
        _ => legacy(request),
    })
    .await;
    let builder = Client::builder().revision(Revision::V2025_11_25);
    let client = builder.http(&server.url).await.unwrap();
    let error = client.list_tools().await.unwrap_err();
    assert!(matches!(error, ClientError::ListTooLong { .. }), "{error}");
    let pages = server.requests();
    let pages = pages.iter().filter(|it| it.method() == "tools/list");
    assert_eq!(pages.count(), 8);
}

/// Whether a process runs; a zombie does not.
#[cfg(unix)]
fn is_alive(id: &str) -> bool {
    let mut ps = Command::new("ps");
    let state = ps.args(["-o", "state=", "-p", id]).output().unwrap().stdout;
    let state = String::from_utf8_lossy(&state);
    !state.trim().is_empty() && !state.trim().starts_with('Z')
}

#[cfg(unix)]
#[tokio::test]
async fn closing_ends_the_processes_that_a_server_started() {
    // The first one ends at SIGTERM, the second one does not.
    let check = async |started: &str| {
        let respond = r#"echo '{"jsonrpc":"2.0","id":2,"result":{"id":'$!'}}'"#;
        let client = connect(&format!("{started} & read ping; {respond}; read end")).await;
        let (method, params) = ping();
        let id = client.request(method, params).await.unwrap()["id"].to_string();
        assert!(is_alive(&id));
        client.close().await;
        assert!(!is_alive(&id), "{started}");
    };
    let ignores = "(trap '' TERM; for i in $(seq 600); do sleep 0.1; done)";
    tokio::join!(check("sleep 60"), check(ignores));
}
