//! How long tasks are kept, how many, and for whom.

use std::sync::Mutex;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use mcp_runtime::auth::Principal;
use mcp_runtime::{Client, MemoryTaskStore, TaskRecord, TaskStore, TaskStoreError};
use serde_json::{Value, json};

use crate::requests::{KNOWS_TASKS, ask, call, connect, knowing_tasks, probe, server, until};

const SLOW: &str = "slow_compute";

/// The error of a request that must fail.
async fn refusal(client: &Client, method: &str, mut params: Value) -> Value {
    params["_meta"] = json!({ "io.modelcontextprotocol/clientCapabilities": knowing_tasks() });
    match client.exchange(method, params).await.unwrap_err() {
        mcp_runtime::ClientError::Protocol(error) => json!(error),
        error => panic!("{error}"),
    }
}

#[tokio::test]
async fn what_a_full_store_does_not_keep_is_a_call() {
    let server = server().task_store(MemoryTaskStore::new(1));
    let (client, log) = connect(server.task_ttl(Duration::from_secs(90))).await;
    call(&client, SLOW, json!({ "seconds": 60 })).await;
    let done = call(&client, SLOW, json!({ "seconds": 0.05, "label": "it" })).await;
    assert_eq!(done["resultType"], "complete", "{done}");
    assert_eq!(done["content"][0]["text"], "it is done.");
    log.legal();
}

#[derive(Debug)]
struct Broken;

impl TaskStore for Broken {
    fn put(&self, _: TaskRecord) -> Result<(), TaskStoreError> {
        Err(TaskStoreError::Failed(
            "the disk of /srv/secret is gone".into(),
        ))
    }

    fn get(&self, _: &str) -> Result<Option<TaskRecord>, TaskStoreError> {
        Err(TaskStoreError::Failed(
            "the disk of /srv/secret is gone".into(),
        ))
    }
}

#[tokio::test]
async fn what_a_store_suffers_from_stays_here() {
    let (client, log) = connect(server().task_store(Broken)).await;
    let error = refusal(&client, "tasks/get", json!({ "taskId": "x" })).await;
    assert_eq!(error["code"], -32603);
    assert!(!error.to_string().contains("secret"), "{error}");
    // What has begun is not begun again: it is answered as any call.
    let done = call(&client, SLOW, json!({ "seconds": 0.05, "label": "it" })).await;
    assert_eq!(done["resultType"], "complete", "{done}");
    assert_eq!(done["content"][0]["text"], "it is done.");
    log.legal();
}

/// Takes its time to read until the test lets it.
#[derive(Debug)]
struct Slow(Mutex<Receiver<()>>);

impl TaskStore for Slow {
    fn put(&self, _: TaskRecord) -> Result<(), TaskStoreError> {
        Ok(())
    }

    fn get(&self, _: &str) -> Result<Option<TaskRecord>, TaskStoreError> {
        let let_go = self.0.lock().unwrap().recv();
        let_go
            .map(|()| None)
            .map_err(|error| TaskStoreError::Failed(error.into()))
    }
}

#[tokio::test]
async fn a_store_that_blocks_holds_nobody_up() {
    let (let_go, held) = channel();
    let (client, log) = connect(server().task_store(Slow(Mutex::new(held)))).await;
    let get = ask(&client, KNOWS_TASKS, "tasks/get", json!({ "taskId": "x" }));
    let meanwhile = async {
        let greeting: String = client.call("greet", [("name", "Bob")]).await.unwrap();
        let_go.send(()).unwrap();
        greeting
    };
    let (unknown, greeting) = tokio::join!(get, meanwhile);
    assert_eq!(greeting, "Hello, Bob!");
    assert_eq!(unknown, Err(-32602));
    log.legal();
}

#[tokio::test]
async fn a_task_says_how_long_and_how_often() {
    let server = server().task_ttl(Duration::from_secs(90));
    let (client, log) = connect(server.task_poll_interval(Duration::ZERO)).await;
    let task = call(&client, SLOW, json!({ "seconds": 60 })).await;
    assert_eq!(task["ttlMs"], 90_000);
    assert_eq!(task["pollIntervalMs"], 1);
    log.legal();
}

