//! From the call of a tool to what came of it.

use mcp_runtime::Client;
use mcp_runtime::protocol::Revision;
use serde_json::json;

use crate::requests::{KNOWS_TASKS, accepts, ask, call, client, probe, server, until};

#[tokio::test]
async fn long_work_is_a_task_and_its_result_is_inside() {
    let (client, log) = client().await;
    let task = call(
        &client,
        "slow_compute",
        json!({ "seconds": 0.05, "label": "it" }),
    )
    .await;
    assert_eq!(task["resultType"], "task");
    assert_eq!(task["status"], "working");
    assert!(task["taskId"].as_str().unwrap().len() >= 32);
    for absent in ["task", "result", "error", "inputRequests", "requestState"] {
        assert_eq!(task.get(absent), None, "{absent}");
    }
    let done = until(&client, &task, &["completed"]).await;
    assert_eq!(done["result"]["content"][0]["text"], "it is done.");
    assert_eq!(done.get("error"), None);
    log.legal();
}

#[tokio::test]
async fn a_failed_tool_is_a_completed_task() {
    let (client, log) = client().await;
    let task = call(&client, "failing_job", json!({})).await;
    let done = until(&client, &task, &["completed"]).await;
    assert_eq!(done["result"]["isError"], true);
    log.legal();
}

#[tokio::test]
async fn a_client_without_tasks_waits_or_is_refused() {
    let (client, log) = client().await;
    let params = json!({ "name": "slow_compute", "arguments": { "seconds": 0.01 } });
    let result = ask(&client, !KNOWS_TASKS, "tools/call", params)
        .await
        .unwrap();
    assert_eq!(result["resultType"], "complete");
    let params = json!({ "name": "failing_job" });
    let refused = ask(&client, !KNOWS_TASKS, "tools/call", params).await;
    assert_eq!(refused, Err(-32021));
    for method in ["tasks/get", "tasks/update", "tasks/cancel"] {
        let mut params = json!({ "taskId": "x" });
        if method == "tasks/update" {
            params["inputResponses"] = json!({});
        }
        let refused = ask(&client, !KNOWS_TASKS, method, params.clone()).await;
        assert_eq!(refused, Err(-32021), "{method}");
        let unknown = ask(&client, KNOWS_TASKS, method, params).await;
        assert_eq!(unknown, Err(-32602), "{method}");
    }
    log.legal();
}

#[tokio::test]
async fn the_methods_of_the_older_tasks_are_gone() {
    // The client says what it must not say, so its messages are not held to the rules.
    let (client, _) = client().await;
    for method in ["tasks/result", "tasks/list"] {
        let removed = ask(&client, KNOWS_TASKS, method, json!({ "taskId": "x" })).await;
        assert_eq!(removed, Err(-32601), "{method}");
    }
}

#[tokio::test]
async fn a_task_asks_while_it_runs() {
    let (client, log) = client().await;
    let task = call(&client, "confirm_delete", json!({ "filename": "a.txt" })).await;
    let waiting = until(&client, &task, &["input_required"]).await;
    let question = &waiting["inputRequests"]["sure"];
    assert_eq!(question["params"]["message"], "Delete a.txt?");
    let answers =
        json!({ "sure": accepts(json!({ "confirm": true })), "more": { "action": "cancel" } });
    let params = json!({ "taskId": task["taskId"], "inputResponses": answers });
    ask(&client, KNOWS_TASKS, "tasks/update", params)
        .await
        .unwrap();
    let done = until(&client, &task, &["completed"]).await;
    assert_eq!(done["result"]["content"][0]["text"], "a.txt is deleted.");
    assert_eq!(done.get("inputRequests"), None);
    log.legal();
}

