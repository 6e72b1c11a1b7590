//! The same through a process.

use std::process::{Command, Stdio};
use std::time::Duration;

use mcp_runtime::protocol::Revision;
use mcp_runtime::{Client, ClientError, ServerMessage};
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
        .timeout(Duration::from_millis(500))
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

/// A server that ends when it is called.
const DIES: &str = r#"
read initialize
echo '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"sh","version":"1"}}}'
read initialized; read request
"#;

#[tokio::test]
async fn a_call_is_never_repeated() {
    let mut command = Command::new("sh");
    command.args(["-c", DIES]);
    let (builder, log) = checked(Revision::V2025_11_25);
    let client = builder.spawn(command).await.unwrap();
    let error = client.call::<Value>("pay", ()).await.unwrap_err();
    assert!(matches!(error, ClientError::Disconnected), "{error}");
    assert_eq!(log.said(mcp_runtime::Side::Client, "tools/call").len(), 1);
    let error = client.call::<Value>("pay", ()).await.unwrap_err();
    assert!(matches!(error, ClientError::Disconnected), "{error}");
}

/// A server that says what no other server here says.
const ODD: &str = r#"
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
read refused
say '{"jsonrpc":"2.0","id":3,"result":{"refused":'"$refused"'}}'
read end
"#;

#[tokio::test]
async fn a_client_shows_answers_and_survives_what_a_server_sends() {
    let mut command = Command::new("sh");
    command.args(["-c", ODD]);
    let (seen, shown) = std::sync::mpsc::channel();
    let log = seen.clone();
    let client = Client::builder()
        .revision(Revision::V2025_03_26)
        .on_progress(move |progress| seen.send(format!("{}", progress.progress)).unwrap())
        .on_log(move |line| log.send(line.data.to_string()).unwrap())
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
    assert_eq!(shown.try_iter().collect::<Vec<_>>(), ["1", "\"half\"", "2"]);

    client.duplex().replace_handler(None);
    let result = client
        .request("example/wait", serde_json::json!({}))
        .await
        .unwrap();
    assert_eq!(result["refused"]["error"]["code"], -32601);
}

/// A server that tells three times before it answers.
const TELLS: &str = r#"
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
async fn a_handler_may_wait_or_panic_without_ending_the_conversation() {
    let mut command = Command::new("sh");
    command.args(["-c", TELLS]);
    let client = Client::builder()
        .revision(Revision::V2025_11_25)
        .watch(|_, text| assert!(!text.contains("watch"), "on purpose"))
        .spawn(command)
        .await
        .unwrap();
    let (waited, mut each) = tokio::sync::mpsc::unbounded_channel();
    client.duplex().set_handler(move |message: ServerMessage| {
        let text = message.params.unwrap().to_string();
        assert!(!text.contains("panic"), "on purpose");
        let (waited, timer) = (waited.clone(), tokio::time::sleep(Duration::from_millis(1)));
        async move {
            timer.await;
            waited.send(text.contains("wait")).unwrap();
            Ok(Value::Null)
        }
    });
    let request = client.request("example/wait", serde_json::json!({}));
    request.await.unwrap();
    let mut each = [each.recv().await.unwrap(), each.recv().await.unwrap()];
    each.sort_unstable();
    assert_eq!(each, [false, true]);
}

/// A file of which a script knows the name.
struct File(std::path::PathBuf);

impl File {
    fn new(name: &str) -> Self {
        let name = format!("mcp-close-{name}-{}", std::process::id());
        Self(std::env::temp_dir().join(name))
    }

    fn lines(&self) -> Vec<String> {
        let text = std::fs::read_to_string(&self.0).unwrap();
        text.lines().map(str::to_owned).collect()
    }

    /// Connects to a server of 2025-11-25 that goes on with `script` after the handshake.
    async fn connect(&self, script: &str) -> Client {
        let hello = r#"{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"sh","version":"1"}}}"#;
        let script = format!("read initialize; echo '{hello}'; read initialized; {script}");
        let mut command = Command::new("sh");
        command.args(["-c", &script]).env("FILE", &self.0);
        let builder = Client::builder().revision(Revision::V2025_11_25);
        builder.spawn(command).await.unwrap()
    }
}

impl Drop for File {
    fn drop(&mut self) {
        // It may not be there where a test has failed.
        let _ = std::fs::remove_file(&self.0);
    }
}

#[tokio::test]
async fn a_closed_client_has_said_everything_and_its_process_has_ended() {
    let file = File::new("said");
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
async fn a_process_that_ignores_the_end_of_its_input_is_ended() {
    let alive = |id: &str| {
        let mut asked = Command::new("kill");
        asked.args(["-0", id]).stderr(Stdio::null());
        asked.status().unwrap().success()
    };
    let wait = "for each in $(seq 400); do sleep 0.05; done";
    let asked = async {
        let file = File::new("asked");
        let trap = r#"trap 'echo asked >> "$FILE"; exit' TERM; echo $$ > "$FILE"; echo '{"jsonrpc":"2.0","id":2,"result":{}}'"#;
        let client = file.connect(&format!("read ping; {trap}; {wait}")).await;
        client.request("ping", Value::Null).await.unwrap();
        client.close().await;
        let lines = file.lines();
        assert_eq!(lines[1..], ["asked"]);
        assert!(!alive(&lines[0]));
    };
    let killed = async {
        let file = File::new("killed");
        let trap =
            r#"trap '' TERM; echo $$ > "$FILE"; echo '{"jsonrpc":"2.0","id":2,"result":{}}'"#;
        let client = file.connect(&format!("read ping; {trap}; {wait}")).await;
        client.request("ping", Value::Null).await.unwrap();
        client.close().await;
        assert!(!alive(&file.lines()[0]));
    };
    tokio::join!(asked, killed);
}
