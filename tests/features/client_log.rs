//! What handlers log with `tracing`, told to the clients that want it.

use std::fmt;
use std::sync::{Arc, LazyLock, Mutex};
use std::time::Duration;

use mcp_runtime::prelude::*;
use mcp_runtime::{Channel, ClientLog, Dispatched, Outgoing, Peer};
use serde_json::{Value, json};
use tracing::{debug, error, info, trace, warn};
use tracing_subscriber::layer::SubscriberExt;
use wire::Revision;

use crate::talk::{ALL, Talk, assert_contains};

/// Logs at each level that tracing has, before and after it waits.
#[tool(group = "logged")]
async fn chatty() {
    trace!("finest");
    debug!("fine");
    tokio::time::sleep(Duration::from_millis(1)).await;
    info!("plain");
    warn!("odd");
    error!("bad");
}

/// Logs on a thread of its own.
#[tool(group = "logged")]
fn blocking() {
    warn!("odd");
}

/// Logs where it was read.
#[tool(group = "logged", inline)]
fn inlined() {
    warn!("odd");
}

/// Logs what has fields.
#[tool(group = "logged", inline)]
fn fields() {
    warn!(count = 3, ratio = 0.5, done = true, name = "disk", shape = ?Some(1), "full");
    warn!(count = -1);
    warn!(target: "features::client_log::part", "from a part");
    warn!(target: "features::client_logs", "from another module");
    warn!(target: "elsewhere", "from elsewhere");
    warn!(target: "mcp_runtime::server", "from within");
}

/// Logs what nobody may know.
#[tool(group = "logged", inline)]
fn careless(#[arg(secret)] pin: u32, #[arg(secret)] word: String) -> Result<(), ToolError> {
    warn!(
        pin,
        word,
        api_token = "planted",
        "the pin is {pin} and the word {word}"
    );
    Err(ToolError::internal("planted cause"))
}

/// Logs while it is being told what it logs.
#[derive(Clone, Copy)]
struct Echo;

impl fmt::Debug for Echo {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        warn!("an echo");
        formatter.write_str("echo")
    }
}

/// Logs what logs.
#[tool(group = "logged", inline)]
fn echoing() {
    warn!(echo = ?Echo, "first");
    warn!("second");
}

/// Breaks down while it is being told what it logs.
#[tool(group = "logged", inline)]
fn breaking() {
    warn!(broken = ?Broken, "never");
}

struct Broken;

impl fmt::Debug for Broken {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        panic!("planted")
    }
}

/// Tells its progress and what it does by itself.
#[tool(group = "reporting", inline)]
fn reporting(ctx: &Context) {
    ctx.progress(1.0, 2.0);
    ctx.log(mcp_runtime::protocol::LoggingLevel::Warning, "odd");
}

static LEFT: Mutex<Option<tracing::Span>> = Mutex::new(None);

/// Leaves its span behind.
#[tool(group = "logged", inline)]
fn leaves_its_span() {
    *LEFT.lock().unwrap() = Some(tracing::Span::current());
}

static SUBSCRIBER: LazyLock<()> = LazyLock::new(|| {
    let subscriber = tracing_subscriber::registry().with(ClientLog);
    tracing::subscriber::set_global_default(subscriber).unwrap();
});

fn server() -> Server {
    LazyLock::force(&SUBSCRIBER);
    Server::new("tests", "1.2.3").groups(["logged"])
}

/// A client that wants messages from a level on, in the way of its revision.
struct Reader {
    talk: Talk,
    meta: Value,
}

impl Reader {
    fn new(server: Server, revision: Revision, level: Option<&str>) -> Self {
        let mut talk = Talk::with(server, revision);
        let mut meta = json!({});
        match level {
            Some(level) if revision.is_legacy() => {
                let answer = talk.ask("logging/setLevel", json!({ "level": level }));
                assert_eq!(answer["result"], json!({}));
            }
            Some(level) => meta = json!({ "io.modelcontextprotocol/logLevel": level }),
            None => {}
        }
        Self { talk, meta }
    }