#[tokio::test]
async fn a_part_of_the_answers_leaves_the_rest_open() {
    let (client, log) = client().await;
    let task = call(&client, "multi_input", json!({})).await;
    let update = async |key: &str| {
        let answers = json!({ key: accepts(json!({ "name": key, "confirm": true })) });
        let params = json!({ "taskId": task["taskId"], "inputResponses": answers });
        let ack = ask(&client, KNOWS_TASKS, "tasks/update", params)
            .await
            .unwrap();
        assert_eq!(ack["resultType"], "complete");
    };
    let both = until(&client, &task, &["input_required"]).await;
    assert_eq!(both["inputRequests"].as_object().unwrap().len(), 2);
    update("second").await;
    let one = until(&client, &task, &["input_required"]).await;
    assert!(one["inputRequests"].get("second").is_none());
    update("first").await;
    let done = until(&client, &task, &["completed"]).await;
    assert_eq!(done["result"]["content"][0]["text"], "first and second");
    log.legal();
}

#[tokio::test]
async fn a_question_that_is_asked_at_once_comes_before_the_task() {
    let (client, log) = client().await;
    let asked = call(&client, "test_tool_with_task", json!({})).await;
    assert_eq!(asked["resultType"], "input_required");
    assert_eq!(asked.get("taskId"), None);
    let params = json!({
        "name": "test_tool_with_task",
        "arguments": {},
        "requestState": asked["requestState"],
        "inputResponses": { "user_name": accepts(json!({ "name": "Alice" })) },
    });
    let task = ask(&client, KNOWS_TASKS, "tools/call", params)
        .await
        .unwrap();
    assert_eq!(task["resultType"], "task");
    assert_eq!(task.get("requestState"), None);
    let done = until(&client, &task, &["completed"]).await;
    assert_eq!(done["result"]["content"][0]["text"], "Hello, Alice!");
    log.legal();
}

#[tokio::test]
async fn a_task_that_is_called_off_stays_so() {
    let (client, log) = client().await;
    let task = call(&client, "slow_compute", json!({ "seconds": 60 })).await;
    for _ in 0..2 {
        let params = json!({ "taskId": task["taskId"] });
        ask(&client, KNOWS_TASKS, "tasks/cancel", params)
            .await
            .unwrap();
        let now = until(&client, &task, &["cancelled"]).await;
        assert_eq!(now.get("result"), None);
    }
    log.legal();
}

#[tokio::test]
async fn the_extension_is_declared_where_it_exists() {
    let (client, log) = client().await;
    let result = client.exchange("server/discover", json!({})).await.unwrap();
    let capabilities = &result["capabilities"];
    assert!(capabilities["extensions"]["io.modelcontextprotocol/tasks"].is_object());
    assert_eq!(capabilities.get("tasks"), None);
    let dispatcher = server().build().unwrap();
    let old = Client::connect(dispatcher, Revision::V2025_11_25)
        .await
        .unwrap();
    assert!(
        old.request("tasks/get", json!({ "taskId": "x" }))
            .await
            .is_err()
    );
    let waits: String = old
        .call("slow_compute", json!({ "seconds": 0.01, "label": "it" }))
        .await
        .unwrap();
    assert_eq!(waits, "it is done.");
    log.legal();
}

#[tokio::test]
async fn a_task_outlives_its_tool() {
    let dispatcher = server().build().unwrap();
    let (builder, log) = probe();
    let client = builder.connect(dispatcher.clone()).await.unwrap();
    let task = call(&client, "slow_compute", json!({ "seconds": 60 })).await;
    let listed = ask(&client, KNOWS_TASKS, "tools/list", json!({})).await;
    for tool in listed.unwrap()["tools"].as_array().unwrap() {
        let name = tool["name"].as_str().unwrap();
        assert!(dispatcher.handle().remove_tool(name), "{name}");
    }
    until(&client, &task, &["working"]).await;
    let params = json!({ "taskId": task["taskId"] });
    let cancelled = ask(&client, KNOWS_TASKS, "tasks/cancel", params).await;
    cancelled.unwrap();
    until(&client, &task, &["cancelled"]).await;
    log.legal();
}
