//! Tasks and the other stages of a call: consent, limits, timeouts, authorization.

use std::sync::{Arc, Mutex};

use mcp_runtime::audit::AuditRecord;
use mcp_runtime::auth::{Access, Decision, Principal};
use mcp_runtime::client::Direction;
use mcp_runtime::dispatch::{MethodCall, NextMethod};
use mcp_runtime::{Client, ClientError, Dispatcher, Rate, Server};
use serde_json::{Value, json};

use crate::pipeline_tools::ToolControl;
use crate::task_client::{
    SUPPORTS_TASKS, accepts, ask, call, manual_client, task_capabilities, until,
};
use support::checked_client::MessageLog;

/// A server, its audit records, and control over its tools.
pub(crate) struct TestServer {
    pub(crate) control: Arc<ToolControl>,
    records: Arc<Mutex<Vec<AuditRecord>>>,
    pub(crate) dispatcher: Dispatcher,
}

impl TestServer {
    pub(crate) fn new(adjust: impl FnOnce(Server) -> Server) -> Self {
        let control = Arc::new(ToolControl::default());
        let records = Arc::<Mutex<Vec<AuditRecord>>>::default();
        let sink = Arc::clone(&records);
        let server = Server::new("tasks", "1.2.3")
            .shared_state(Arc::clone(&control))
            .audit(move |record: &AuditRecord| {
                sink.lock().unwrap().push(record.clone());
                Ok(())
            });
        let dispatcher = adjust(server).build().unwrap();
        Self {
            control,
            records,
            dispatcher,
        }
    }

    pub(crate) async fn client(&self) -> (Client, MessageLog) {
        let (builder, log) = manual_client();
        let client = builder.connect(self.dispatcher.clone());
        (client.await.unwrap(), log)
    }

    /// Waits until no task is running.
    pub(crate) async fn wait_for_tasks(&self) {
        while self.dispatcher.task_count() > 0 {
            tokio::task::yield_now().await;
        }
    }

    /// The audited outcomes, once no task is running.
    pub(crate) fn outcomes(&self) -> Vec<&'static str> {
        assert_eq!(self.dispatcher.task_count(), 0);
        let records = self.records.lock().unwrap();
        records.iter().map(|it| it.outcome.as_str()).collect()
    }
}

async fn call_error(client: &Client, tool: &str) -> (i32, String) {
    let mut params = json!({ "name": tool });
    params["_meta"] = json!({ "io.modelcontextprotocol/clientCapabilities": task_capabilities() });
    match client.request_once("tools/call", params).await {
        Err(ClientError::Protocol(error)) => (error.code.0, error.message.into_owned()),
        other => panic!("{other:?}"),
    }
}

async fn cancel(client: &Client, task: &Value) {
    let params = json!({ "taskId": task["taskId"] });
    ask(client, SUPPORTS_TASKS, "tasks/cancel", params)
        .await
        .unwrap();
}

pub(crate) fn text(task: &Value) -> &str {
    task["result"]["content"][0]["text"].as_str().unwrap()
}

#[tokio::test]
async fn consent_is_requested_before_the_task_is_created() {
    let server = TestServer::new(|server| server);
    let (client, log) = server.client().await;
    let arguments = json!({ "what": "the disk" });
    // Consent is good once, so each call starts with its request.
    let call_with_consent = async |approve: bool| {
        let result = call(&client, "wipe", arguments.clone()).await;
        assert_eq!(result["resultType"], "input_required");
        let request = &result["inputRequests"]["mcp-runtime/approve"];
        assert_eq!(request["params"]["message"], "Wipe the disk?");
        assert_eq!(*server.control.started.borrow(), 0);
        let params = json!({
            "name": "wipe",
            "arguments": arguments,
            "requestState": result["requestState"],
            "inputResponses": { "mcp-runtime/approve": accepts(json!({ "approve": approve })) },
        });
        ask(&client, SUPPORTS_TASKS, "tools/call", params)
            .await
            .unwrap()
    };
    let rejected = call_with_consent(false).await;
    assert_eq!(rejected["isError"], true);
    assert_eq!(*server.control.started.borrow(), 0);
    let task = call_with_consent(true).await;
    assert_eq!(task["resultType"], "task");
    server.control.release.notify_one();
    let done = until(&client, &task, &["completed"]).await;
    assert_eq!(text(&done), "the disk is wiped");
    server.wait_for_tasks().await;
    assert_eq!(
        server.outcomes(),
        ["input_required", "declined", "input_required", "success"]
    );
    log.assert_valid();
}

