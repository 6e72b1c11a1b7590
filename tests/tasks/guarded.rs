//! Tasks together with everything else that stands around a call.

use std::sync::{Arc, Mutex};

use mcp_runtime::audit::AuditRecord;
use mcp_runtime::auth::{Access, Decision, Principal};
use mcp_runtime::{Client, ClientError, Dispatcher, MethodCall, Next, Rate, Server, Side};
use serde_json::{Value, json};

use crate::guarded_tools::Stage;
use crate::requests::{KNOWS_TASKS, accepts, ask, call, knowing_tasks, probe, until};
use crate::talk::Log;

/// A server, what it writes down, and what its tools do.
pub(crate) struct Guarded {
    pub(crate) stage: Arc<Stage>,
    records: Arc<Mutex<Vec<AuditRecord>>>,
    pub(crate) dispatcher: Dispatcher,
}

impl Guarded {
    pub(crate) fn new(adjust: impl FnOnce(Server) -> Server) -> Self {
        let stage = Arc::new(Stage::default());
        let records = Arc::<Mutex<Vec<AuditRecord>>>::default();
        let written = Arc::clone(&records);
        let server = Server::new("tasks", "1.2.3")
            .shared_state(Arc::clone(&stage))
            .audit(move |record: &AuditRecord| {
                written.lock().unwrap().push(record.clone());
                Ok(())
            });
        let dispatcher = adjust(server).build().unwrap();
        Self {
            stage,
            records,
            dispatcher,
        }
    }

    pub(crate) async fn client(&self) -> (Client, Log) {
        let (builder, log) = probe();
        let client = builder.connect(self.dispatcher.clone());
        (client.await.unwrap(), log)
    }

    /// Waits until no task runs any more.
    pub(crate) async fn quiet(&self) {
        while self.dispatcher.task_count() > 0 {
            tokio::task::yield_now().await;
        }
    }

    /// How the calls ended, once no task is left.
    pub(crate) fn outcomes(&self) -> Vec<&'static str> {
        assert_eq!(self.dispatcher.task_count(), 0);
        let records = self.records.lock().unwrap();
        records.iter().map(|it| it.outcome.as_str()).collect()
    }
}

async fn refusal(client: &Client, tool: &str) -> (i32, String) {
    let mut params = json!({ "name": tool });
    params["_meta"] = json!({ "io.modelcontextprotocol/clientCapabilities": knowing_tasks() });
    match client.exchange("tools/call", params).await {
        Err(ClientError::Protocol(error)) => (error.code.0, error.message.into_owned()),
        other => panic!("{other:?}"),
    }
}

async fn cancel(client: &Client, task: &Value) {
    let params = json!({ "taskId": task["taskId"] });
    ask(client, KNOWS_TASKS, "tasks/cancel", params)
        .await
        .unwrap();
}

pub(crate) fn text(task: &Value) -> &str {
    task["result"]["content"][0]["text"].as_str().unwrap()
}

#[tokio::test]
async fn a_person_agrees_before_there_is_a_task() {
    let guarded = Guarded::new(|server| server);
    let (client, log) = guarded.client().await;
    let arguments = json!({ "what": "the disk" });
    // An answer is good once, so each begins with its question.
    let answered = async |approve: bool| {
        let asked = call(&client, "wipe", arguments.clone()).await;
        assert_eq!(asked["resultType"], "input_required");
        let question = &asked["inputRequests"]["mcp-runtime/approve"];
        assert_eq!(question["params"]["message"], "Wipe the disk?");
        assert_eq!(*guarded.stage.begun.borrow(), 0);
        let params = json!({
            "name": "wipe",
            "arguments": arguments,
            "requestState": asked["requestState"],
            "inputResponses": { "mcp-runtime/approve": accepts(json!({ "approve": approve })) },
        });
        ask(&client, KNOWS_TASKS, "tools/call", params)
            .await
            .unwrap()
    };
    let refused = answered(false).await;
    assert_eq!(refused["isError"], true);
    assert_eq!(*guarded.stage.begun.borrow(), 0);
    let task = answered(true).await;
    assert_eq!(task["resultType"], "task");
    guarded.stage.let_go.notify_one();
    let done = until(&client, &task, &["completed"]).await;
    assert_eq!(text(&done), "the disk is wiped");
    guarded.quiet().await;
    assert_eq!(guarded.outcomes(), ["asked", "refused", "asked", "success"]);
    log.legal();
}

