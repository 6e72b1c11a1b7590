//! Retention, capacity and ownership of stored tasks.

use std::sync::Mutex;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use mcp_runtime::Client;
use mcp_runtime::auth::Principal;
use mcp_runtime::task::{MemoryTaskStore, TaskRecord, TaskStore, TaskStoreError};
use serde_json::{Value, json};

use crate::task_client::{
    SUPPORTS_TASKS, ask, call, connect, manual_client, server, task_capabilities, until,
};

const SLOW: &str = "slow_compute";

/// Sends a request that must fail and returns the error.
async fn request_error(client: &Client, method: &str, mut params: Value) -> Value {
    params["_meta"] = json!({ "io.modelcontextprotocol/clientCapabilities": task_capabilities() });
    match client.request_once(method, params).await.unwrap_err() {
        mcp_runtime::ClientError::Protocol(error) => json!(error),
        error => panic!("{error}"),
    }
}

#[tokio::test]
async fn full_store_falls_back_to_an_ordinary_call() {
    let server = server().task_store(MemoryTaskStore::new(1));
    let (client, log) = connect(server.task_ttl(Duration::from_secs(90))).await;
    call(&client, SLOW, json!({ "seconds": 60 })).await;
    let done = call(&client, SLOW, json!({ "seconds": 0.05, "label": "it" })).await;
    assert_eq!(done["resultType"], "complete", "{done}");
    assert_eq!(done["content"][0]["text"], "it is done.");
    log.assert_valid();
}

/// A store that always fails.
#[derive(Debug)]
struct FailingStore;

impl TaskStore for FailingStore {
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
async fn store_errors_are_not_shown_to_clients() {
    let (client, log) = connect(server().task_store(FailingStore)).await;
    let error = request_error(&client, "tasks/get", json!({ "taskId": "x" })).await;
    assert_eq!(error["code"], -32603);
    assert!(!error.to_string().contains("secret"), "{error}");
    // The running call is not restarted; it is answered like any call.
    let done = call(&client, SLOW, json!({ "seconds": 0.05, "label": "it" })).await;
    assert_eq!(done["resultType"], "complete", "{done}");
    assert_eq!(done["content"][0]["text"], "it is done.");
    log.assert_valid();
}

/// A store whose reads wait for the test.
#[derive(Debug)]
struct BlockingStore(Mutex<Receiver<()>>);

impl TaskStore for BlockingStore {
    fn put(&self, _: TaskRecord) -> Result<(), TaskStoreError> {
        Ok(())
    }