#[tokio::test]
async fn timed_out_handler_is_a_completed_task_with_an_error() {
    let server = TestServer::new(|server| server);
    let (client, log) = server.client().await;
    let task = call(&client, "endless", json!({})).await;
    let done = until(&client, &task, &["completed"]).await;
    assert_eq!(done["result"]["isError"], true);
    assert!(text(&done).contains("did not finish within 30ms"));
    server.control.wait_ended(1).await;
    server.wait_for_tasks().await;
    assert_eq!(server.outcomes(), ["timed_out"]);
    log.assert_valid();
}

#[tokio::test]
async fn panicking_handler_is_a_completed_task_with_an_error() {
    let server = TestServer::new(|server| server);
    let (client, log) = server.client().await;
    let task = call(&client, "break_down", json!({})).await;
    server.control.release.notify_one();
    let done = until(&client, &task, &["completed"]).await;
    assert_eq!(done["result"]["isError"], true);
    assert!(!done.to_string().contains("secret"), "{done}");
    server.wait_for_tasks().await;
    assert_eq!(server.outcomes(), ["panic"]);
    log.assert_valid();
}

#[tokio::test]
async fn tasks_wait_for_a_concurrency_permit() {
    let server = TestServer::new(|server| server);
    let (client, log) = server.client().await;
    let first = call(&client, "alone", json!({})).await;
    let second = call(&client, "alone", json!({})).await;
    server.control.wait_started(1).await;
    until(&client, &second, &["working"]).await;
    assert_eq!(*server.control.started.borrow(), 1);
    cancel(&client, &first).await;
    server.control.wait_started(2).await;
    server.control.release.notify_one();
    let done = until(&client, &second, &["completed"]).await;
    assert_eq!(text(&done), "released");
    server.wait_for_tasks().await;
    assert_eq!(server.outcomes(), ["cancelled", "success"]);
    log.assert_valid();
}

#[tokio::test]
async fn running_task_counts_towards_concurrency_limits() {
    for adjust in [
        (|server: Server| server.max_concurrent_calls(1)) as fn(Server) -> Server,
        |server| server.max_concurrent_calls_per_client(1),
    ] {
        let server = TestServer::new(adjust);
        let (client, log) = server.client().await;
        let task = call(&client, "wait", json!({})).await;
        let (code, message) = call_error(&client, "wait").await;
        assert_eq!(code, -31429, "{message}");
        cancel(&client, &task).await;
        server.control.wait_ended(1).await;
        let task = call(&client, "wait", json!({})).await;
        server.control.release.notify_one();
        until(&client, &task, &["completed"]).await;
        server.wait_for_tasks().await;
        assert_eq!(server.outcomes(), ["rate_limited", "cancelled", "success"]);
        log.assert_valid();
    }
}

#[tokio::test]
async fn blocking_task_keeps_its_permit_until_its_thread_ends() {
    for tool in ["hold", "hold_an_hour"] {
        let server = TestServer::new(|server| server.max_concurrent_calls_per_client(1));
        let (client, log) = server.client().await;
        let task = call(&client, tool, json!({})).await;
        server.control.wait_started(1).await;
        cancel(&client, &task).await;
        server.wait_for_tasks().await;
        let second = ask(
            &client,
            SUPPORTS_TASKS,
            "tools/call",
            json!({ "name": "wait" }),
        );
        let second = second.await;
        // Release the thread before any assertion fails, since it would block the test.
        server.control.release.notify_one();
        server.control.wait_ended(1).await;
        assert_eq!(second, Err(-31429), "{tool}");
        log.assert_valid();
    }
}

