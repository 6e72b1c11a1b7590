//! Requests of clients with and without task support.

use std::time::Duration;

use mcp_runtime::client::ClientBuilder;
use mcp_runtime::protocol::Revision;
use mcp_runtime::{Client, ClientError, Server};
use serde_json::{Value, json};

use crate::pipeline_tools::ToolControl;
use support::checked_client::{MessageLog, checked_client};

/// A server of all tools in this binary.
pub(crate) fn server() -> Server {
    Server::new("tasks", "1.2.3").state(ToolControl::default())
}

pub(crate) const SUPPORTS_TASKS: bool = true;

/// Connects a client that leaves input requests to the test.
pub(crate) async fn connect(server: Server) -> (Client, MessageLog) {
    let (builder, log) = manual_client();
    let client = builder.connect(server.build().unwrap()).await;
    (client.unwrap(), log)
}

/// A builder for a client that declares elicitation and leaves answers to the test.
pub(crate) fn manual_client() -> (ClientBuilder, MessageLog) {
    let (builder, log) = checked_client(Revision::V2026_07_28);
    let builder = builder.elicit(|_| async { unreachable!("the test sends the answer") });
    (builder, log)
}

pub(crate) async fn client() -> (Client, MessageLog) {
    connect(server()).await
}

/// Sends a request with or without task support; `Err` is the error code.
pub(crate) async fn ask(
    client: &Client,
    supports_tasks: bool,
    method: &str,
    mut params: Value,
) -> Result<Value, i32> {
    let capabilities = match supports_tasks {
        true => task_capabilities(),
        false => json!({ "elicitation": {} }),
    };
    params["_meta"] = json!({ "io.modelcontextprotocol/clientCapabilities": capabilities });
    match client.request_once(method, params).await {
        Ok(result) => Ok(result),
        Err(ClientError::Protocol(error)) => Err(error.code.0),
        Err(error) => panic!("{error}"),
    }
}

pub(crate) async fn call(client: &Client, tool: &str, arguments: Value) -> Value {
    let params = json!({ "name": tool, "arguments": arguments });
    ask(client, SUPPORTS_TASKS, "tools/call", params)
        .await
        .unwrap()
}

/// Polls a task until it is in one of these states.
pub(crate) async fn until(client: &Client, task: &Value, states: &[&str]) -> Value {
    for _ in 0..1000 {
        let params = json!({ "taskId": task["taskId"] });
        let now = ask(client, SUPPORTS_TASKS, "tasks/get", params)
            .await
            .unwrap();
        assert_eq!(now["resultType"], "complete");
        if states.contains(&now["status"].as_str().unwrap()) {
            return now;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("{task} never becomes {states:?}");
}

pub(crate) fn accepts(content: Value) -> Value {
    json!({ "action": "accept", "content": content })
}

/// The capabilities of a client with task support.
pub(crate) fn task_capabilities() -> Value {
    json!({ "elicitation": {}, "extensions": { "io.modelcontextprotocol/tasks": {} } })
}
