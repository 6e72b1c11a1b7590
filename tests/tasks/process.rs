//! Tasks of a server in a process of its own, which may end at any time.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::sleep;
use std::time::Duration;

use serde_json::{Value, json};

use crate::child::{Server, run};
use crate::requests::{accepts, knowing_tasks};

/// A folder of this test alone, gone with it.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let serial = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("mcp-tasks-{}-{serial}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn database(&self) -> PathBuf {
        self.0.join("tasks.db")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A server, and how many requests it was sent.
struct Tasks {
    server: Server,
    last: u64,
}

impl Tasks {
    fn start(database: Option<&Path>) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_task-server"));
        match database {
            Some(path) => command.env("TASK_DATABASE", path),
            None => command.env_remove("TASK_DATABASE"),
        };
        let server = Server::run(&mut command);
        Self { server, last: 0 }
    }

    fn say(&mut self, method: &str, mut params: Value) -> u64 {
        self.last += 1;
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": knowing_tasks(),
        });
        let request =
            json!({ "jsonrpc": "2.0", "id": self.last, "method": method, "params": params });
        self.server.say(&request);
        self.last
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.say(method, params);
        let answer = self.server.hear();
        assert_eq!(answer["id"], id);
        answer
    }

    fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let params = json!({ "name": tool, "arguments": arguments });
        let answer = self.ask("tools/call", params);
        assert_eq!(answer["result"]["resultType"], "task", "{answer}");
        answer["result"]["taskId"].clone()
    }

    fn get(&mut self, id: &Value) -> Value {
        self.ask("tasks/get", json!({ "taskId": id }))
    }

    fn until(&mut self, id: &Value, state: &str) -> Value {
        for _ in 0..1000 {
            let task = self.get(id)["result"].take();
            if task["status"] == state {
                return task;
            }
            sleep(Duration::from_millis(10));
        }
        panic!("{id} never gets there");
    }
}

#[test]
fn what_has_ended_survives_a_crash_and_what_ran_has_failed() {
    let folder = Folder::new();
    let mut before = Tasks::start(Some(&folder.database()));
    let done = before.call("slow_compute", json!({ "seconds": 0.01, "label": "it" }));
    let working = before.call("slow_compute", json!({ "seconds": 60 }));
    let asking = before.call("confirm_delete", json!({ "filename": "a.txt" }));
    let gone = before.call("slow_compute", json!({ "seconds": 60 }));
    before.ask("tasks/cancel", json!({ "taskId": gone }));
    let ended = before.until(&done, "completed");
    before.until(&asking, "input_required");
    before.server.kill();

    let mut after = Tasks::start(Some(&folder.database()));
    assert_eq!(after.until(&done, "completed"), ended);
    assert_eq!(ended["result"]["content"][0]["text"], "it is done.");
    after.until(&gone, "cancelled");
    for id in [&working, &asking] {
        let task = after.until(id, "failed");
        let message = task["error"]["message"].as_str().unwrap();
        assert!(message.contains("the server stopped"), "{message}");
        assert_eq!(task["statusMessage"], message);
        assert_eq!(task.get("inputRequests"), None);
        // It is over, so nothing happens to it any more.
        let answers = json!({ "sure": accepts(json!({ "confirm": true })) });
        let params = json!({ "taskId": id, "inputResponses": answers });
        assert!(after.ask("tasks/update", params)["result"].is_object());
        assert!(after.ask("tasks/cancel", json!({ "taskId": id }))["result"].is_object());
        after.until(id, "failed");
    }
    let unknown = after.get(&json!("0".repeat(32)));
    assert_eq!(unknown["error"]["code"], -32602);
}

#[test]
fn a_server_that_stops_in_good_order_ends_its_tasks() {
    let folder = Folder::new();
    let mut before = Tasks::start(Some(&folder.database()));
    let working = before.call("slow_compute", json!({ "seconds": 60 }));
    before.server.hang_up();
    assert!(before.server.ended().success());

    let database = rusqlite::Connection::open(folder.database()).unwrap();
    let query = "SELECT record FROM mcp_task WHERE id = ?1";
    let kept: String = database
        .query_row(query, [working.as_str().unwrap()], |row| row.get(0))
        .unwrap();
    let kept: Value = serde_json::from_str(&kept).unwrap();
    assert_eq!(kept["task"]["status"], "failed");
}

#[test]
fn a_task_that_waits_for_its_client_keeps_no_process() {
    let mut tasks = Tasks::start(None);
    let id = tasks.call("confirm_delete", json!({ "filename": "a.txt" }));
    tasks.until(&id, "input_required");
    tasks.server.hang_up();
    assert!(tasks.server.ended().success());
}

#[test]
fn a_store_that_cannot_be_opened_stops_the_start() {
    let folder = Folder::new();
    fs::write(
        folder.database(),
        "this is no database, but a text of some length",
    )
    .unwrap();
    let mut server = Tasks::start(Some(&folder.database()));
    assert!(!server.server.ended().success());
}

#[test]
fn a_listener_over_stdio_is_told() {
    for database in [None, Some(Folder::new())] {
        let mut tasks = Tasks::start(database.as_ref().map(Folder::database).as_deref());
        let id = tasks.call("confirm_delete", json!({ "filename": "a.txt" }));
        let wanted = json!({ "notifications": { "taskIds": [id] } });
        let listen = tasks.say("subscriptions/listen", wanted);
        let acknowledged = tasks.server.hear();
        assert_eq!(
            acknowledged["params"]["notifications"]["taskIds"],
            json!([id])
        );
        let tag = &acknowledged["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"];
        assert_eq!(*tag, listen);
        while tasks.server.hear()["params"]["status"] != "input_required" {}
        let answers = json!({ "sure": accepts(json!({ "confirm": true })) });
        tasks.say(
            "tasks/update",
            json!({ "taskId": id, "inputResponses": answers }),
        );
        let mut told = Vec::new();
        while told.last() != Some(&json!("completed")) {
            let message = tasks.server.hear();
            // The answer to the update comes whenever it does, and who listens may be
            // shown what the task is besides being told of the change to it.
            let status = &message["params"]["status"];
            if message["method"] == "notifications/tasks" && status != "input_required" {
                told.push(status.clone());
            }
        }
        assert_eq!(told, ["working", "completed"]);
        let closing = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": listen } });
        tasks.server.say(&closing);
    }
}

#[test]
fn the_command_line_waits_for_a_task() {
    let program = env!("CARGO_BIN_EXE_task-server");
    let arguments = ["call", "slow_compute", "seconds=0.01", "label=it"];
    let (code, output, _) = run(program, &arguments);
    assert_eq!((code, output.trim()), (Some(0), "it is done."));
    let (code, _, errors) = run(program, &["call", "failing_job"]);
    assert_eq!((code, errors.contains("always fails")), (Some(1), true));
}
