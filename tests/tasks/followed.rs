//! A client that follows a task by itself.

use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use mcp_runtime::protocol::{ElicitResult, Revision};
use mcp_runtime::{Client, ClientBuilder, ClientError, Dispatcher, Server, Side};
use serde_json::{Value, json};

use crate::requests::{self, KNOWS_TASKS, ask, until};
use crate::talk::{Log, checked};

/// A client that answers every form, and follows tasks.
fn follower() -> (ClientBuilder, Log) {
    let (builder, log) = checked(Revision::V2026_07_28);
    let builder = builder.elicit(|form| async move {
        let name = form.message.clone();
        ElicitResult::accept([("confirm", json!(true)), ("name", json!(name))])
    });
    (builder, log)
}

fn server() -> Server {
    requests::server().task_poll_interval(Duration::from_millis(10))
}

fn dispatcher() -> Dispatcher {
    server().build().unwrap()
}

fn process() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_task-server"));
    command.env_remove("TASK_DATABASE").stderr(Stdio::null());
    command
}

/// Both ways to a server, with what was said on each.
async fn followers() -> [(Client, Log); 2] {
    let (near, near_log) = follower();
    let (far, far_log) = follower();
    [
        (near.connect(dispatcher()).await.unwrap(), near_log),
        (far.spawn(process()).await.unwrap(), far_log),
    ]
}

fn asked(log: &Log, method: &str) -> usize {
    log.said(Side::Client, method).len()
}

#[tokio::test]
async fn the_result_of_a_task_is_that_of_the_call() {
    for (client, log) in followers().await {
        let arguments = json!({ "seconds": 0.02, "label": "it" });
        let text: String = client.call("slow_compute", arguments).await.unwrap();
        assert_eq!(text, "it is done.");
        assert!(asked(&log, "tasks/get") >= 1);
        let failed = client.call::<Value>("failing_job", ()).await.unwrap_err();
        assert!(matches!(failed, ClientError::Tool(_)), "{failed}");
        let failed = client.call::<Value>("protocol_error_job", ()).await;
        let Err(ClientError::Protocol(error)) = failed else {
            panic!("{failed:?}");
        };
        assert_eq!(error.code.0, -32021);
        assert_eq!(asked(&log, "tasks/cancel"), 0);
        log.legal();
    }
}

#[tokio::test]
async fn what_a_task_asks_is_answered_once() {
    for (client, log) in followers().await {
        let arguments = json!({ "filename": "a.txt" });
        let text: String = client.call("confirm_delete", arguments).await.unwrap();
        assert_eq!(text, "a.txt is deleted.");
        assert_eq!(asked(&log, "tasks/update"), 1);
        let text: String = client.call("multi_input", ()).await.unwrap();
        assert_eq!(text, "Who is the first? and Who is the second?");
        let text: String = client.call("test_tool_with_task", ()).await.unwrap();
        assert_eq!(text, "Hello, What is your name?!");
        log.legal();
    }
}

#[tokio::test]
async fn a_task_that_takes_too_long_is_called_off() {
    let (builder, log) = follower();
    let builder = builder.timeout(Duration::from_secs(1));
    let near = (builder.connect(dispatcher()).await.unwrap(), log);
    let (builder, log) = follower();
    let builder = builder.timeout(Duration::from_secs(3));
    let far = (builder.spawn(process()).await.unwrap(), log);
    for (client, log) in [near, far] {
        let late = client.call::<Value>("slow_compute", json!({ "seconds": 60 }));
        let late = late.await.unwrap_err();
        assert!(matches!(late, ClientError::TimedOut(_)), "{late}");
        called_off(&client, &log).await;
    }
}

#[tokio::test]
async fn a_task_that_nobody_waits_for_is_called_off() {
    for (client, log) in followers().await {
        let client = Arc::new(client);
        let waiting = Arc::clone(&client);
        let call = tokio::spawn(async move {
            let slow = json!({ "seconds": 60 });
            waiting.call::<Value>("slow_compute", slow).await
        });
        while asked(&log, "tasks/get") == 0 {
            tokio::task::yield_now().await;
        }
        call.abort();
        assert!(call.await.unwrap_err().is_cancelled());
        called_off(&client, &log).await;
    }
}

/// The one task of the conversation is told to end, and does.
async fn called_off(client: &Client, log: &Log) {
    let created = log.said(Side::Server, "");
    let mut created = created.iter().map(|message| &message["result"]);
    let task = created.find(|result| result["resultType"] == "task");
    until(client, task.unwrap(), &["cancelled"]).await;
    assert_eq!(asked(log, "tasks/cancel"), 1);
    log.legal();
}

#[tokio::test]
async fn a_task_that_somebody_else_calls_off_is_an_error_of_its_own() {
    let dispatcher = dispatcher();
    let (builder, log) = follower();
    let client = builder.connect(dispatcher.clone()).await.unwrap();
    let (builder, _) = follower();
    let other = builder.connect(dispatcher).await.unwrap();
    let slow = json!({ "seconds": 60 });
    let call = client.call::<Value>("slow_compute", slow);
    let cancel = async {
        while asked(&log, "tasks/get") == 0 {
            tokio::task::yield_now().await;
        }
        let id = &log.said(Side::Client, "tasks/get")[0]["params"]["taskId"];
        let params = json!({ "taskId": id });
        ask(&other, KNOWS_TASKS, "tasks/cancel", params)
            .await
            .unwrap();
    };
    let (ended, ()) = tokio::join!(call, cancel);
    assert!(matches!(ended, Err(ClientError::CalledOff)), "{ended:?}");
    assert_eq!(asked(&log, "tasks/cancel"), 0);
}

#[tokio::test(start_paused = true)]
async fn a_task_is_looked_at_as_often_as_the_server_wants() {
    let server = server().task_poll_interval(Duration::from_secs(3));
    let (builder, log) = follower();
    let client = builder.connect(server.build().unwrap()).await.unwrap();
    let slow = json!({ "seconds": 10, "label": "it" });
    let text: String = client.call("slow_compute", slow).await.unwrap();
    assert_eq!(text, "it is done.");
    // After 3, 6, 9 and 12 seconds.
    assert_eq!(asked(&log, "tasks/get"), 4);
    log.legal();
}

#[tokio::test]
async fn a_client_may_do_without_tasks() {
    let (builder, log) = follower();
    let client = builder.no_tasks().connect(dispatcher()).await.unwrap();
    let soon = json!({ "seconds": 0.01, "label": "it" });
    let text: String = client.call("slow_compute", soon).await.unwrap();
    assert_eq!(text, "it is done.");
    let refused = client.call::<Value>("failing_job", ()).await;
    let Err(ClientError::Protocol(error)) = refused else {
        panic!("{refused:?}");
    };
    assert_eq!(error.code.0, -32021);
    assert_eq!(asked(&log, "tasks/get"), 0);
    log.legal();
}

#[tokio::test]
async fn a_question_that_nobody_answers_ends_the_task() {
    let (builder, log) = checked(Revision::V2026_07_28);
    let builder = builder.elicit(|_| async { ElicitResult::accept([("confirm", true)]) });
    let client = builder.connect(dispatcher()).await.unwrap();
    client.duplex().replace_handler(None);
    let arguments = json!({ "filename": "a.txt" });
    let ended = client.call::<Value>("confirm_delete", arguments).await;
    let Err(ClientError::Unanswered { key, .. }) = ended else {
        panic!("{ended:?}");
    };
    assert_eq!(key, "sure");
    called_off(&client, &log).await;
}