    fn get(&self, _: &str) -> Result<Option<TaskRecord>, TaskStoreError> {
        let released = self.0.lock().unwrap().recv();
        released
            .map(|()| None)
            .map_err(|error| TaskStoreError::Failed(error.into()))
    }
}

#[tokio::test]
async fn blocking_store_does_not_block_other_requests() {
    let (release, waiting) = channel();
    let (client, log) = connect(server().task_store(BlockingStore(Mutex::new(waiting)))).await;
    let get = ask(
        &client,
        SUPPORTS_TASKS,
        "tasks/get",
        json!({ "taskId": "x" }),
    );
    let other_call = async {
        let greeting: String = client.call("greet", [("name", "Bob")]).await.unwrap();
        release.send(()).unwrap();
        greeting
    };
    let (unknown, greeting) = tokio::join!(get, other_call);
    assert_eq!(greeting, "Hello, Bob!");
    assert_eq!(unknown, Err(-32602));
    log.assert_valid();
}

#[tokio::test]
async fn task_has_ttl_and_poll_interval() {
    let server = server().task_ttl(Duration::from_secs(90));
    let (client, log) = connect(server.task_poll_interval(Duration::ZERO)).await;
    let task = call(&client, SLOW, json!({ "seconds": 60 })).await;
    assert_eq!(task["ttlMs"], 90_000);
    assert_eq!(task["pollIntervalMs"], 1);
    log.assert_valid();
}

#[tokio::test]
async fn expired_task_is_unknown() {
    let (client, log) = connect(server().task_ttl(Duration::ZERO)).await;
    let task = call(&client, SLOW, json!({ "seconds": 60 })).await;
    for method in ["tasks/get", "tasks/cancel"] {
        let params = json!({ "taskId": task["taskId"] });
        let gone = ask(&client, SUPPORTS_TASKS, method, params).await;
        assert_eq!(gone, Err(-32602), "{method}");
    }
    log.assert_valid();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn immediately_expired_task_is_still_returned() {
    let (client, log) = connect(server().task_ttl(Duration::ZERO)).await;
    for _ in 0..200 {
        let task = call(&client, SLOW, json!({ "seconds": 60 })).await;
        assert!(task["taskId"].is_string(), "{task}");
    }
    log.assert_valid();
}

#[tokio::test]
async fn task_belongs_to_its_principal() {
    let dispatcher = server().build().unwrap();
    let (builder, log) = manual_client();
    let alice = builder.principal(Principal::new("alice"));
    let alice = alice.connect(dispatcher.clone()).await.unwrap();
    let task = call(&alice, SLOW, json!({ "seconds": 60 })).await;
    let (builder, bob_log) = manual_client();
    let bob = builder.principal(Principal::new("bob"));
    let bob = bob.connect(dispatcher.clone()).await.unwrap();
    let (builder, anonymous_log) = manual_client();
    let anonymous = builder.connect(dispatcher).await.unwrap();
    for other in [&bob, &anonymous] {
        for method in ["tasks/get", "tasks/update", "tasks/cancel"] {
            let mut params = json!({ "taskId": task["taskId"] });
            if method == "tasks/update" {
                params["inputResponses"] = json!({});
            }
            let rejected = request_error(other, method, params).await;
            let unknown = json!({ "taskId": "0".repeat(32), "inputResponses": {} });
            let absent = request_error(other, "tasks/update", unknown).await;
            assert_eq!(rejected, absent, "{method}");
            assert_eq!(rejected["code"], -32602, "{method}");
        }
    }
    until(&alice, &task, &["working"]).await;
    log.assert_valid();
    bob_log.assert_valid();
    anonymous_log.assert_valid();
}

#[tokio::test]
async fn task_can_be_kept_indefinitely() {
    let (client, log) = connect(server().task_ttl(Duration::MAX)).await;
    let task = call(&client, SLOW, json!({ "seconds": 60 })).await;
    assert_eq!(task["ttlMs"], Value::Null);
    until(&client, &task, &["working"]).await;
    log.assert_valid();
}

#[tokio::test]
async fn malformed_answer_leaves_input_requests_open() {
    // The client violates the protocol, so its messages are not checked.
    let (client, _) = connect(server()).await;
    let task = call(&client, "multi_input", json!({})).await;
    until(&client, &task, &["input_required"]).await;
    let answers = json!({ "first": { "action": "decline" }, "second": null });
    let params = json!({ "taskId": task["taskId"], "inputResponses": answers });
    let error = request_error(&client, "tasks/update", params).await;
    assert_eq!(error["code"], -32602);
    let still = until(&client, &task, &["input_required"]).await;
    assert_eq!(still["inputRequests"].as_object().unwrap().len(), 2);
}

#[tokio::test]
async fn update_without_answers_is_invalid_params() {
    // The client violates the protocol, so its messages are not checked.
    let (client, _) = connect(server()).await;
    let task = call(&client, SLOW, json!({ "seconds": 60 })).await;
    for params in [
        json!({ "taskId": task["taskId"] }),
        json!({ "taskId": task["taskId"], "inputResponses": [] }),
        json!({ "taskId": 7, "inputResponses": {} }),
    ] {
        let error = request_error(&client, "tasks/update", params).await;
        assert_eq!(error["code"], -32602);
    }
}
