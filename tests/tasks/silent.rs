//! Tasks whose client does not answer, goes, or whose server stops: nothing is left of them.

use std::time::Duration;

use serde_json::json;

use crate::guarded::{Guarded, text};
use crate::requests::{KNOWS_TASKS, accepts, ask, call, until};

#[tokio::test]
async fn a_server_that_stops_ends_its_tasks_and_writes_that_down() {
    let guarded = Guarded::new(|server| server);
    let (client, log) = guarded.client().await;
    let task = call(&client, "wait", json!({})).await;
    guarded.dispatcher.stop_tasks().await;
    assert_eq!(*guarded.stage.over.borrow(), 1);
    let ended = until(&client, &task, &["failed"]).await;
    let message = ended["error"]["message"].as_str().unwrap();
    assert!(message.contains("the server stopped"), "{message}");
    guarded.quiet().await;
    assert_eq!(guarded.outcomes(), ["cancelled"]);
    log.legal();
}

#[tokio::test]
async fn a_task_outlives_its_client() {
    let guarded = Guarded::new(|server| server);
    let (client, log) = guarded.client().await;
    let task = call(&client, "wait", json!({})).await;
    guarded.stage.wait_begun(1).await;
    drop(client);
    guarded.stage.let_go.notify_one();
    let (client, _) = guarded.client().await;
    let done = until(&client, &task, &["completed"]).await;
    assert_eq!(text(&done), "let go");
    guarded.quiet().await;
    assert_eq!(guarded.outcomes(), ["success"]);
    log.legal();
}

#[tokio::test(start_paused = true)]
async fn a_task_does_not_wait_for_ever_for_an_answer() {
    let guarded = Guarded::new(|server| server.patience(Duration::from_secs(5)));
    let (client, log) = guarded.client().await;
    let task = call(&client, "ask_late", json!({})).await;
    guarded.stage.let_go.notify_one();
    until(&client, &task, &["input_required"]).await;
    // Nobody answers, and the clock goes on by itself.
    guarded.stage.wait_over(1).await;
    let done = until(&client, &task, &["completed"]).await;
    assert_eq!(done["result"]["isError"], true);
    assert!(text(&done).contains("did not answer `answer` within 5s"));
    guarded.quiet().await;
    assert_eq!(guarded.outcomes(), ["error"]);
    log.legal();
}

#[tokio::test(start_paused = true)]
async fn a_task_does_not_run_longer_than_it_is_kept() {
    let guarded = Guarded::new(|server| server.task_ttl(Duration::from_secs(5)));
    let (client, log) = guarded.client().await;
    call(&client, "wait", json!({})).await;
    guarded.stage.wait_over(1).await;
    guarded.quiet().await;
    assert_eq!(guarded.outcomes(), ["cancelled"]);
    log.legal();
}

#[tokio::test]
async fn a_second_answer_is_nobodys_concern() {
    let guarded = Guarded::new(|server| server);
    let (client, log) = guarded.client().await;
    let task = call(&client, "ask_late", json!({})).await;
    guarded.stage.let_go.notify_one();
    until(&client, &task, &["input_required"]).await;
    for text in ["first", "second"] {
        let answers = json!({ "answer": accepts(json!({ "text": text })) });
        let params = json!({ "taskId": task["taskId"], "inputResponses": answers });
        ask(&client, KNOWS_TASKS, "tasks/update", params)
            .await
            .unwrap();
    }
    let done = until(&client, &task, &["completed"]).await;
    assert_eq!(text(&done), "Some(\"first\")");
    log.legal();
}
