//! The life of a task, from the call to its result.

use mcp_runtime::Client;
use mcp_runtime::protocol::Revision;
use serde_json::json;

use crate::task_client::{
    SUPPORTS_TASKS, accepts, ask, call, client, manual_client, server, until,
};

#[tokio::test]
async fn long_running_call_becomes_a_task() {
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
    log.assert_valid();
}

#[tokio::test]
async fn failed_tool_is_a_completed_task() {
    let (client, log) = client().await;
    let task = call(&client, "failing_job", json!({})).await;
    let done = until(&client, &task, &["completed"]).await;
    assert_eq!(done["result"]["isError"], true);
    log.assert_valid();
}

#[tokio::test]
async fn client_without_tasks_waits_or_is_rejected() {
    let (client, log) = client().await;
    let params = json!({ "name": "slow_compute", "arguments": { "seconds": 0.01 } });
    let result = ask(&client, !SUPPORTS_TASKS, "tools/call", params)
        .await
        .unwrap();
    assert_eq!(result["resultType"], "complete");
    let params = json!({ "name": "failing_job" });
    let rejected = ask(&client, !SUPPORTS_TASKS, "tools/call", params).await;
    assert_eq!(rejected, Err(-32021));
    for method in ["tasks/get", "tasks/update", "tasks/cancel"] {
        let mut params = json!({ "taskId": "x" });
        if method == "tasks/update" {
            params["inputResponses"] = json!({});
        }
        let rejected = ask(&client, !SUPPORTS_TASKS, method, params.clone()).await;
        assert_eq!(rejected, Err(-32021), "{method}");
        let unknown = ask(&client, SUPPORTS_TASKS, method, params).await;
        assert_eq!(unknown, Err(-32602), "{method}");
    }
    log.assert_valid();
}

#[tokio::test]
async fn legacy_task_methods_are_unknown() {
    // The client violates the protocol, so its messages are not checked.
    let (client, _) = client().await;
    for method in ["tasks/result", "tasks/list"] {
        let removed = ask(&client, SUPPORTS_TASKS, method, json!({ "taskId": "x" })).await;
        assert_eq!(removed, Err(-32601), "{method}");
    }
}

#[tokio::test]
async fn running_task_can_request_input() {
    let (client, log) = client().await;
    let task = call(&client, "confirm_delete", json!({ "filename": "a.txt" })).await;
    let waiting = until(&client, &task, &["input_required"]).await;
    let request = &waiting["inputRequests"]["confirmation"];
    assert_eq!(request["params"]["message"], "Delete a.txt?");
    let answers = json!({ "confirmation": accepts(json!({ "confirm": true })), "more": { "action": "cancel" } });
    let params = json!({ "taskId": task["taskId"], "inputResponses": answers });
    ask(&client, SUPPORTS_TASKS, "tasks/update", params)
        .await
        .unwrap();
    let done = until(&client, &task, &["completed"]).await;
    assert_eq!(done["result"]["content"][0]["text"], "a.txt is deleted.");
    assert_eq!(done.get("inputRequests"), None);
    log.assert_valid();
}

#[tokio::test]
async fn partial_answers_leave_the_rest_open() {
    let (client, log) = client().await;
    let task = call(&client, "multi_input", json!({})).await;
    let update = async |key: &str| {
        let answers = json!({ key: accepts(json!({ "name": key, "confirm": true })) });
        let params = json!({ "taskId": task["taskId"], "inputResponses": answers });
        let ack = ask(&client, SUPPORTS_TASKS, "tasks/update", params)
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
    log.assert_valid();
}

#[tokio::test]
async fn immediate_input_request_comes_before_the_task() {
    let (client, log) = client().await;
    let result = call(&client, "test_tool_with_task", json!({})).await;
    assert_eq!(result["resultType"], "input_required");
    assert_eq!(result.get("taskId"), None);
    let params = json!({
        "name": "test_tool_with_task",
        "arguments": {},
        "requestState": result["requestState"],
        "inputResponses": { "user_name": accepts(json!({ "name": "Alice" })) },
    });
    let task = ask(&client, SUPPORTS_TASKS, "tools/call", params)
        .await
        .unwrap();
    assert_eq!(task["resultType"], "task");
    assert_eq!(task.get("requestState"), None);
    let done = until(&client, &task, &["completed"]).await;
    assert_eq!(done["result"]["content"][0]["text"], "Hello, Alice!");
    log.assert_valid();
}

#[tokio::test]
async fn cancelled_task_stays_cancelled() {
    let (client, log) = client().await;
    let task = call(&client, "slow_compute", json!({ "seconds": 60 })).await;
    for _ in 0..2 {
        let params = json!({ "taskId": task["taskId"] });
        ask(&client, SUPPORTS_TASKS, "tasks/cancel", params)
            .await
            .unwrap();
        let now = until(&client, &task, &["cancelled"]).await;
        assert_eq!(now.get("result"), None);
    }
    log.assert_valid();
}

#[tokio::test]
async fn tasks_extension_is_declared() {
    let (client, log) = client().await;
    let result = client
        .request_once("server/discover", json!({}))
        .await
        .unwrap();
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
    log.assert_valid();
}

#[tokio::test]
async fn task_outlives_its_tool() {
    let dispatcher = server().build().unwrap();
    let (builder, log) = manual_client();
    let client = builder.connect(dispatcher.clone()).await.unwrap();
    let task = call(&client, "slow_compute", json!({ "seconds": 60 })).await;
    let listed = ask(&client, SUPPORTS_TASKS, "tools/list", json!({})).await;
    for tool in listed.unwrap()["tools"].as_array().unwrap() {
        let name = tool["name"].as_str().unwrap();
        assert!(dispatcher.handle().remove_tool(name), "{name}");
    }
    until(&client, &task, &["working"]).await;
    let params = json!({ "taskId": task["taskId"] });
    let cancelled = ask(&client, SUPPORTS_TASKS, "tasks/cancel", params).await;
    cancelled.unwrap();
    until(&client, &task, &["cancelled"]).await;
    log.assert_valid();
}
