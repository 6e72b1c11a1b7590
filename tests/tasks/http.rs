//! Tasks over HTTP: ownership, notifications and shutdown.

use std::sync::LazyLock;

use mcp_runtime::Server;
use mcp_runtime::auth::{Principal, StaticTokens};
use mcp_runtime::task::MemoryTaskStore;
use mcp_runtime::transport::HttpListener;
use serde_json::{Value, json};
use support::wire::{Conversation, Revision};
use tokio::runtime::Runtime;
use tokio::sync::oneshot;

use crate::task_client::{accepts, server, task_capabilities};
use support::http_connection::{HttpConnection, ResponseHead};

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| Runtime::new().unwrap());

/// A server with two known tokens.
struct TaskServer {
    address: std::net::SocketAddr,
    stop: oneshot::Sender<()>,
}

impl TaskServer {
    fn start(adjust: impl FnOnce(Server) -> Server) -> Self {
        let tokens = StaticTokens::new()
            .token("alices", Principal::new("alice"))
            .token("bobs", Principal::new("bob"));
        let server = adjust(server().authenticate(tokens).allow_local());
        let endpoint = server.http_endpoint().unwrap();
        let listener = RUNTIME.block_on(HttpListener::bind("127.0.0.1:0")).unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel();
        let stopped = async { drop(stopped.await) };
        RUNTIME.spawn(endpoint.serve(listener, stopped));
        Self { address, stop }
    }

    fn client(&self, token: &'static str) -> TaskClient {
        TaskClient {
            connection: HttpConnection::connect(self.address),
            authorization: format!("Bearer {token}"),
            conversation: Conversation::new(Revision::V2026_07_28),
            last: 0,
        }
    }
}

/// A client with a token, with every message checked.
struct TaskClient {
    connection: HttpConnection,
    authorization: String,
    conversation: Conversation,
    last: u64,
}

impl TaskClient {
    fn send(&mut self, method: &str, mut params: Value) {
        self.last += 1;
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": task_capabilities(),
        });
        let name = ["name", "taskId"]
            .iter()
            .find_map(|key| params[key].as_str());
        let name = name.map(str::to_owned);
        let request =
            json!({ "jsonrpc": "2.0", "id": self.last, "method": method, "params": params });
        self.conversation.check_client_message(&request).unwrap();
        let mut headers = vec![
            ("Authorization", &*self.authorization),
            ("Content-Type", "application/json"),
            ("Accept", "application/json, text/event-stream"),
            ("MCP-Protocol-Version", "2026-07-28"),
            ("Mcp-Method", method),
        ];
        headers.extend(name.as_deref().map(|name| ("Mcp-Name", name)));
        self.connection
            .send_request("POST", &headers, Some(&request.to_string()));
    }

    fn request(&mut self, method: &str, params: Value) -> (ResponseHead, Value) {
        self.send(method, params);
        let (head, body) = self.connection.read_response();
        let answer = self.conversation.sent_by_server_text(&body);
        (
            head,
            answer.unwrap_or_else(|problems| panic!("{body}\n{problems}")),
        )
    }

    fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let params = json!({ "name": tool, "arguments": arguments });
        let (_, answer) = self.request("tools/call", params);
        assert_eq!(answer["result"]["resultType"], "task", "{answer}");
        answer["result"]["taskId"].clone()
    }

    /// Opens a listen stream for a task and reads the acknowledgement.
    fn listen(&mut self, id: &Value) {
        let wanted = json!({ "notifications": { "taskIds": [id] } });
        self.send("subscriptions/listen", wanted);
        assert!(self.connection.read_head().is_stream());
        let granted = &self.next_message().unwrap()["params"]["notifications"]["taskIds"];
        assert_eq!(*granted, json!([id]));
    }

    /// Reads the next message of the stream.
    fn next_message(&mut self) -> Option<Value> {
        let data = self.connection.next_event()?.data.unwrap();
        let message = self.conversation.sent_by_server_text(&data);
        Some(message.unwrap_or_else(|problems| panic!("{data}\n{problems}")))
    }
}

#[test]
fn task_belongs_to_its_bearer_token() {
    let server = TaskServer::start(|server| server);
    let id = server
        .client("alices")
        .call("slow_compute", json!({ "seconds": 60 }));
    for method in ["tasks/get", "tasks/update", "tasks/cancel"] {
        let mut params = json!({ "taskId": id });
        if method == "tasks/update" {
            params["inputResponses"] = json!({});
        }
        let (_, rejected) = server.client("bobs").request(method, params.clone());
        assert_eq!(rejected["error"]["code"], -32602, "{method}");
        // Rejected before parsing, so the response has no id.
        let mut unknown = server.client("unknown");
        unknown.send(method, params);
        assert_eq!(unknown.connection.read_response().0.status, 401, "{method}");
    }
    // Another connection with the same token has access.
    let (head, task) = server
        .client("alices")
        .request("tasks/get", json!({ "taskId": id }));
    assert_eq!(
        (head.status, &task["result"]["status"]),
        (200, &json!("working"))
    );
}

#[test]
fn full_store_returns_the_result_directly() {
    let server = TaskServer::start(|server| server.task_store(MemoryTaskStore::new(1)));
    let mut alice = server.client("alices");
    alice.call("slow_compute", json!({ "seconds": 60 }));
    let slow = json!({ "name": "slow_compute", "arguments": { "seconds": 0.05 } });
    let (head, done) = alice.request("tools/call", slow);
    assert_eq!(head.status, 200);
    assert_eq!(done["result"]["resultType"], "complete", "{done}");
}

#[test]
fn listen_stream_reports_a_task_until_it_ends() {
    let server = TaskServer::start(|server| server);
    let (mut alice, mut listener) = (server.client("alices"), server.client("alices"));
    let id = alice.call("confirm_delete", json!({ "filename": "a.txt" }));
    listener.listen(&id);
    while listener.next_message().unwrap()["params"]["status"] != "input_required" {}
    let answers = json!({ "confirmation": accepts(json!({ "confirm": true })) });
    alice.request(
        "tasks/update",
        json!({ "taskId": id, "inputResponses": answers }),
    );
    assert_eq!(
        listener.next_message().unwrap()["params"]["status"],
        "working"
    );
    let message = listener.next_message().unwrap();
    let text = &message["params"]["result"]["content"][0]["text"];
    assert_eq!(*text, "a.txt is deleted.");
}

#[test]
fn shutdown_reports_tasks_before_closing_streams() {
    let server = TaskServer::start(|server| server);
    let id = server
        .client("alices")
        .call("slow_compute", json!({ "seconds": 60 }));
    let mut listener = server.client("alices");
    listener.listen(&id);
    assert_eq!(
        listener.next_message().unwrap()["params"]["status"],
        "working"
    );
    server.stop.send(()).unwrap();
    let message = listener.next_message().unwrap();
    assert_eq!(message["params"]["status"], "failed");
    let end = listener.next_message().unwrap();
    assert_eq!(end["result"]["resultType"], "complete");
    assert_eq!(listener.next_message(), None);
}
