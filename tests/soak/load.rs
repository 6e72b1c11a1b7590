use std::future::Future;
use std::net::SocketAddr;
use std::pin::Pin;

use tokio::task::JoinSet;

use crate::client::Client;

/// The number of repetitions, and the connections that are still open.
pub(crate) type LoadResult = (usize, Vec<Client>);

type Load = fn(SocketAddr) -> Pin<Box<dyn Future<Output = LoadResult>>>;

/// All loads, with their descriptions.
pub(crate) const ALL: [(&str, Load); 5] = [
    ("sessions opened and abandoned", |it| Box::pin(sessions(it))),
    ("bad requests", |it| Box::pin(bad_requests(it))),
    ("listen streams at once", |it| Box::pin(listens(it))),
    ("calls on streams at once", |it| Box::pin(calls(it))),
    ("connections killed at every step", |it| {
        Box::pin(killed(it))
    }),
];

const CONNECTIONS: usize = 50;
const SESSIONS: usize = 10_000;
const BAD_REQUESTS: usize = 10_000;
const STREAMS: usize = 1_000;

const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"soak","version":"1"}}}"#;
const META: &str = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#;

fn post(headers: &str, body: &str) -> String {
    format!(
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
         Accept: application/json, text/event-stream\r\n{headers}Content-Length: {}\r\n\r\n{body}",
        body.len()
    )
}

fn listen() -> String {
    let headers = "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: subscriptions/listen\r\n";
    let params = format!(r#"{{"notifications":{{"toolsListChanged":true}},{META}}}"#);
    let method = "subscriptions/listen";
    let body = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{params}}}"#);
    post(headers, &body)
}

fn call(tool: &str) -> String {
    let headers = format!(
        "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: {tool}\r\n"
    );
    let params = format!(r#"{{"name":"{tool}",{META}}}"#);
    let body = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{params}}}"#);
    post(&headers, &body)
}

/// Sends `count` requests over several connections and checks each status.
async fn over_connections(address: SocketAddr, count: usize, requests: Vec<(String, u16)>) {
    let requests = std::sync::Arc::new(requests);
    let mut running = JoinSet::new();
    for connection in 0..CONNECTIONS {
        let requests = std::sync::Arc::clone(&requests);
        running.spawn(async move {
            let mut client = Client::connect(address).await;
            for index in (connection..count).step_by(CONNECTIONS) {
                let (request, expected) = &requests[index % requests.len()];
                client.write(request.as_bytes()).await;
                assert_eq!(client.status().await, *expected, "{request}");
            }
        });
    }
    while let Some(done) = running.join_next().await {
        done.expect("a client does not panic");
    }
}

async fn sessions(address: SocketAddr) -> LoadResult {
    over_connections(address, SESSIONS, vec![(post("", INITIALIZE), 200)]).await;
    (SESSIONS, Vec::new())
}

async fn bad_requests(address: SocketAddr) -> LoadResult {
    let modern = "MCP-Protocol-Version: 2026-07-28\r\n";
    let get = |headers: &str| format!("GET /mcp HTTP/1.1\r\nHost: localhost\r\n{headers}\r\n");
    let requests = vec![
        (post("", "{"), 400),
        (post("", "[]"), 400),
        (
            post("", r#"{"jsonrpc":"2.0","id":1,"method":"initialize"}"#),
            200,
        ),
        (
            post("", r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#),
            400,
        ),
        (
            post(
                "Mcp-Session-Id: x\r\n",
                r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#,
            ),
            404,
        ),
        (
            post(modern, r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#),
            400,
        ),
        (post("Origin: http://evil.example\r\n", INITIALIZE), 403),
        (get("Accept: text/html\r\n"), 406),
        (get(""), 400),
        (get("Mcp-Session-Id: x\r\n"), 404),
        (
            "DELETE /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n".to_owned(),
            400,
        ),
        (
            "GET /other HTTP/1.1\r\nHost: localhost\r\n\r\n".to_owned(),
            404,
        ),
        (
            "PUT /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n".to_owned(),
            405,
        ),
        (
            "GET /mcp HTTP/1.1\r\nHost: evil.example\r\n\r\n".to_owned(),
            403,
        ),
    ];
    over_connections(address, BAD_REQUESTS, requests).await;
    (BAD_REQUESTS, Vec::new())
}

/// Idle listen streams after their acknowledgement.
async fn listens(address: SocketAddr) -> LoadResult {
    streams(address, &listen(), b"subscriptions/acknowledged").await
}

/// Calls in flight after a keep-alive comment.
async fn calls(address: SocketAddr) -> LoadResult {
    streams(address, &call("forever"), b": keep-alive\n\n").await
}

/// Opens streams at once and waits until `sent` arrives on each.
async fn streams(address: SocketAddr, request: &str, sent: &'static [u8]) -> LoadResult {
    let mut running = JoinSet::new();
    for _ in 0..STREAMS {
        let request = request.to_owned();
        running.spawn(async move {
            let mut client = Client::connect(address).await;
            client.write(request.as_bytes()).await;
            client.read_to(sent).await;
            client
        });
    }
    (STREAMS, running.join_all().await)
}

/// Connections closed after each byte of a request, and within the response.
async fn killed(address: SocketAddr) -> LoadResult {
    let requests = [
        post("", INITIALIZE),
        listen(),
        call("soon"),
        call("forever"),
    ];
    let mut count = 0;
    for request in &requests {
        for end in 0..=request.len() {
            let mut client = Client::connect(address).await;
            client.write(&request.as_bytes()[..end]).await;
            count += 1;
        }
        for read in ["HTTP", "\r\n\r\n"] {
            let mut client = Client::connect(address).await;
            client.write(request.as_bytes()).await;
            client.read_to(read.as_bytes()).await;
            count += 1;
        }
    }
    (count, Vec::new())
}
