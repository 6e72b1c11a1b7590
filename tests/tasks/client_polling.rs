//! Clients that poll tasks automatically.

use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use mcp_runtime::client::{ClientBuilder, Direction};
use mcp_runtime::protocol::{ElicitResult, Revision};
use mcp_runtime::{Client, ClientError, Dispatcher, Server};
use serde_json::{Value, json};

use crate::task_client::{self, SUPPORTS_TASKS, ask, until};
use support::checked_client::{MessageLog, checked_client};

/// A builder for a client that answers every form and polls tasks.
fn polling_client() -> (ClientBuilder, MessageLog) {
    let (builder, log) = checked_client(Revision::V2026_07_28);
    let builder = builder.elicit(|form| async move {
        let name = form.message.clone();
        ElicitResult::accept([("confirm", json!(true)), ("name", json!(name))])
    });
    (builder, log)
}

fn server() -> Server {
    task_client::server().task_poll_interval(Duration::from_millis(10))
}

fn dispatcher() -> Dispatcher {
    server().build().unwrap()
}

fn task_server() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_task-server"));
    command.env_remove("TASK_DATABASE").stderr(Stdio::null());
    command
}

/// A client in this process and one of a server process, with their message logs.
async fn polling_clients() -> [(Client, MessageLog); 2] {
    let (local, local_log) = polling_client();
    let (remote, remote_log) = polling_client();
    [
        (local.connect(dispatcher()).await.unwrap(), local_log),
        (remote.spawn(task_server()).await.unwrap(), remote_log),
    ]
}

fn count(log: &MessageLog, method: &str) -> usize {
    log.sent_by(Direction::ToServer, method).len()
}

#[tokio::test]
async fn task_result_is_the_call_result() {
    for (client, log) in polling_clients().await {
        let arguments = json!({ "seconds": 0.02, "label": "it" });
        let text: String = client.call("slow_compute", arguments).await.unwrap();
        assert_eq!(text, "it is done.");
        assert!(count(&log, "tasks/get") >= 1);
        let failed = client.call::<Value>("failing_job", ()).await.unwrap_err();
        assert!(matches!(failed, ClientError::Tool(_)), "{failed}");
        let failed = client.call::<Value>("protocol_error_job", ()).await;
        let Err(ClientError::Protocol(error)) = failed else {
            panic!("{failed:?}");
        };
        assert_eq!(error.code.0, -32021);
        assert_eq!(count(&log, "tasks/cancel"), 0);
        log.assert_valid();
    }
}

#[tokio::test]
async fn input_request_of_a_task_is_answered_once() {
    for (client, log) in polling_clients().await {
        let arguments = json!({ "filename": "a.txt" });
        let text: String = client.call("confirm_delete", arguments).await.unwrap();
        assert_eq!(text, "a.txt is deleted.");
        assert_eq!(count(&log, "tasks/update"), 1);
        let text: String = client.call("multi_input", ()).await.unwrap();
        assert_eq!(text, "Who is the first? and Who is the second?");
        let text: String = client.call("test_tool_with_task", ()).await.unwrap();
        assert_eq!(text, "Hello, What is your name?!");
        log.assert_valid();
    }
}

#[tokio::test]
async fn timed_out_task_is_cancelled() {
    let (builder, log) = polling_client();
    let builder = builder.timeout(Duration::from_secs(1));
    let local = (builder.connect(dispatcher()).await.unwrap(), log);
    let (builder, log) = polling_client();
    let builder = builder.timeout(Duration::from_secs(3));
    let remote = (builder.spawn(task_server()).await.unwrap(), log);
    for (client, log) in [local, remote] {
        let result = client.call::<Value>("slow_compute", json!({ "seconds": 60 }));
        let result = result.await.unwrap_err();
        assert!(matches!(result, ClientError::TimedOut(_)), "{result}");
        assert_cancelled(&client, &log).await;
    }
}

