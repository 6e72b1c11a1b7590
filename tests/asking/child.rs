//! The same through a process.

use std::process::{Command, Stdio};

use mcp_runtime::protocol::Revision;
use mcp_runtime::{Client, ClientError};
use serde_json::Value;

use crate::talk::{checked, obliging};

fn process() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_test-server"));
    command.stderr(Stdio::null());
    command
}

#[tokio::test]
async fn a_process_is_asked_and_asks() {
    for revision in [
        Revision::V2025_06_18,
        Revision::V2025_11_25,
        Revision::V2026_07_28,
    ] {
        let (builder, log) = checked(revision);
        let client = obliging(builder).spawn(process()).await.unwrap();
        let sum: i64 = client.call("add", [("a", 2), ("b", 3)]).await.unwrap();
        assert_eq!(sum, 5);
        let text: String = client.call("two_questions", ()).await.unwrap();
        assert_eq!(text, "Alice likes Alice", "{revision}");
        log.legal();
    }
}

#[tokio::test]
async fn a_process_that_ends_leaves_nobody_waiting() {
    let mut command = Command::new("sh");
    command.args(["-c", "read line; exit 0"]);
    let error = Client::builder().spawn(command).await.unwrap_err();
    assert!(matches!(error, ClientError::Disconnected), "{error}");
    let error = Client::builder()
        .spawn(Command::new("/no/such/program"))
        .await
        .unwrap_err();
    assert!(matches!(error, ClientError::Spawn(_)), "{error}");
}

#[tokio::test]
async fn a_request_that_takes_too_long_is_cancelled() {
    let (builder, log) = checked(Revision::V2025_11_25);
    let client = builder
        .timeout(std::time::Duration::from_millis(500))
        .spawn(process())
        .await
        .unwrap();
    let error = client.call::<Value>("forever", ()).await.unwrap_err();
    assert!(matches!(error, ClientError::TimedOut(_)), "{error}");
    let told = log.said(mcp_runtime::Side::Client, "notifications/cancelled");
    assert_eq!(told.len(), 1);
    let sum: i64 = client.call("add", [("a", 2), ("b", 3)]).await.unwrap();
    assert_eq!(sum, 5);
}
