//! TaskServerProcess of a server process, which may end at any time.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::sleep;
use std::time::Duration;

use serde_json::{Value, json};

use crate::task_client::{accepts, task_capabilities};
use support::process::{ServerProcess, run_program};

/// A temporary directory, removed when dropped.
struct TempDir(PathBuf);

impl TempDir {
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

impl Drop for TempDir {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A task server and the id of the last request.
struct TaskServerProcess {
    server: ServerProcess,
    last: u64,
}

impl TaskServerProcess {
    fn start(database: Option<&Path>) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_task-server"));
        match database {
            Some(path) => command.env("TASK_DATABASE", path),
            None => command.env_remove("TASK_DATABASE"),
        };
        let server = ServerProcess::spawn(&mut command);
        Self { server, last: 0 }
    }

    fn send(&mut self, method: &str, mut params: Value) -> u64 {
        self.last += 1;
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": task_capabilities(),
        });
        let request =
            json!({ "jsonrpc": "2.0", "id": self.last, "method": method, "params": params });
        self.server.send(&request);
        self.last
    }

    fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.send(method, params);
        let answer = self.server.receive();
        assert_eq!(answer["id"], id);
        answer
    }

    fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let params = json!({ "name": tool, "arguments": arguments });
        let answer = self.request("tools/call", params);
        assert_eq!(answer["result"]["resultType"], "task", "{answer}");
        answer["result"]["taskId"].clone()
    }

    fn get(&mut self, id: &Value) -> Value {
        self.request("tasks/get", json!({ "taskId": id }))
    }

    fn until(&mut self, id: &Value, state: &str) -> Value {
        for _ in 0..1000 {
            let task = self.get(id)["result"].take();
            if task["status"] == state {
                return task;
            }
            sleep(Duration::from_millis(10));
        }
        panic!("{id} never becomes {state}");
    }
}

#[test]
fn completed_tasks_survive_a_crash_and_running_ones_fail() {
    let folder = TempDir::new();
    let mut before = TaskServerProcess::start(Some(&folder.database()));
    let done = before.call("slow_compute", json!({ "seconds": 0.01, "label": "it" }));
    let working = before.call("slow_compute", json!({ "seconds": 60 }));
    let asking = before.call("confirm_delete", json!({ "filename": "a.txt" }));
    let cancelled = before.call("slow_compute", json!({ "seconds": 60 }));
    before.request("tasks/cancel", json!({ "taskId": cancelled }));
    let ended = before.until(&done, "completed");
    before.until(&asking, "input_required");
    before.server.kill();

    let mut after = TaskServerProcess::start(Some(&folder.database()));
    assert_eq!(after.until(&done, "completed"), ended);
    assert_eq!(ended["result"]["content"][0]["text"], "it is done.");
    after.until(&cancelled, "cancelled");
    for id in [&working, &asking] {
        let task = after.until(id, "failed");
        let message = task["error"]["message"].as_str().unwrap();
        assert!(message.contains("the server stopped"), "{message}");
        assert_eq!(task["statusMessage"], message);
        assert_eq!(task.get("inputRequests"), None);
        // The task has ended, so updates have no effect.
        let answers = json!({ "confirmation": accepts(json!({ "confirm": true })) });
        let params = json!({ "taskId": id, "inputResponses": answers });
        assert!(after.request("tasks/update", params)["result"].is_object());
        assert!(after.request("tasks/cancel", json!({ "taskId": id }))["result"].is_object());
        after.until(id, "failed");
    }
    let unknown = after.get(&json!("0".repeat(32)));
    assert_eq!(unknown["error"]["code"], -32602);
}

#[test]
fn graceful_shutdown_fails_running_tasks() {
    let folder = TempDir::new();
    let mut before = TaskServerProcess::start(Some(&folder.database()));
    let working = before.call("slow_compute", json!({ "seconds": 60 }));
    before.server.close_input();
    assert!(before.server.wait_for_exit().success());

    let database = rusqlite::Connection::open(folder.database()).unwrap();
    let query = "SELECT record FROM mcp_task WHERE id = ?1";
    let record: String = database
        .query_row(query, [working.as_str().unwrap()], |row| row.get(0))
        .unwrap();
    let record: Value = serde_json::from_str(&record).unwrap();
    assert_eq!(record["task"]["status"], "failed");
}

#[test]
fn waiting_task_does_not_keep_the_process_alive() {
    let mut tasks = TaskServerProcess::start(None);
    let id = tasks.call("confirm_delete", json!({ "filename": "a.txt" }));
    tasks.until(&id, "input_required");
    tasks.server.close_input();
    assert!(tasks.server.wait_for_exit().success());
}

#[test]
fn unreadable_task_store_fails_startup() {
    let folder = TempDir::new();
    fs::write(
        folder.database(),
        "this is not a database but a text of some length",
    )
    .unwrap();
    let mut server = TaskServerProcess::start(Some(&folder.database()));
    assert!(!server.server.wait_for_exit().success());
}

#[test]
fn task_notifications_are_sent_over_stdio() {
    for database in [None, Some(TempDir::new())] {
        let mut tasks =
            TaskServerProcess::start(database.as_ref().map(TempDir::database).as_deref());
        let id = tasks.call("confirm_delete", json!({ "filename": "a.txt" }));
        let wanted = json!({ "notifications": { "taskIds": [id] } });
        let listen = tasks.send("subscriptions/listen", wanted);
        let acknowledged = tasks.server.receive();
        assert_eq!(
            acknowledged["params"]["notifications"]["taskIds"],
            json!([id])
        );
        let subscription =
            &acknowledged["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"];
        assert_eq!(*subscription, listen);
        while tasks.server.receive()["params"]["status"] != "input_required" {}
        let answers = json!({ "confirmation": accepts(json!({ "confirm": true })) });
        tasks.send(
            "tasks/update",
            json!({ "taskId": id, "inputResponses": answers }),
        );
        let mut states = Vec::new();
        while states.last() != Some(&json!("completed")) {
            let message = tasks.server.receive();
            // The response to the update may come at any time, and the stream may
            // repeat the current state before the change.
            let status = &message["params"]["status"];
            if message["method"] == "notifications/tasks" && status != "input_required" {
                states.push(status.clone());
            }
        }
        assert_eq!(states, ["working", "completed"]);
        let closing = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": listen } });
        tasks.server.send(&closing);
    }
}

#[test]
fn command_line_waits_for_a_task() {
    let program = env!("CARGO_BIN_EXE_task-server");
    let arguments = ["call", "slow_compute", "seconds=0.01", "label=it"];
    let (code, output, _) = run_program(program, &arguments);
    assert_eq!((code, output.trim()), (Some(0), "it is done."));
    let (code, _, errors) = run_program(program, &["call", "failing_job"]);
    assert_eq!((code, errors.contains("always fails")), (Some(1), true));
}
