//! Heap memory of idle HTTP clients, and leaks after they disconnect.

use std::future::poll_fn;
use std::pin::Pin;

use allocation_counter::measure;
use http_body::Body;
use mcp_runtime::transport::{HttpBody, HttpEndpoint, HttpListener};
use mcp_runtime::{Value, prelude::*};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::runtime::{Builder, Runtime};

const CLIENTS: u64 = 1000;

/// Everything runs on one thread, so that all allocations are counted.
fn endpoint() -> (Runtime, HttpEndpoint) {
    let runtime = Builder::new_current_thread().enable_all().build().unwrap();
    let endpoint = Server::new("tests", "1").http_endpoint().unwrap();
    (runtime, endpoint)
}

fn request(headers: &[(&str, &str)], message: &Value) -> http::Request<Full> {
    let mut request = http::Request::post("/mcp")
        .header("host", "localhost")
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let body = http_body_util::Full::new(message.to_string().into_bytes().into());
    request.body(body).unwrap()
}

type Full = http_body_util::Full<bytes::Bytes>;

async fn session(endpoint: &HttpEndpoint) {
    let params = json!({
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": { "name": "probe", "version": "1" },
    });
    let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params });
    let response = endpoint.handle(request(&[], &message)).await;
    assert_eq!(response.status(), 200);
}

async fn stream(endpoint: &HttpEndpoint) -> HttpBody {
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let params = json!({ "notifications": { "toolsListChanged": true }, "_meta": meta });
    let method = "subscriptions/listen";
    let message = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
    let headers = [
        ("mcp-protocol-version", "2026-07-28"),
        ("mcp-method", method),
    ];
    let response = endpoint.handle(request(&headers, &message)).await;
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    let mut body = response.into_body();
    let first = poll_fn(|task| Pin::new(&mut body).poll_frame(task)).await;
    let first = first.unwrap().unwrap().into_data().unwrap();
    let text = String::from_utf8(first.to_vec()).unwrap();
    assert!(text.contains("notifications/subscriptions/acknowledged"));
    body
}

/// Returns the bytes per connected client, and all bytes left after they disconnect.
fn measure_clients<T>(
    runtime: &Runtime,
    open: impl AsyncFn() -> T,
    close: impl Fn(Vec<T>),
) -> (i64, i64) {
    let mut connected = 0;
    let left = measure(|| {
        let mut clients = Vec::new();
        connected = measure(|| {
            runtime.block_on(async {
                for _ in 0..CLIENTS {
                    clients.push(open().await);
                }
            });
        })
        .bytes_current;
        close(clients);
        runtime.block_on(async {
            // Tasks that notice disconnected clients run on this thread.
            for _ in 0..1000 {
                tokio::task::yield_now().await;
            }
        });
    });
    (connected / CLIENTS.cast_signed(), left.bytes_current)
}

#[test]
fn idle_session_is_small_and_leaks_nothing() {
    let (runtime, endpoint) = endpoint();
    check("session", 1_536, || {
        measure_clients(&runtime, || session(&endpoint), |_| endpoint.end_sessions())
    });
    assert_eq!(endpoint.session_count(), 0);
}

#[test]
fn idle_stream_is_small_and_leaks_nothing() {
    let (runtime, endpoint) = endpoint();
    check("stream", 4_100, || {
        measure_clients(&runtime, || stream(&endpoint), drop)
    });
    assert_eq!(endpoint.stream_count(), 0);
}

/// Over sockets, all on this thread.
#[test]
fn connection_leaks_nothing() {
    let (runtime, endpoint) = endpoint();
    let listener = runtime.block_on(HttpListener::bind("127.0.0.1:0")).unwrap();
    let address = listener.local_addr().unwrap();
    runtime.spawn(endpoint.clone().serve(listener, std::future::pending()));
    let connect = async || {
        let mut socket = TcpStream::connect(address).await.unwrap();
        let request = "PUT /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n";
        socket.write_all(request.as_bytes()).await.unwrap();
        let mut answer = [0; 12];
        socket.read_exact(&mut answer).await.unwrap();
        assert_eq!(&answer, b"HTTP/1.1 405");
        socket
    };
    check("connection", 24_000, || {
        measure_clients(&runtime, connect, drop)
    });
}

/// The first pass also allocates what is built once, such as tables that grow.
fn check(what: &str, max: i64, pass: impl Fn() -> (i64, i64)) {
    pass();
    for _ in 0..2 {
        let (connected, left) = pass();
        println!("{connected} bytes per idle {what}, {left} left after {CLIENTS}");
        assert!(connected <= max, "{connected} bytes per idle {what}");
        assert_eq!(left, 0, "an idle {what} leaks memory");
    }
}

#[test]
fn http_call_allocation_count_is_bounded() {
    let (runtime, endpoint) = endpoint();
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let params = json!({ "name": "add", "arguments": { "a": 1, "b": 2 }, "_meta": meta });
    let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
    let headers = [
        ("mcp-protocol-version", "2026-07-28"),
        ("mcp-method", "tools/call"),
        ("mcp-name", "add"),
    ];
    let mut allocations = 0;
    // The first pass also allocates what is built once.
    for _ in 0..2 {
        let request = request(&headers, &message);
        let measured = measure(|| {
            let response = runtime.block_on(endpoint.handle(request));
            assert_eq!(response.status(), 200);
        });
        allocations = measured.count_total;
    }
    assert!(allocations <= 16, "{allocations} allocations");
}
