//! A client that starts calls and closes each connection at once.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use mcp_runtime::prelude::*;
use mcp_runtime::transport::HttpOptions;
use serde_json::json;
use support::http_client::HttpClient;
use support::http_server::HttpServer;
use support::wire::Revision;

static RUNNING: AtomicUsize = AtomicUsize::new(0);
static WAITING: AtomicBool = AtomicBool::new(false);

struct Running;

impl Drop for Running {
    fn drop(&mut self) {
        RUNNING.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Never ends.
#[tool]
async fn never_ends() -> &'static str {
    RUNNING.fetch_add(1, Ordering::SeqCst);
    let _running = Running;
    std::future::pending().await
}

/// Never ends, and is not counted.
#[tool]
async fn waits() -> &'static str {
    WAITING.store(true, Ordering::SeqCst);
    std::future::pending().await
}

/// Asks for a confirmation that never comes.
#[json]
struct Answer {
    /// Whether to go on.
    go_on: bool,
}

/// Asks the client.
#[tool]
async fn asks(ctx: &Context) -> Result<&'static str, ToolError> {
    RUNNING.fetch_add(1, Ordering::SeqCst);
    let _running = Running;
    ctx.elicit::<Answer>("answer", "Go on?").await?;
    Ok("done")
}

/// The calls that run at once in a session.
const SESSION_CALLS: usize = 256;
/// More than all requests and calls that the server of this test may have.
const CALLS: usize = 600;

#[test]
fn abandoned_calls_hold_no_request_and_leave_others_served() {
    let options = HttpOptions::new().max_requests(400);
    let server = mcp_runtime::Server::new("tests", "1.0.0").http(options);
    let server = HttpServer::start(server);
    let mut owner = HttpClient::initialized(&server, Revision::V2025_11_25);
    let mut first = None;
    for number in 0..CALLS {
        let tool = if number % 2 == 0 {
            "never_ends"
        } else {
            "asks"
        };
        let call = owner.new_call(tool, json!({}));
        first.get_or_insert(call["id"].clone());
        owner.send(&call, &[]);
        if number < SESSION_CALLS {
            wait_until(|| RUNNING.load(Ordering::SeqCst) == number + 1);
        } else {
            let head = owner.connection.read_head();
            assert_eq!((head.status, head.header("retry-after")), (503, Some("1")));
        }
        owner.reconnect(&server).close();
    }

    // A new client is served, and may call.
    let mut other = HttpClient::initialized(&server, Revision::V2025_11_25);
    assert_eq!(other.request("tools/list", json!({})).0, 200);
    let call = other.new_call("never_ends", json!({}));
    other.send(&call, &[]);
    wait_until(|| RUNNING.load(Ordering::SeqCst) == SESSION_CALLS + 1);
    let waiting = other.reconnect(&server);

    // The owner can cancel, and end the session with all its calls.
    let params = json!({ "requestId": first });
    let cancel = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params });
    assert_eq!(owner.post(&cancel, &[]).0.status, 202);
    let session = owner.session_id.clone().unwrap();
    let headers = [("Mcp-Session-Id", session.as_str())];
    owner.connection.send_request("DELETE", &headers, None);
    assert_eq!(owner.connection.read_response().0.status, 204);
    wait_until(|| RUNNING.load(Ordering::SeqCst) <= 1);
    waiting.close();
}

#[test]
fn calls_can_be_cancelled_while_all_requests_are_served() {
    let options = HttpOptions::new().max_requests(1);
    let server = HttpServer::start(mcp_runtime::Server::new("tests", "1.0.0").http(options));
    let mut client = HttpClient::initialized(&server, Revision::V2025_06_18);
    let call = client.new_call("waits", json!({}));
    client.send(&call, &[]);
    let mut waiting = client.reconnect(&server);
    wait_until(|| WAITING.load(Ordering::SeqCst));
    assert_eq!(client.post(&list(), &[]).0.status, 503);
    let params = json!({ "requestId": call["id"] });
    let cancel = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params });
    assert_eq!(client.post(&cancel, &[]).0.status, 202);
    assert_eq!(waiting.read_head().status, 202);
}

fn wait_until(mut condition: impl FnMut() -> bool) {
    let deadline = std::time::Instant::now() + support::http_connection::TIMEOUT;
    while !condition() {
        assert!(std::time::Instant::now() < deadline);
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// A request with an id of its own.
fn list() -> serde_json::Value {
    static NEXT: AtomicUsize = AtomicUsize::new(1_000);
    let id = NEXT.fetch_add(1, Ordering::SeqCst);
    json!({ "jsonrpc": "2.0", "id": id, "method": "tools/list", "params": {} })
}
