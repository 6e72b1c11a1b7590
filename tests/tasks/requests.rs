//! Requests of clients that know tasks, or not.

use std::time::Duration;

use mcp_runtime::protocol::Revision;
use mcp_runtime::{Client, ClientBuilder, ClientError, Server};
use serde_json::{Value, json};

use crate::guarded_tools::Stage;
use crate::talk;

/// A server of all the tools here.
pub(crate) fn server() -> Server {
    Server::new("tasks", "1.2.3").state(Stage::default())
}

pub(crate) const KNOWS_TASKS: bool = true;

/// A client whose test answers by itself.
pub(crate) async fn connect(server: Server) -> (Client, talk::Log) {
    let (builder, log) = probe();
    let client = builder.connect(server.build().unwrap()).await;
    (client.unwrap(), log)
}

/// A client in the making that can be asked, and whose messages are checked.
pub(crate) fn probe() -> (ClientBuilder, talk::Log) {
    let (builder, log) = talk::checked(Revision::V2026_07_28);
    let builder = builder.elicit(|_| async { unreachable!("the test answers by itself") });
    (builder, log)
}

pub(crate) async fn client() -> (Client, talk::Log) {
    connect(server()).await
}

/// One request of a client that knows tasks, or not.
pub(crate) async fn ask(
    client: &Client,
    knows: bool,
    method: &str,
    mut params: Value,
) -> Result<Value, i32> {
    let capabilities = match knows {
        true => knowing_tasks(),
        false => json!({ "elicitation": {} }),
    };
    params["_meta"] = json!({ "io.modelcontextprotocol/clientCapabilities": capabilities });
    match client.exchange(method, params).await {
        Ok(result) => Ok(result),
        Err(ClientError::Protocol(error)) => Err(error.code.0),
        Err(error) => panic!("{error}"),
    }
}

pub(crate) async fn call(client: &Client, tool: &str, arguments: Value) -> Value {
    let params = json!({ "name": tool, "arguments": arguments });
    ask(client, KNOWS_TASKS, "tools/call", params)
        .await
        .unwrap()
}

/// Looks at a task until it is in one of those states.
pub(crate) async fn until(client: &Client, task: &Value, states: &[&str]) -> Value {
    for _ in 0..1000 {
        let params = json!({ "taskId": task["taskId"] });
        let now = ask(client, KNOWS_TASKS, "tasks/get", params).await.unwrap();
        assert_eq!(now["resultType"], "complete");
        if states.contains(&now["status"].as_str().unwrap()) {
            return now;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("{task} never gets there");
}

pub(crate) fn accepts(content: Value) -> Value {
    json!({ "action": "accept", "content": content })
}

/// The capabilities of a client that knows tasks, for requests made by hand.
pub(crate) fn knowing_tasks() -> Value {
    json!({ "elicitation": {}, "extensions": { "io.modelcontextprotocol/tasks": {} } })
}