    /// What it is told while a tool runs.
    fn told(&mut self, tool: &str, arguments: Value) -> Vec<Value> {
        let params = json!({ "name": tool, "arguments": arguments, "_meta": self.meta });
        let answer = self.talk.ask("tools/call", params);
        assert!(answer["result"].is_object(), "{answer}");
        let news = self.talk.news().into_iter();
        let params = |message: Value| {
            assert_eq!(message["method"], "notifications/message");
            message["params"].clone()
        };
        news.map(params).collect()
    }
}

fn message(level: &str, data: &str) -> Value {
    json!({ "level": level, "logger": "features::client_log", "data": data })
}

fn telling() -> Server {
    server().client_log(["features::client_log"])
}

#[test]
fn events_from_the_wanted_level_on_are_told_in_every_revision() {
    for revision in ALL {
        let mut reader = Reader::new(telling(), revision, Some("debug"));
        let all = [
            message("debug", "finest"),
            message("debug", "fine"),
            message("info", "plain"),
            message("warning", "odd"),
            message("error", "bad"),
        ];
        assert_eq!(reader.told("chatty", json!({})), all, "{revision}");
        let mut reader = Reader::new(telling(), revision, Some("warning"));
        assert_eq!(reader.told("chatty", json!({})), all[3..], "{revision}");
        let mut reader = Reader::new(telling(), revision, Some("critical"));
        assert_eq!(reader.told("chatty", json!({})), Vec::<Value>::new());
    }
}

#[test]
fn a_request_without_a_level_is_told_nothing_and_a_session_what_is_usual() {
    for revision in ALL {
        let mut reader = Reader::new(telling(), revision, None);
        let told = reader.told("chatty", json!({}));
        let levels: Vec<&Value> = told.iter().map(|message| &message["level"]).collect();
        match revision.is_legacy() {
            true => assert_eq!(levels, ["info", "warning", "error"]),
            false => assert!(told.is_empty()),
        }
    }
}

#[test]
fn it_does_not_matter_how_a_body_runs() {
    for revision in ALL {
        let mut reader = Reader::new(telling(), revision, Some("debug"));
        for tool in ["blocking", "inlined"] {
            let told = reader.told(tool, json!({}));
            assert_eq!(told, [message("warning", "odd")], "{tool} in {revision}");
        }
    }
}

#[test]
fn fields_are_members_and_only_named_targets_are_told() {
    let mut reader = Reader::new(telling(), Revision::V2025_11_25, Some("debug"));
    let data = json!({
        "message": "full", "count": 3, "ratio": 0.5, "done": true, "name": "disk",
        "shape": "Some(1)",
    });
    let expected = json!([
        { "level": "warning", "logger": "features::client_log", "data": data },
        { "level": "warning", "logger": "features::client_log", "data": { "count": -1 } },
        { "level": "warning", "logger": "features::client_log::part", "data": "from a part" },
    ]);
    assert_eq!(json!(reader.told("fields", json!({}))), expected);
}

#[test]
fn secrets_and_causes_are_not_told() {
    for revision in ALL {
        let server = telling().client_log(["features", "mcp_runtime"]);
        let mut reader = Reader::new(server, revision, Some("debug"));
        let told = reader.told("careless", json!({ "pin": 4711, "word": "sesame" }));
        let hidden = "[redacted]";
        let data = json!({
            "message": "the pin is [redacted] and the word [redacted]",
            "pin": hidden, "word": hidden, "api_token": hidden,
        });
        assert_eq!(told.len(), 1, "{told:?}");
        assert_eq!(told[0]["data"], data);
    }
}

#[test]
fn what_is_logged_while_a_client_is_told_is_not_told() {
    let mut reader = Reader::new(telling(), Revision::V2025_11_25, Some("debug"));
    let told = reader.told("echoing", json!({}));
    let data: Vec<&Value> = told.iter().map(|message| &message["data"]).collect();
    assert_eq!(
        data,
        [
            &json!({ "message": "first", "echo": "echo" }),
            &json!("second")
        ]
    );
}

#[test]
fn a_field_that_breaks_down_keeps_no_later_event_from_being_told() {
    let mut reader = Reader::new(telling(), Revision::V2025_11_25, Some("debug"));
    assert_eq!(reader.told("breaking", json!({})), Vec::<Value>::new());
    assert_eq!(
        reader.told("inlined", json!({})),
        [message("warning", "odd")]
    );
}

