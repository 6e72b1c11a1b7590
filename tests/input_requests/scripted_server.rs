//! An HTTP server with server responses.

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// A request of a client: its head in lower case, and its body.
#[derive(Clone, Debug)]
pub(crate) struct ReceivedRequest {
    pub(crate) head: String,
    pub(crate) body: Value,
}

impl ReceivedRequest {
    /// The JSON-RPC method, or an empty string.
    pub(crate) fn method(&self) -> &str {
        self.body["method"].as_str().unwrap_or_default()
    }

    /// Whether the head has this line.
    pub(crate) fn has(&self, line: &str) -> bool {
        self.head.lines().any(|it| it == line)
    }
}

/// A server that answers each request on a separate connection.
pub(crate) struct ScriptedServer {
    pub(crate) url: String,
    requests: Arc<Mutex<Vec<ReceivedRequest>>>,
}

impl ScriptedServer {
    /// Serves until the runtime of the test stops.
    pub(crate) async fn serve(
        answer: impl Fn(&ReceivedRequest) -> String + Send + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/mcp", listener.local_addr().unwrap());
        let requests = Arc::new(Mutex::new(Vec::new()));
        let recorded = Arc::clone(&requests);
        tokio::spawn(async move {
            while let Ok((mut socket, _)) = listener.accept().await {
                let Some(request) = read(&mut socket).await else {
                    continue;
                };
                let response = answer(&request);
                recorded.lock().unwrap().push(request);
                let _ = socket.write_all(response.as_bytes()).await;
            }
        });
        Self { url, requests }
    }

    /// All requests so far.
    pub(crate) fn requests(&self) -> Vec<ReceivedRequest> {
        self.requests.lock().unwrap().clone()
    }
}

/// Reads one request; `None` if the connection ends.
pub(crate) async fn read(socket: &mut TcpStream) -> Option<ReceivedRequest> {
    let mut bytes = Vec::new();
    loop {
        if socket.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
        let text = String::from_utf8_lossy(&bytes);
        let Some((head, body)) = text.split_once("\r\n\r\n") else {
            continue;
        };
        let head = head.to_ascii_lowercase();
        let length = head
            .lines()
            .find_map(|line| line.strip_prefix("content-length: "));
        if body.len() >= length.map_or(0, |it| it.parse().unwrap()) {
            let body = serde_json::from_str(body).unwrap_or_default();
            return Some(ReceivedRequest { head, body });
        }
    }
}

/// A response after which the connection ends.
pub(crate) fn response(status: u16, media_type: &str, body: &str) -> String {
    format!(
        "HTTP/1.1 {status} OK\r\nContent-Type: {media_type}\r\nMcp-Session-Id: s1\r\nConnection: close\r\n\r\n{body}"
    )
}

/// A successful JSON-RPC response to a request.
pub(crate) fn result(request: &ReceivedRequest, result: Value) -> String {
    let response_message = json!({ "jsonrpc": "2.0", "id": request.body["id"], "result": result });
    response(200, "application/json", &response_message.to_string())
}

/// The responses of a 2025-11-25 server to everything but its own methods.
pub(crate) fn legacy(request: &ReceivedRequest) -> String {
    match request.method() {
        "initialize" => {
            let info = json!({ "name": "scripted", "version": "1" });
            let initialized = json!({
                "protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": info,
            });
            result(request, initialized)
        }
        "" => response(405, "text/plain", "not here"),
        "server/discover" => response(404, "text/html", "<h1>What?</h1>"),
        _ => response(202, "text/plain", ""),
    }
}