#[tokio::test]
async fn a_body_that_takes_too_long_is_a_completed_task_that_failed() {
    let guarded = Guarded::new(|server| server);
    let (client, log) = guarded.client().await;
    let task = call(&client, "endless", json!({})).await;
    let done = until(&client, &task, &["completed"]).await;
    assert_eq!(done["result"]["isError"], true);
    assert!(text(&done).contains("did not finish within 30ms"));
    guarded.stage.wait_over(1).await;
    guarded.quiet().await;
    assert_eq!(guarded.outcomes(), ["timed_out"]);
    log.legal();
}

#[tokio::test]
async fn a_panic_is_a_completed_task_that_says_nothing() {
    let guarded = Guarded::new(|server| server);
    let (client, log) = guarded.client().await;
    let task = call(&client, "break_down", json!({})).await;
    guarded.stage.let_go.notify_one();
    let done = until(&client, &task, &["completed"]).await;
    assert_eq!(done["result"]["isError"], true);
    assert!(!done.to_string().contains("secret"), "{done}");
    guarded.quiet().await;
    assert_eq!(guarded.outcomes(), ["panic"]);
    log.legal();
}

#[tokio::test]
async fn tasks_wait_for_their_turn() {
    let guarded = Guarded::new(|server| server);
    let (client, log) = guarded.client().await;
    let first = call(&client, "alone", json!({})).await;
    let second = call(&client, "alone", json!({})).await;
    guarded.stage.wait_begun(1).await;
    until(&client, &second, &["working"]).await;
    assert_eq!(*guarded.stage.begun.borrow(), 1);
    cancel(&client, &first).await;
    guarded.stage.wait_begun(2).await;
    guarded.stage.let_go.notify_one();
    let done = until(&client, &second, &["completed"]).await;
    assert_eq!(text(&done), "let go");
    guarded.quiet().await;
    assert_eq!(guarded.outcomes(), ["cancelled", "success"]);
    log.legal();
}

#[tokio::test]
async fn a_task_counts_among_the_calls_that_run() {
    for adjust in [
        (|server: Server| server.max_calls(1)) as fn(Server) -> Server,
        |server| server.max_calls_per_client(1),
    ] {
        let guarded = Guarded::new(adjust);
        let (client, log) = guarded.client().await;
        let task = call(&client, "wait", json!({})).await;
        let (code, message) = refusal(&client, "wait").await;
        assert_eq!(code, -31429, "{message}");
        cancel(&client, &task).await;
        guarded.stage.wait_over(1).await;
        let task = call(&client, "wait", json!({})).await;
        guarded.stage.let_go.notify_one();
        until(&client, &task, &["completed"]).await;
        guarded.quiet().await;
        assert_eq!(guarded.outcomes(), ["rate_limited", "cancelled", "success"]);
        log.legal();
    }
}

#[tokio::test]
async fn a_thread_counts_as_long_as_it_goes_on() {
    for tool in ["hold", "hold_an_hour"] {
        let guarded = Guarded::new(|server| server.max_calls_per_client(1));
        let (client, log) = guarded.client().await;
        let task = call(&client, tool, json!({})).await;
        guarded.stage.wait_begun(1).await;
        cancel(&client, &task).await;
        guarded.quiet().await;
        let more = ask(
            &client,
            KNOWS_TASKS,
            "tools/call",
            json!({ "name": "wait" }),
        );
        let more = more.await;
        // Before anything is said of it, since the thread would keep the test.
        guarded.stage.let_go.notify_one();
        guarded.stage.wait_over(1).await;
        assert_eq!(more, Err(-31429), "{tool}");
        log.legal();
    }
}

