//! `notifications/tasks` on listen streams.

use std::sync::Arc;

use mcp_runtime::auth::Principal;
use mcp_runtime::client::Direction;
use mcp_runtime::{Client, Dispatcher, Server};
use serde_json::{Value, json};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use crate::task_client::{SUPPORTS_TASKS, accepts, ask, call, manual_client, server};
use support::checked_client::MessageLog;

/// A client and the task notifications that it receives.
struct Listener {
    client: Arc<Client>,
    log: MessageLog,
    received: UnboundedReceiver<Value>,
}

impl Listener {
    async fn new(server: Server) -> Self {
        Self::connect(&server.build().unwrap(), None).await
    }

    async fn connect(dispatcher: &Dispatcher, principal: Option<&str>) -> Self {
        let (sender, received) = unbounded_channel();
        let acknowledged = sender.clone();
        let (mut builder, log) = manual_client();
        if let Some(id) = principal {
            builder = builder.principal(Principal::new(id));
        }
        let client = builder
            .on_notification("notifications/tasks", move |params| {
                // The test may have ended.
                let _ = sender.send(params);
            })
            .on_notification("notifications/subscriptions/acknowledged", move |params| {
                let _ = acknowledged.send(params);
            })
            .connect(dispatcher.clone());
        Self {
            client: Arc::new(client.await.unwrap()),
            log,
            received,
        }
    }

    /// Listens for tasks until the test ends; returns the accepted filter.
    async fn listen(&mut self, ids: Value) -> Value {
        let client = Arc::clone(&self.client);
        tokio::spawn(async move {
            let params = json!({ "notifications": { "taskIds": ids } });
            ask(&client, SUPPORTS_TASKS, "subscriptions/listen", params).await
        });
        self.next().await["notifications"].clone()
    }

    async fn next(&mut self) -> Value {
        self.received.recv().await.unwrap()
    }

    /// The states received until the task ends.
    async fn states(&mut self) -> Vec<String> {
        let mut states = Vec::new();
        loop {
            let task_state = self.next().await;
            let state = task_state["status"].as_str().unwrap().to_owned();
            let ended = ["completed", "failed", "cancelled"].contains(&state.as_str());
            states.push(state);
            if ended {
                return states;
            }
        }
    }
}

#[tokio::test]
async fn listener_gets_the_complete_task() {
    let mut listener = Listener::new(server()).await;
    let client = Arc::clone(&listener.client);
    let task = call(&client, "confirm_delete", json!({ "filename": "a.txt" })).await;
    let id = &task["taskId"];
    assert_eq!(
        listener.listen(json!([id, "x", id])).await,
        json!({ "taskIds": [id] })
    );
    let mut task_state = listener.next().await;
    if task_state["status"] == "working" {
        task_state = listener.next().await;
    }
    assert_eq!(task_state["status"], "input_required");
    assert_eq!(
        task_state["inputRequests"]["confirmation"]["params"]["message"],
        "Delete a.txt?"
    );
    assert_eq!(task_state["taskId"], *id);
    let answers = json!({ "confirmation": accepts(json!({ "confirm": true })) });
    let params = json!({ "taskId": id, "inputResponses": answers });
    ask(&client, SUPPORTS_TASKS, "tasks/update", params)
        .await
        .unwrap();
    let mut task_state = listener.next().await;
    assert_eq!(task_state["status"], "working");
    task_state = listener.next().await;
    assert_eq!(
        task_state["result"]["content"][0]["text"],
        "a.txt is deleted."
    );
    // It equals the result of `tasks/get`.
    let got = ask(
        &client,
        SUPPORTS_TASKS,
        "tasks/get",
        json!({ "taskId": id }),
    )
    .await;
    let mut got = got.unwrap();
    for own in ["resultType", "_meta"] {
        got.as_object_mut().unwrap().remove(own);
        task_state.as_object_mut().unwrap().remove(own);
    }
    assert_eq!(task_state, got);
    listener.log.assert_valid();
}

#[tokio::test]
async fn cancelled_task_is_notified_once() {
    let mut listener = Listener::new(server()).await;
    let client = Arc::clone(&listener.client);
    let task = call(&client, "multi_input", json!({})).await;
    listener.listen(json!([task["taskId"]])).await;
    while listener.next().await["status"] != "input_required" {}
    let params = json!({ "taskId": task["taskId"] });
    ask(&client, SUPPORTS_TASKS, "tasks/cancel", params.clone())
        .await
        .unwrap();
    assert_eq!(listener.states().await.last().unwrap(), "cancelled");
    ask(&client, SUPPORTS_TASKS, "tasks/cancel", params)
        .await
        .unwrap();
    assert!(listener.received.try_recv().is_err());
    listener.log.assert_valid();
}

#[tokio::test]
async fn late_listener_gets_the_final_state() {
    let mut listener = Listener::new(server()).await;
    let client = Arc::clone(&listener.client);
    let task = call(&client, "slow_compute", json!({ "seconds": 60 })).await;
    let params = json!({ "taskId": task["taskId"] });
    ask(&client, SUPPORTS_TASKS, "tasks/cancel", params)
        .await
        .unwrap();
    listener.listen(json!([task["taskId"]])).await;
    assert_eq!(listener.states().await, ["cancelled"]);
    listener.log.assert_valid();
}

#[tokio::test]
async fn tasks_of_other_principals_cannot_be_listened_to() {
    let dispatcher = server().build().unwrap();
    let mut alice = Listener::connect(&dispatcher, Some("alice")).await;
    let client = Arc::clone(&alice.client);
    let task = call(&client, "slow_compute", json!({ "seconds": 60 })).await;
    let mut bob = Listener::connect(&dispatcher, Some("bob")).await;
    assert_eq!(bob.listen(json!([task["taskId"]])).await, json!({}));
    assert_eq!(
        alice.listen(json!([task["taskId"]])).await["taskIds"][0],
        task["taskId"]
    );
    alice.log.assert_valid();
    bob.log.assert_valid();
}

#[tokio::test]
async fn listening_to_tasks_needs_the_extension() {
    let listener = Listener::new(server()).await;
    let params = json!({ "notifications": { "taskIds": ["x"] } });
    let client = &listener.client;
    let rejected = ask(client, !SUPPORTS_TASKS, "subscriptions/listen", params).await;
    assert_eq!(rejected, Err(-32021));
    let many: Vec<_> = (0..=1024).map(|index| index.to_string()).collect();
    let params = json!({ "notifications": { "taskIds": many } });
    let rejected = ask(client, SUPPORTS_TASKS, "subscriptions/listen", params).await;
    assert_eq!(rejected, Err(-32602));
    listener.log.assert_valid();
}

#[tokio::test]
async fn unlistened_task_sends_no_notifications() {
    let mut listener = Listener::new(server()).await;
    let client = Arc::clone(&listener.client);
    let listened = call(&client, "slow_compute", json!({ "seconds": 60 })).await;
    let unlistened = call(&client, "slow_compute", json!({ "seconds": 60 })).await;
    listener.listen(json!([listened["taskId"]])).await;
    for task in [unlistened, listened] {
        let params = json!({ "taskId": task["taskId"] });
        ask(&client, SUPPORTS_TASKS, "tasks/cancel", params)
            .await
            .unwrap();
    }
    assert_eq!(listener.states().await, ["working", "cancelled"]);
    let notifications = listener
        .log
        .sent_by(Direction::ToClient, "notifications/tasks");
    assert_eq!(notifications.len(), 2);
}
