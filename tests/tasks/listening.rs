//! `notifications/tasks`, for those who listen.

use std::sync::Arc;

use mcp_runtime::auth::Principal;
use mcp_runtime::{Client, Dispatcher, Server, Side};
use serde_json::{Value, json};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use crate::requests::{KNOWS_TASKS, accepts, ask, call, probe, server};
use crate::talk::Log;

/// A client, and the notifications that it gets.
struct Listener {
    client: Arc<Client>,
    log: Log,
    heard: UnboundedReceiver<Value>,
}

impl Listener {
    async fn of(server: Server) -> Self {
        Self::at(&server.build().unwrap(), None).await
    }

    async fn at(dispatcher: &Dispatcher, principal: Option<&str>) -> Self {
        let (sender, heard) = unbounded_channel();
        let acknowledged = sender.clone();
        let (mut builder, log) = probe();
        if let Some(id) = principal {
            builder = builder.principal(Principal::new(id));
        }
        let client = builder
            .on_notification("notifications/tasks", move |params| {
                // The test may have heard enough.
                let _ = sender.send(params);
            })
            .on_notification("notifications/subscriptions/acknowledged", move |params| {
                let _ = acknowledged.send(params);
            })
            .connect(dispatcher.clone());
        Self {
            client: Arc::new(client.await.unwrap()),
            log,
            heard,
        }
    }

    /// Listens for tasks until the test ends, and gives back which ones are promised.
    async fn listen(&mut self, ids: Value) -> Value {
        let client = Arc::clone(&self.client);
        tokio::spawn(async move {
            let params = json!({ "notifications": { "taskIds": ids } });
            ask(&client, KNOWS_TASKS, "subscriptions/listen", params).await
        });
        self.next().await["notifications"].clone()
    }

    async fn next(&mut self) -> Value {
        self.heard.recv().await.unwrap()
    }

    /// The states that are told until the task has ended.
    async fn states(&mut self) -> Vec<String> {
        let mut states = Vec::new();
        loop {
            let told = self.next().await;
            let state = told["status"].as_str().unwrap().to_owned();
            let ended = ["completed", "failed", "cancelled"].contains(&state.as_str());
            states.push(state);
            if ended {
                return states;
            }
        }
    }
}

#[tokio::test]
async fn whoever_listens_is_told_the_whole_task() {
    let mut listener = Listener::of(server()).await;
    let client = Arc::clone(&listener.client);
    let task = call(&client, "confirm_delete", json!({ "filename": "a.txt" })).await;
    let id = &task["taskId"];
    assert_eq!(
        listener.listen(json!([id, "x", id])).await,
        json!({ "taskIds": [id] })
    );
    let mut told = listener.next().await;
    if told["status"] == "working" {
        told = listener.next().await;
    }
    assert_eq!(told["status"], "input_required");
    assert_eq!(
        told["inputRequests"]["sure"]["params"]["message"],
        "Delete a.txt?"
    );
    assert_eq!(told["taskId"], *id);
    let answers = json!({ "sure": accepts(json!({ "confirm": true })) });
    let params = json!({ "taskId": id, "inputResponses": answers });
    ask(&client, KNOWS_TASKS, "tasks/update", params)
        .await
        .unwrap();
    let mut told = listener.next().await;
    assert_eq!(told["status"], "working");
    told = listener.next().await;
    assert_eq!(told["result"]["content"][0]["text"], "a.txt is deleted.");
    // It is what `tasks/get` says.
    let got = ask(&client, KNOWS_TASKS, "tasks/get", json!({ "taskId": id })).await;
    let mut got = got.unwrap();
    for own in ["resultType", "_meta"] {
        got.as_object_mut().unwrap().remove(own);
        told.as_object_mut().unwrap().remove(own);
    }
    assert_eq!(told, got);
    listener.log.legal();
}

#[tokio::test]
async fn a_task_that_is_called_off_is_told_and_nothing_after_it() {
    let mut listener = Listener::of(server()).await;
    let client = Arc::clone(&listener.client);
    let task = call(&client, "multi_input", json!({})).await;
    listener.listen(json!([task["taskId"]])).await;
    while listener.next().await["status"] != "input_required" {}
    let params = json!({ "taskId": task["taskId"] });
    ask(&client, KNOWS_TASKS, "tasks/cancel", params.clone())
        .await
        .unwrap();
    assert_eq!(listener.states().await.last().unwrap(), "cancelled");
    ask(&client, KNOWS_TASKS, "tasks/cancel", params)
        .await
        .unwrap();
    assert!(listener.heard.try_recv().is_err());
    listener.log.legal();
}

#[tokio::test]
async fn who_comes_late_is_told_the_end() {
    let mut listener = Listener::of(server()).await;
    let client = Arc::clone(&listener.client);
    let task = call(&client, "slow_compute", json!({ "seconds": 60 })).await;
    let params = json!({ "taskId": task["taskId"] });
    ask(&client, KNOWS_TASKS, "tasks/cancel", params)
        .await
        .unwrap();
    listener.listen(json!([task["taskId"]])).await;
    assert_eq!(listener.states().await, ["cancelled"]);
    listener.log.legal();
}

#[tokio::test]
async fn tasks_of_others_are_not_listened_for() {
    let dispatcher = server().build().unwrap();
    let mut alice = Listener::at(&dispatcher, Some("alice")).await;
    let client = Arc::clone(&alice.client);
    let task = call(&client, "slow_compute", json!({ "seconds": 60 })).await;
    let mut bob = Listener::at(&dispatcher, Some("bob")).await;
    assert_eq!(bob.listen(json!([task["taskId"]])).await, json!({}));
    assert_eq!(
        alice.listen(json!([task["taskId"]])).await["taskIds"][0],
        task["taskId"]
    );
    alice.log.legal();
    bob.log.legal();
}

#[tokio::test]
async fn only_a_client_that_knows_tasks_listens_for_them() {
    let listener = Listener::of(server()).await;
    let params = json!({ "notifications": { "taskIds": ["x"] } });
    let client = &listener.client;
    let refused = ask(client, !KNOWS_TASKS, "subscriptions/listen", params).await;
    assert_eq!(refused, Err(-32021));
    let many: Vec<_> = (0..=1024).map(|index| index.to_string()).collect();
    let params = json!({ "notifications": { "taskIds": many } });
    let refused = ask(client, KNOWS_TASKS, "subscriptions/listen", params).await;
    assert_eq!(refused, Err(-32602));
    listener.log.legal();
}

#[tokio::test]
async fn who_does_not_listen_is_told_nothing() {
    let mut listener = Listener::of(server()).await;
    let client = Arc::clone(&listener.client);
    let heard = call(&client, "slow_compute", json!({ "seconds": 60 })).await;
    let unheard = call(&client, "slow_compute", json!({ "seconds": 60 })).await;
    listener.listen(json!([heard["taskId"]])).await;
    for task in [unheard, heard] {
        let params = json!({ "taskId": task["taskId"] });
        ask(&client, KNOWS_TASKS, "tasks/cancel", params)
            .await
            .unwrap();
    }
    assert_eq!(listener.states().await, ["working", "cancelled"]);
    let told = listener.log.said(Side::Server, "notifications/tasks");
    assert_eq!(told.len(), 2);
}
