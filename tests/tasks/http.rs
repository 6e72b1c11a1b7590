//! Tasks over HTTP: whose they are, what is told of them, and how they end.

use std::sync::LazyLock;

use mcp_runtime::auth::{Principal, StaticTokens};
use mcp_runtime::{HttpListener, MemoryTaskStore, Server};
use serde_json::{Value, json};
use tokio::runtime::Runtime;
use tokio::sync::oneshot;
use wire::{Conversation, Revision};

use crate::line::{Head, Line};
use crate::requests::{accepts, knowing_tasks, server};

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| Runtime::new().unwrap());

/// A server that knows two callers, until it is told to stop.
struct Host {
    address: std::net::SocketAddr,
    stop: oneshot::Sender<()>,
}

impl Host {
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

    fn caller(&self, token: &'static str) -> Caller {
        Caller {
            line: Line::connect(self.address),
            authorization: format!("Bearer {token}"),
            conversation: Conversation::new(Revision::V2026_07_28),
            last: 0,
        }
    }
}

/// Somebody on a connection, every message of which is checked.
struct Caller {
    line: Line,
    authorization: String,
    conversation: Conversation,
    last: u64,
}

impl Caller {
    fn send(&mut self, method: &str, mut params: Value) {
        self.last += 1;
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": knowing_tasks(),
        });
        let name = ["name", "taskId"]
            .iter()
            .find_map(|key| params[key].as_str());
        let name = name.map(str::to_owned);
        let request =
            json!({ "jsonrpc": "2.0", "id": self.last, "method": method, "params": params });
        self.conversation.check_client(&request).unwrap();
        let mut headers = vec![
            ("Authorization", &*self.authorization),
            ("Content-Type", "application/json"),
            ("Accept", "application/json, text/event-stream"),
            ("MCP-Protocol-Version", "2026-07-28"),
            ("Mcp-Method", method),
        ];
        headers.extend(name.as_deref().map(|name| ("Mcp-Name", name)));
        self.line
            .request("POST", &headers, Some(&request.to_string()));
    }

    fn ask(&mut self, method: &str, params: Value) -> (Head, Value) {
        self.send(method, params);
        let (head, body) = self.line.reply();
        let answer = self.conversation.sent_by_server_text(&body);
        (
            head,
            answer.unwrap_or_else(|problems| panic!("{body}\n{problems}")),
        )
    }

    fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let params = json!({ "name": tool, "arguments": arguments });
        let (_, answer) = self.ask("tools/call", params);
        assert_eq!(answer["result"]["resultType"], "task", "{answer}");
        answer["result"]["taskId"].clone()
    }

    /// Listens for a task on this connection; the acknowledgement has come.
    fn listen(&mut self, id: &Value) {
        let wanted = json!({ "notifications": { "taskIds": [id] } });
        self.send("subscriptions/listen", wanted);
        assert!(self.line.head().is_stream());
        let granted = &self.heard().unwrap()["params"]["notifications"]["taskIds"];
        assert_eq!(*granted, json!([id]));
    }

    /// The next message of the stream.
    fn heard(&mut self) -> Option<Value> {
        let data = self.line.event()?.data.unwrap();
        let heard = self.conversation.sent_by_server_text(&data);
        Some(heard.unwrap_or_else(|problems| panic!("{data}\n{problems}")))
    }
}

#[test]
fn a_token_is_who_a_task_belongs_to() {
    let host = Host::start(|server| server);
    let id = host
        .caller("alices")
        .call("slow_compute", json!({ "seconds": 60 }));
    for method in ["tasks/get", "tasks/update", "tasks/cancel"] {
        let mut params = json!({ "taskId": id });
        if method == "tasks/update" {
            params["inputResponses"] = json!({});
        }
        let (_, refused) = host.caller("bobs").ask(method, params.clone());
        assert_eq!(refused["error"]["code"], -32602, "{method}");
        // Refused unread, so that not even the id is known.
        let mut nobody = host.caller("nobodys");
        nobody.send(method, params);
        assert_eq!(nobody.line.reply().0.status, 401, "{method}");
    }
    // Another connection of hers is she as well.
    let (head, task) = host
        .caller("alices")
        .ask("tasks/get", json!({ "taskId": id }));
    assert_eq!(
        (head.status, &task["result"]["status"]),
        (200, &json!("working"))
    );
}

#[test]
fn what_a_full_store_does_not_keep_is_answered_itself() {
    let host = Host::start(|server| server.task_store(MemoryTaskStore::new(1)));
    let mut alice = host.caller("alices");
    alice.call("slow_compute", json!({ "seconds": 60 }));
    let slow = json!({ "name": "slow_compute", "arguments": { "seconds": 0.05 } });
    let (head, done) = alice.ask("tools/call", slow);
    assert_eq!(head.status, 200);
    assert_eq!(done["result"]["resultType"], "complete", "{done}");
}

#[test]
fn a_stream_tells_of_a_task_until_it_ends() {
    let host = Host::start(|server| server);
    let (mut alice, mut listener) = (host.caller("alices"), host.caller("alices"));
    let id = alice.call("confirm_delete", json!({ "filename": "a.txt" }));
    listener.listen(&id);
    while listener.heard().unwrap()["params"]["status"] != "input_required" {}
    let answers = json!({ "sure": accepts(json!({ "confirm": true })) });
    alice.ask(
        "tasks/update",
        json!({ "taskId": id, "inputResponses": answers }),
    );
    assert_eq!(listener.heard().unwrap()["params"]["status"], "working");
    let told = listener.heard().unwrap();
    let text = &told["params"]["result"]["content"][0]["text"];
    assert_eq!(*text, "a.txt is deleted.");
}

#[test]
fn a_server_that_stops_tells_of_its_tasks_first() {
    let host = Host::start(|server| server);
    let id = host
        .caller("alices")
        .call("slow_compute", json!({ "seconds": 60 }));
    let mut listener = host.caller("alices");
    listener.listen(&id);
    assert_eq!(listener.heard().unwrap()["params"]["status"], "working");
    host.stop.send(()).unwrap();
    let told = listener.heard().unwrap();
    assert_eq!(told["params"]["status"], "failed");
    let end = listener.heard().unwrap();
    assert_eq!(end["result"]["resultType"], "complete");
    assert_eq!(listener.heard(), None);
}
