//! Clients of a server process.

use std::process::{Command, Stdio};
use std::time::Duration;

use mcp_runtime::client::ServerMessage;
use mcp_runtime::protocol::Revision;
use mcp_runtime::{Client, ClientError};
use serde_json::Value;

use support::checked_client::{checked_client, with_default_answers};

fn test_server() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_test-server"));
    command.stderr(Stdio::null());
    command
}

#[tokio::test]
async fn spawned_server_answers_and_requests_input() {
    for revision in [
        Revision::V2025_06_18,
        Revision::V2025_11_25,
        Revision::V2026_07_28,
    ] {
        let (builder, log) = checked_client(revision);
        let client = with_default_answers(builder)
            .spawn(test_server())
            .await
            .unwrap();
        let sum: i64 = client.call("add", [("a", 2), ("b", 3)]).await.unwrap();
        assert_eq!(sum, 5);
        let text: String = client.call("two_questions", ()).await.unwrap();
        assert_eq!(text, "Alice likes Alice", "{revision}");
        log.assert_valid();
    }
}

#[tokio::test]
async fn exited_server_is_a_disconnect() {
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
async fn timed_out_request_is_cancelled() {
    let (builder, log) = checked_client(Revision::V2025_11_25);
    let client = builder
        .timeout(Duration::from_millis(500))
        .spawn(test_server())
        .await
        .unwrap();
    let error = client.call::<Value>("forever", ()).await.unwrap_err();
    assert!(matches!(error, ClientError::TimedOut(_)), "{error}");
    let notifications = log.sent_by(
        mcp_runtime::client::Direction::ToServer,
        "notifications/cancelled",
    );
    assert_eq!(notifications.len(), 1);
    let sum: i64 = client.call("add", [("a", 2), ("b", 3)]).await.unwrap();
    assert_eq!(sum, 5);
}

/// A server that exits when a tool is called.
const EXITS_ON_CALL: &str = r#"
read initialize
echo '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"sh","version":"1"}}}'
read initialized; read request
"#;

#[tokio::test]
async fn failed_call_is_not_retried() {
    let mut command = Command::new("sh");
    command.args(["-c", EXITS_ON_CALL]);
    let (builder, log) = checked_client(Revision::V2025_11_25);
    let client = builder.spawn(command).await.unwrap();
    let error = client.call::<Value>("pay", ()).await.unwrap_err();
    assert!(matches!(error, ClientError::Disconnected), "{error}");
    assert_eq!(
        log.sent_by(mcp_runtime::client::Direction::ToServer, "tools/call")
            .len(),
        1
    );
    let error = client.call::<Value>("pay", ()).await.unwrap_err();
    assert!(matches!(error, ClientError::Disconnected), "{error}");
}

/// A server that sends notifications, requests, a batch and invalid lines.
const MIXED_MESSAGES: &str = r#"
say() { echo "$1"; }
read initialize
say '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-03-26","capabilities":{},"serverInfo":{"name":"sh","version":"1"}}}'
read initialized; read request
say '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":2,"progress":1,"total":2}}'
say '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"half"}}'
say 'no message'
say ''
say '{"jsonrpc":"2.0","id":"p","method":"ping"}'
read pong
say '{"jsonrpc":"2.0","id":77,"result":{}}'
say '[{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":2,"progress":2}},{"jsonrpc":"2.0","id":2,"result":{"pong":'"$pong"'}}]'
read request
say '{"jsonrpc":"2.0","id":"r","method":"roots/list"}'
read rejected
say '{"jsonrpc":"2.0","id":3,"result":{"rejected":'"$rejected"'}}'
read end
"#;

#[tokio::test]
async fn client_delivers_notifications_and_survives_odd_messages() {
    let mut command = Command::new("sh");
    command.args(["-c", MIXED_MESSAGES]);
    let (sender, received) = std::sync::mpsc::channel();
    let log = sender.clone();
    let client = Client::builder()
        .revision(Revision::V2025_03_26)
        .on_progress(move |progress| sender.send(format!("{}", progress.progress)).unwrap())
        .on_log_message(move |line| log.send(line.data.to_string()).unwrap())
        .spawn(command)
        .await
        .unwrap();
    let result = client
        .request("example/wait", serde_json::json!({}))
        .await
        .unwrap();
    assert_eq!(
        result["pong"],
        serde_json::json!({ "jsonrpc": "2.0", "id": "p", "result": {} })
    );
    assert_eq!(
        received.try_iter().collect::<Vec<_>>(),
        ["1", "\"half\"", "2"]
    );

    client.duplex().replace_handler(None);
    let result = client
        .request("example/wait", serde_json::json!({}))
        .await
        .unwrap();
    assert_eq!(result["rejected"]["error"]["code"], -32601);
}

/// A server that sends three notifications before its response.
const NOTIFIES: &str = r#"
read initialize
echo '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"sh","version":"1"}}}'
read initialized; read request
echo '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"panic"}}'
echo '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"wait"}}'
echo '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"watch"}}'
echo '{"jsonrpc":"2.0","id":2,"result":{}}'
read end
"#;

#[tokio::test]
async fn client_handler_may_wait_or_panic() {
    let mut command = Command::new("sh");
    command.args(["-c", NOTIFIES]);
    let client = Client::builder()
        .revision(Revision::V2025_11_25)
        .on_message(|_, text| assert!(!text.contains("watch"), "intended"))
        .spawn(command)
        .await
        .unwrap();
    let (sender, mut received) = tokio::sync::mpsc::unbounded_channel();
    client.duplex().set_handler(move |message: ServerMessage| {
        let text = message.params.unwrap().to_string();
        assert!(!text.contains("panic"), "intended");
        let (sender, timer) = (sender.clone(), tokio::time::sleep(Duration::from_millis(1)));
        async move {
            timer.await;
            sender.send(text.contains("wait")).unwrap();
            Ok(Value::Null)
        }
    });
    let request = client.request("example/wait", serde_json::json!({}));
    request.await.unwrap();
    let mut received = [
        received.recv().await.unwrap(),
        received.recv().await.unwrap(),
    ];
    received.sort_unstable();
    assert_eq!(received, [false, true]);
}

/// A temporary file that a script writes to.
struct ScriptOutput(std::path::PathBuf);

impl ScriptOutput {
    fn new(name: &str) -> Self {
        let name = format!("mcp-close-{name}-{}", std::process::id());
        Self(std::env::temp_dir().join(name))
    }

    fn lines(&self) -> Vec<String> {
        let text = std::fs::read_to_string(&self.0).unwrap();
        text.lines().map(str::to_owned).collect()
    }

    /// Connects to a server of 2025-11-25 that runs `script` after `initialize`.
    async fn connect(&self, script: &str) -> Client {
        let initialized = r#"{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"sh","version":"1"}}}"#;
        let script = format!("read initialize; echo '{initialized}'; read initialized; {script}");
        let mut command = Command::new("sh");
        command.args(["-c", &script]).env("FILE", &self.0);
        let builder = Client::builder().revision(Revision::V2025_11_25);
        builder.spawn(command).await.unwrap()
    }
}

impl Drop for ScriptOutput {
    fn drop(&mut self) {
        // A failed test may not have written it.
        let _ = std::fs::remove_file(&self.0);
    }
}

#[tokio::test]
async fn close_flushes_and_waits_for_the_process() {
    let file = ScriptOutput::new("messages");
    let script = r#"while read line; do echo "$line" >> "$FILE"; done; echo end >> "$FILE""#;
    let client = file.connect(script).await;
    for index in 0..500 {
        let params = serde_json::json!({ "index": index });
        client.notify("notifications/example", params).unwrap();
    }
    client.close().await;
    let lines = file.lines();
    assert_eq!(lines.len(), 501);
    assert!(lines[499].contains(r#""index":499"#));
    assert_eq!(lines[500], "end");
}

#[cfg(unix)]
#[tokio::test]
async fn process_that_ignores_end_of_input_is_terminated() {
    let is_alive = |id: &str| {
        let mut kill = Command::new("kill");
        kill.args(["-0", id]).stderr(Stdio::null());
        kill.status().unwrap().success()
    };
    let wait = "for each in $(seq 400); do sleep 0.05; done";
    let terminated = async {
        let file = ScriptOutput::new("terminated");
        let trap = r#"trap 'echo terminated >> "$FILE"; exit' TERM; echo $$ > "$FILE"; echo '{"jsonrpc":"2.0","id":2,"result":{}}'"#;
        let client = file.connect(&format!("read ping; {trap}; {wait}")).await;
        client.request("ping", Value::Null).await.unwrap();
        client.close().await;
        let lines = file.lines();
        assert_eq!(lines[1..], ["terminated"]);
        assert!(!is_alive(&lines[0]));
    };
    let killed = async {
        let file = ScriptOutput::new("killed");
        let trap =
            r#"trap '' TERM; echo $$ > "$FILE"; echo '{"jsonrpc":"2.0","id":2,"result":{}}'"#;
        let client = file.connect(&format!("read ping; {trap}; {wait}")).await;
        client.request("ping", Value::Null).await.unwrap();
        client.close().await;
        assert!(!is_alive(&file.lines()[0]));
    };
    tokio::join!(terminated, killed);
}