#[tokio::test]
async fn a_task_that_has_expired_is_not_there() {
    let (client, log) = connect(server().task_ttl(Duration::ZERO)).await;
    let task = call(&client, SLOW, json!({ "seconds": 60 })).await;
    for method in ["tasks/get", "tasks/cancel"] {
        let params = json!({ "taskId": task["taskId"] });
        let gone = ask(&client, KNOWS_TASKS, method, params).await;
        assert_eq!(gone, Err(-32602), "{method}");
    }
    log.legal();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_task_that_expires_at_once_is_still_the_answer_to_its_call() {
    let (client, log) = connect(server().task_ttl(Duration::ZERO)).await;
    for _ in 0..200 {
        let task = call(&client, SLOW, json!({ "seconds": 60 })).await;
        assert!(task["taskId"].is_string(), "{task}");
    }
    log.legal();
}

#[tokio::test]
async fn a_task_belongs_to_who_made_it() {
    let dispatcher = server().build().unwrap();
    let (builder, log) = probe();
    let alice = builder.principal(Principal::new("alice"));
    let alice = alice.connect(dispatcher.clone()).await.unwrap();
    let task = call(&alice, SLOW, json!({ "seconds": 60 })).await;
    let (builder, others) = probe();
    let bob = builder.principal(Principal::new("bob"));
    let bob = bob.connect(dispatcher.clone()).await.unwrap();
    let (builder, nobodys) = probe();
    let nobody = builder.connect(dispatcher).await.unwrap();
    for stranger in [&bob, &nobody] {
        for method in ["tasks/get", "tasks/update", "tasks/cancel"] {
            let mut params = json!({ "taskId": task["taskId"] });
            if method == "tasks/update" {
                params["inputResponses"] = json!({});
            }
            let refused = refusal(stranger, method, params).await;
            let unknown = json!({ "taskId": "0".repeat(32), "inputResponses": {} });
            let absent = refusal(stranger, "tasks/update", unknown).await;
            assert_eq!(refused, absent, "{method}");
            assert_eq!(refused["code"], -32602, "{method}");
        }
    }
    until(&alice, &task, &["working"]).await;
    log.legal();
    others.legal();
    nobodys.legal();
}

#[tokio::test]
async fn a_task_can_be_kept_for_ever() {
    let (client, log) = connect(server().task_ttl(Duration::MAX)).await;
    let task = call(&client, SLOW, json!({ "seconds": 60 })).await;
    assert_eq!(task["ttlMs"], Value::Null);
    until(&client, &task, &["working"]).await;
    log.legal();
}

#[tokio::test]
async fn what_is_no_answer_takes_no_question_away() {
    // The client says what it must not say, so its messages are not held to the rules.
    let (client, _) = connect(server()).await;
    let task = call(&client, "multi_input", json!({})).await;
    until(&client, &task, &["input_required"]).await;
    let answers = json!({ "first": { "action": "decline" }, "second": null });
    let params = json!({ "taskId": task["taskId"], "inputResponses": answers });
    let error = refusal(&client, "tasks/update", params).await;
    assert_eq!(error["code"], -32602);
    let still = until(&client, &task, &["input_required"]).await;
    assert_eq!(still["inputRequests"].as_object().unwrap().len(), 2);
}

#[tokio::test]
async fn an_update_without_answers_is_refused() {
    // The client says what it must not say, so its messages are not held to the rules.
    let (client, _) = connect(server()).await;
    let task = call(&client, SLOW, json!({ "seconds": 60 })).await;
    for params in [
        json!({ "taskId": task["taskId"] }),
        json!({ "taskId": task["taskId"], "inputResponses": [] }),
        json!({ "taskId": 7, "inputResponses": {} }),
    ] {
        let error = refusal(&client, "tasks/update", params).await;
        assert_eq!(error["code"], -32602);
    }
}
