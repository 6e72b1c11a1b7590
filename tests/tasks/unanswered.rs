//! Tasks whose client does not answer or disconnects, and tasks of a stopping server.

use std::time::Duration;

use serde_json::json;

use crate::pipeline::{TestServer, text};
use crate::task_client::{SUPPORTS_TASKS, accepts, ask, call, until};

#[tokio::test]
async fn shutdown_fails_running_tasks_and_audits_them() {
    let server = TestServer::new(|server| server);
    let (client, log) = server.client().await;
    let task = call(&client, "wait", json!({})).await;
    server.dispatcher.stop_tasks().await;
    assert_eq!(*server.control.ended.borrow(), 1);
    let ended = until(&client, &task, &["failed"]).await;
    let message = ended["error"]["message"].as_str().unwrap();
    assert!(message.contains("the server stopped"), "{message}");
    server.wait_for_tasks().await;
    assert_eq!(server.outcomes(), ["cancelled"]);
    log.assert_valid();
}

#[tokio::test]
async fn task_outlives_its_client() {
    let server = TestServer::new(|server| server);
    let (client, log) = server.client().await;
    let task = call(&client, "wait", json!({})).await;
    server.control.wait_started(1).await;
    drop(client);
    server.control.release.notify_one();
    let (client, _) = server.client().await;
    let done = until(&client, &task, &["completed"]).await;
    assert_eq!(text(&done), "released");
    server.wait_for_tasks().await;
    assert_eq!(server.outcomes(), ["success"]);
    log.assert_valid();
}

#[tokio::test(start_paused = true)]
async fn unanswered_input_request_fails_the_task() {
    let server = TestServer::new(|server| server.input_timeout(Duration::from_secs(5)));
    let (client, log) = server.client().await;
    let task = call(&client, "ask_late", json!({})).await;
    server.control.release.notify_one();
    until(&client, &task, &["input_required"]).await;
    // Nobody answers, and the paused clock advances by itself.
    server.control.wait_ended(1).await;
    let done = until(&client, &task, &["completed"]).await;
    assert_eq!(done["result"]["isError"], true);
    assert!(text(&done).contains("did not answer `answer` within 5s"));
    server.wait_for_tasks().await;
    assert_eq!(server.outcomes(), ["error"]);
    log.assert_valid();
}

#[tokio::test(start_paused = true)]
async fn task_ends_when_its_ttl_expires() {
    let server = TestServer::new(|server| server.task_ttl(Duration::from_secs(5)));
    let (client, log) = server.client().await;
    call(&client, "wait", json!({})).await;
    server.control.wait_ended(1).await;
    server.wait_for_tasks().await;
    assert_eq!(server.outcomes(), ["cancelled"]);
    log.assert_valid();
}

#[tokio::test]
async fn second_answer_to_a_task_is_ignored() {
    let server = TestServer::new(|server| server);
    let (client, log) = server.client().await;
    let task = call(&client, "ask_late", json!({})).await;
    server.control.release.notify_one();
    until(&client, &task, &["input_required"]).await;
    for text in ["first", "second"] {
        let answers = json!({ "answer": accepts(json!({ "text": text })) });
        let params = json!({ "taskId": task["taskId"], "inputResponses": answers });
        ask(&client, SUPPORTS_TASKS, "tasks/update", params)
            .await
            .unwrap();
    }
    let done = until(&client, &task, &["completed"]).await;
    assert_eq!(text(&done), "Some(\"first\")");
    log.assert_valid();
}