#[tokio::test]
async fn task_of_a_dropped_call_is_cancelled() {
    for (client, log) in polling_clients().await {
        let client = Arc::new(client);
        let waiting = Arc::clone(&client);
        let call = tokio::spawn(async move {
            let slow = json!({ "seconds": 60 });
            waiting.call::<Value>("slow_compute", slow).await
        });
        while count(&log, "tasks/get") == 0 {
            tokio::task::yield_now().await;
        }
        call.abort();
        assert!(call.await.unwrap_err().is_cancelled());
        assert_cancelled(&client, &log).await;
    }
}

/// Checks that the only task was cancelled by the client.
async fn assert_cancelled(client: &Client, log: &MessageLog) {
    let created = log.sent_by(Direction::ToClient, "");
    let mut created = created.iter().map(|message| &message["result"]);
    let task = created.find(|result| result["resultType"] == "task");
    until(client, task.unwrap(), &["cancelled"]).await;
    assert_eq!(count(log, "tasks/cancel"), 1);
    log.assert_valid();
}

#[tokio::test]
async fn task_cancelled_by_another_client_is_an_error() {
    let dispatcher = dispatcher();
    let (builder, log) = polling_client();
    let client = builder.connect(dispatcher.clone()).await.unwrap();
    let (builder, _) = polling_client();
    let other = builder.connect(dispatcher).await.unwrap();
    let slow = json!({ "seconds": 60 });
    let call = client.call::<Value>("slow_compute", slow);
    let cancel = async {
        while count(&log, "tasks/get") == 0 {
            tokio::task::yield_now().await;
        }
        let id = &log.sent_by(Direction::ToServer, "tasks/get")[0]["params"]["taskId"];
        let params = json!({ "taskId": id });
        ask(&other, SUPPORTS_TASKS, "tasks/cancel", params)
            .await
            .unwrap();
    };
    let (ended, ()) = tokio::join!(call, cancel);
    assert!(
        matches!(ended, Err(ClientError::TaskCancelled)),
        "{ended:?}"
    );
    assert_eq!(count(&log, "tasks/cancel"), 0);
}

#[tokio::test(start_paused = true)]
async fn client_polls_at_the_interval_of_the_server() {
    let server = server().task_poll_interval(Duration::from_secs(3));
    let (builder, log) = polling_client();
    let client = builder.connect(server.build().unwrap()).await.unwrap();
    let slow = json!({ "seconds": 10, "label": "it" });
    let text: String = client.call("slow_compute", slow).await.unwrap();
    assert_eq!(text, "it is done.");
    // After 3, 6, 9 and 12 seconds.
    assert_eq!(count(&log, "tasks/get"), 4);
    log.assert_valid();
}

#[tokio::test]
async fn client_can_disable_tasks() {
    let (builder, log) = polling_client();
    let client = builder.without_tasks().connect(dispatcher()).await.unwrap();
    let soon = json!({ "seconds": 0.01, "label": "it" });
    let text: String = client.call("slow_compute", soon).await.unwrap();
    assert_eq!(text, "it is done.");
    let rejected = client.call::<Value>("failing_job", ()).await;
    let Err(ClientError::Protocol(error)) = rejected else {
        panic!("{rejected:?}");
    };
    assert_eq!(error.code.0, -32021);
    assert_eq!(count(&log, "tasks/get"), 0);
    log.assert_valid();
}

#[tokio::test]
async fn unanswerable_input_request_cancels_the_task() {
    let (builder, log) = checked_client(Revision::V2026_07_28);
    let builder = builder.elicit(|_| async { ElicitResult::accept([("confirm", true)]) });
    let client = builder.connect(dispatcher()).await.unwrap();
    client.duplex().replace_handler(None);
    let arguments = json!({ "filename": "a.txt" });
    let ended = client.call::<Value>("confirm_delete", arguments).await;
    let Err(ClientError::InputRequest { key, .. }) = ended else {
        panic!("{ended:?}");
    };
    assert_eq!(key, "confirmation");
    assert_cancelled(&client, &log).await;
}