/// A transport that logs whatever it sends.
#[derive(Debug, Default)]
struct Loud(Mutex<Vec<Value>>);

impl Outgoing for Loud {
    fn send(&self, message: &[u8]) -> bool {
        warn!("sending");
        let message = serde_json::from_slice(message).unwrap();
        self.0.lock().unwrap().push(message);
        true
    }
}

/// What a loud transport is given while a tool runs.
fn sent_loudly(server: Server, tool: &str) -> Vec<Value> {
    let dispatcher = server.build().unwrap();
    let loud = Arc::new(Loud::default());
    let peer = Peer::through(Channel::Memory, loud.clone());
    let mut meta = crate::talk::claim();
    meta["io.modelcontextprotocol/logLevel"] = "debug".into();
    meta["progressToken"] = 1.into();
    let call = json!({
        "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": { "name": tool, "arguments": {}, "_meta": meta },
    });
    let mut reply = Vec::new();
    let dispatched = dispatcher.dispatch(call.to_string().as_bytes(), &peer, &mut reply);
    assert!(matches!(dispatched, Dispatched::Replied(_)));
    loud.0.lock().unwrap().drain(..).collect()
}

#[test]
fn a_transport_that_logs_is_not_told_of() {
    let sent = sent_loudly(telling(), "inlined");
    assert_eq!(sent.len(), 1);
    assert_contains(&sent[0], &json!({ "params": { "data": "odd" } }));
}

#[test]
fn a_transport_that_logs_what_a_body_tells_does_not_wait_for_itself() {
    let (done, told) = std::sync::mpsc::channel();
    // A thread of its own, since one that waits for itself never ends.
    std::thread::spawn(move || {
        done.send(sent_loudly(telling().groups(["reporting"]), "reporting"))
    });
    let sent = told.recv_timeout(Duration::from_secs(30)).unwrap();
    assert_eq!(sent.len(), 2);
    assert_contains(&sent[0], &json!({ "params": { "progress": 1 } }));
    assert_contains(&sent[1], &json!({ "params": { "data": "odd" } }));
}

#[test]
fn nothing_is_told_after_the_reply_or_outside_of_calls() {
    let mut reader = Reader::new(telling(), Revision::V2025_11_25, Some("debug"));
    assert_eq!(
        reader.told("leaves_its_span", json!({})),
        Vec::<Value>::new()
    );
    let left = LEFT.lock().unwrap().take().unwrap();
    left.in_scope(|| warn!("late"));
    warn!("outside");
    assert_eq!(reader.talk.news(), Vec::<Value>::new());
}

#[test]
fn each_server_says_for_itself_what_is_told() {
    for revision in ALL {
        let mut silent = Reader::new(server(), revision, Some("debug"));
        let mut other = Reader::new(server().client_log(["other"]), revision, Some("debug"));
        let mut telling = Reader::new(telling(), revision, Some("debug"));
        for reader in [&mut silent, &mut other] {
            assert_eq!(reader.told("chatty", json!({})), Vec::<Value>::new());
        }
        assert_eq!(telling.told("chatty", json!({})).len(), 5);
    }
}

/// Whether the server has the capability, once nothing is left that borrows the request.
fn logs(server: Server, revision: Revision) -> bool {
    let mut talk = Talk::with(server, revision);
    let handle = talk.dispatcher.handle().clone();
    for tool in ["logs", "steps"] {
        assert!(handle.disable_tool(tool));
    }
    assert!(handle.disable_resource_template("notes://{+path}"));
    let told = match revision.is_legacy() {
        true => talk
            .say(&crate::talk::initialize(revision.as_str()))
            .unwrap(),
        false => talk.ask("server/discover", json!({})),
    };
    told["result"]["capabilities"]["logging"].is_object()
}

#[test]
fn a_server_that_tells_has_the_capability() {
    for revision in ALL {
        let everything = || crate::definitions::all_groups().groups(["logged"]);
        assert!(!logs(everything(), revision), "{revision}");
        assert!(
            logs(everything().client_log(["features"]), revision),
            "{revision}"
        );
    }
}