#[tokio::test]
async fn calls_are_counted_and_looks_are_not() {
    let guarded = Guarded::new(|server| server.rate_limit(Rate::per_minute(1)));
    let (client, log) = guarded.client().await;
    let task = call(&client, "wait", json!({})).await;
    assert_eq!(refusal(&client, "wait").await.0, -31429);
    for _ in 0..5 {
        until(&client, &task, &["working"]).await;
    }
    guarded.stage.let_go.notify_one();
    until(&client, &task, &["completed"]).await;
    guarded.quiet().await;
    assert_eq!(guarded.outcomes(), ["rate_limited", "success"]);
    log.legal();
}

#[tokio::test]
async fn a_blocking_body_is_told_that_it_is_called_off() {
    let guarded = Guarded::new(|server| server);
    let (client, log) = guarded.client().await;
    let task = call(&client, "block", json!({})).await;
    guarded.stage.wait_begun(1).await;
    cancel(&client, &task).await;
    let now = until(&client, &task, &["cancelled"]).await;
    assert_eq!(now.get("result"), None);
    guarded.stage.wait_over(1).await;
    log.legal();
}

#[tokio::test]
async fn a_task_tells_no_progress() {
    let guarded = Guarded::new(|server| server);
    let (client, log) = guarded.client().await;
    let params = json!({
        "name": "report",
        "_meta": {
            "progressToken": "p",
            "io.modelcontextprotocol/clientCapabilities": knowing_tasks(),
        },
    });
    let task = client.exchange("tools/call", params).await.unwrap();
    assert_eq!(task["resultType"], "task");
    guarded.stage.let_go.notify_one();
    until(&client, &task, &["completed"]).await;
    // What the body told before there was a task.
    let told = log.said(Side::Server, "notifications/progress");
    assert_eq!(told.len(), 1, "{told:?}");
    assert_eq!(told[0]["params"]["progress"], 1);
}

#[tokio::test]
async fn a_tool_that_is_hidden_does_not_say_that_it_needs_tasks() {
    let guarded = Guarded::new(|server| {
        server.authorizer(|access: &Access<'_>| {
            let bob = access.principal.is_some_and(|who| &*who.id == "bob");
            match access.name == "hidden_job" && !bob {
                true => Decision::Deny("not for you".into()),
                false => Decision::Allow,
            }
        })
    });
    let (builder, log) = probe();
    let builder = builder.no_tasks().principal(Principal::new("alice"));
    let client = builder.connect(guarded.dispatcher.clone()).await.unwrap();
    let hidden = ask(
        &client,
        !KNOWS_TASKS,
        "tools/call",
        json!({ "name": "hidden_job" }),
    )
    .await;
    let absent = ask(
        &client,
        !KNOWS_TASKS,
        "tools/call",
        json!({ "name": "no_such_job" }),
    )
    .await;
    assert_eq!(hidden, absent);
    let (builder, _) = probe();
    let builder = builder.no_tasks().principal(Principal::new("bob"));
    let client = builder.connect(guarded.dispatcher.clone()).await.unwrap();
    let refused = ask(
        &client,
        !KNOWS_TASKS,
        "tools/call",
        json!({ "name": "hidden_job" }),
    )
    .await;
    assert_eq!(refused, Err(-32021));
    guarded.quiet().await;
    assert_eq!(guarded.outcomes().last(), Some(&"invalid"));
    log.legal();
}

#[tokio::test]
async fn a_wrapped_call_is_a_task_all_the_same() {
    let guarded = Guarded::new(|server| {
        server.wrap_method("tools/call", |call: MethodCall, next: Next| async move {
            next.run(call).await
        })
    });
    let (client, log) = guarded.client().await;
    let task = call(&client, "wait", json!({})).await;
    assert_eq!(task["resultType"], "task");
    assert_eq!(guarded.dispatcher.task_count(), 1);
    guarded.stage.let_go.notify_one();
    let done = until(&client, &task, &["completed"]).await;
    assert_eq!(text(&done), "let go");
    guarded.quiet().await;
    assert_eq!(guarded.outcomes(), ["success"]);
    log.legal();
}