#[tokio::test]
async fn polling_does_not_count_towards_the_rate_limit() {
    let server = TestServer::new(|server| server.rate_limit(Rate::per_minute(1)));
    let (client, log) = server.client().await;
    let task = call(&client, "wait", json!({})).await;
    assert_eq!(call_error(&client, "wait").await.0, -31429);
    for _ in 0..5 {
        until(&client, &task, &["working"]).await;
    }
    server.control.release.notify_one();
    until(&client, &task, &["completed"]).await;
    server.wait_for_tasks().await;
    assert_eq!(server.outcomes(), ["rate_limited", "success"]);
    log.assert_valid();
}

#[tokio::test]
async fn blocking_handler_sees_task_cancellation() {
    let server = TestServer::new(|server| server);
    let (client, log) = server.client().await;
    let task = call(&client, "block", json!({})).await;
    server.control.wait_started(1).await;
    cancel(&client, &task).await;
    let now = until(&client, &task, &["cancelled"]).await;
    assert_eq!(now.get("result"), None);
    server.control.wait_ended(1).await;
    log.assert_valid();
}

#[tokio::test]
async fn task_sends_no_progress_notifications() {
    let server = TestServer::new(|server| server);
    let (client, log) = server.client().await;
    let params = json!({
        "name": "report",
        "_meta": {
            "progressToken": "p",
            "io.modelcontextprotocol/clientCapabilities": task_capabilities(),
        },
    });
    let task = client.request_once("tools/call", params).await.unwrap();
    assert_eq!(task["resultType"], "task");
    server.control.release.notify_one();
    until(&client, &task, &["completed"]).await;
    // The progress reported before the task was created.
    let notifications = log.sent_by(Direction::ToClient, "notifications/progress");
    assert_eq!(notifications.len(), 1, "{notifications:?}");
    assert_eq!(notifications[0]["params"]["progress"], 1);
}

#[tokio::test]
async fn hidden_tool_does_not_reveal_that_it_requires_tasks() {
    let server = TestServer::new(|server| {
        server.authorizer(|access: &Access<'_>| {
            let bob = access
                .principal
                .is_some_and(|principal| &*principal.id == "bob");
            match access.name == "hidden_job" && !bob {
                true => Decision::Deny("not for you".into()),
                false => Decision::Allow,
            }
        })
    });
    let (builder, log) = manual_client();
    let builder = builder.without_tasks().principal(Principal::new("alice"));
    let client = builder.connect(server.dispatcher.clone()).await.unwrap();
    let hidden = ask(
        &client,
        !SUPPORTS_TASKS,
        "tools/call",
        json!({ "name": "hidden_job" }),
    )
    .await;
    let absent = ask(
        &client,
        !SUPPORTS_TASKS,
        "tools/call",
        json!({ "name": "no_such_job" }),
    )
    .await;
    assert_eq!(hidden, absent);
    let (builder, _) = manual_client();
    let builder = builder.without_tasks().principal(Principal::new("bob"));
    let client = builder.connect(server.dispatcher.clone()).await.unwrap();
    let rejected = ask(
        &client,
        !SUPPORTS_TASKS,
        "tools/call",
        json!({ "name": "hidden_job" }),
    )
    .await;
    assert_eq!(rejected, Err(-32021));
    server.wait_for_tasks().await;
    assert_eq!(server.outcomes().last(), Some(&"invalid"));
    log.assert_valid();
}

#[tokio::test]
async fn wrapped_call_can_become_a_task() {
    let server = TestServer::new(|server| {
        server.wrap_method(
            "tools/call",
            |call: MethodCall, next: NextMethod| async move { next.run(call).await },
        )
    });
    let (client, log) = server.client().await;
    let task = call(&client, "wait", json!({})).await;
    assert_eq!(task["resultType"], "task");
    assert_eq!(server.dispatcher.task_count(), 1);
    server.control.release.notify_one();
    let done = until(&client, &task, &["completed"]).await;
    assert_eq!(text(&done), "released");
    server.wait_for_tasks().await;
    assert_eq!(server.outcomes(), ["success"]);
    log.assert_valid();
}
