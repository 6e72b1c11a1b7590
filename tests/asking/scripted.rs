//! A server over HTTP that says what no other server here says.

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// What a client sent: the head in lower case, and the body.
#[derive(Clone, Debug)]
pub(crate) struct Heard {
    pub(crate) head: String,
    pub(crate) body: Value,
}

impl Heard {
    pub(crate) fn method(&self) -> &str {
        self.body["method"].as_str().unwrap_or_default()
    }

    pub(crate) fn has(&self, line: &str) -> bool {
        self.head.lines().any(|it| it == line)
    }
}

/// Answers each request on a connection of its own.
pub(crate) struct Scripted {
    pub(crate) url: String,
    heard: Arc<Mutex<Vec<Heard>>>,
}

impl Scripted {
    pub(crate) async fn serve(answer: impl Fn(&Heard) -> String + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/mcp", listener.local_addr().unwrap());
        let heard = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&heard);
        tokio::spawn(async move {
            while let Ok((mut socket, _)) = listener.accept().await {
                let Some(request) = read(&mut socket).await else {
                    continue;
                };
                let response = answer(&request);
                kept.lock().unwrap().push(request);
                let _ = socket.write_all(response.as_bytes()).await;
            }
        });
        Self { url, heard }
    }

    pub(crate) fn heard(&self) -> Vec<Heard> {
        self.heard.lock().unwrap().clone()
    }
}

pub(crate) async fn read(socket: &mut TcpStream) -> Option<Heard> {
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
            return Some(Heard { head, body });
        }
    }
}

/// A response after which the connection ends.
pub(crate) fn response(status: u16, media_type: &str, body: &str) -> String {
    format!(
        "HTTP/1.1 {status} OK\r\nContent-Type: {media_type}\r\nMcp-Session-Id: s1\r\nConnection: close\r\n\r\n{body}"
    )
}

/// The answer to a request.
pub(crate) fn result(heard: &Heard, result: Value) -> String {
    let answer = json!({ "jsonrpc": "2.0", "id": heard.body["id"], "result": result });
    response(200, "application/json", &answer.to_string())
}

/// The answer of a server of 2025-11-25 to what is no request of its own.
pub(crate) fn legacy(heard: &Heard) -> String {
    match heard.method() {
        "initialize" => {
            let info = json!({ "name": "scripted", "version": "1" });
            let agreed = json!({
                "protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": info,
            });
            result(heard, agreed)
        }
        "" => response(405, "text/plain", "not here"),
        "server/discover" => response(404, "text/html", "<h1>What?</h1>"),
        _ => response(202, "text/plain", ""),
    }
}
