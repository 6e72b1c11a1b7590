//! `tracing` events of handlers as log messages for clients.

use std::fmt;
use std::sync::{Arc, LazyLock, Mutex};
use std::time::Duration;

use mcp_runtime::ClientLog;
use mcp_runtime::dispatch::{ClientSink, Connection, DispatchOutcome, TransportKind};
use mcp_runtime::prelude::*;
use serde_json::{Value, json};
use support::wire::Revision;
use tracing::{debug, error, info, trace, warn};
use tracing_subscriber::layer::SubscriberExt;

use support::dispatcher_client::{DispatcherClient, assert_contains};

/// Logs at every level of tracing, before and after waiting.
#[tool(group = "logged")]
async fn chatty() {
    trace!("finest");
    debug!("fine");
    tokio::time::sleep(Duration::from_millis(1)).await;
    info!("plain");
    warn!("odd");
    error!("bad");
}

/// Logs on a blocking thread.
#[tool(group = "logged")]
fn blocking() {
    warn!("odd");
}

/// Logs on the reading thread.
#[tool(group = "logged", inline)]
fn inlined() {
    warn!("odd");
}

/// Logs fields, and events of other targets.
#[tool(group = "logged", inline)]
fn fields() {
    warn!(count = 3, ratio = 0.5, done = true, name = "disk", shape = ?Some(1), "full");
    warn!(count = -1);
    warn!(target: "features::client_log::part", "from a part");
    warn!(target: "features::client_logs", "from another module");
    warn!(target: "elsewhere", "from elsewhere");
    warn!(target: "mcp_runtime::server", "from within");
}

/// Logs secrets.
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

/// A value whose formatting logs.
#[derive(Clone, Copy)]
struct LogsInDebug;

impl fmt::Debug for LogsInDebug {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        warn!("an echo");
        formatter.write_str("echo")
    }
}

/// Logs a value whose formatting logs.
#[tool(group = "logged", inline)]
fn echoing() {
    warn!(echo = ?LogsInDebug, "first");
    warn!("second");
}

/// Logs a value whose formatting panics.
#[tool(group = "logged", inline)]
fn breaking() {
    warn!(broken = ?PanicsInDebug, "never");
}

struct PanicsInDebug;

impl fmt::Debug for PanicsInDebug {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        panic!("planted")
    }
}

/// Reports progress and logs through the context.
#[tool(group = "reporting", inline)]
fn reporting(ctx: &Context) {
    ctx.progress(1.0, 2.0);
    ctx.log(mcp_runtime::protocol::LoggingLevel::Warning, "odd");
}

static LEAKED_SPAN: Mutex<Option<tracing::Span>> = Mutex::new(None);

/// Keeps its span after the call.
#[tool(group = "logged", inline)]
fn leaks_its_span() {
    *LEAKED_SPAN.lock().unwrap() = Some(tracing::Span::current());
}

static SUBSCRIBER: LazyLock<()> = LazyLock::new(|| {
    let subscriber = tracing_subscriber::registry().with(ClientLog);
    tracing::subscriber::set_global_default(subscriber).unwrap();
});

fn server() -> Server {
    LazyLock::force(&SUBSCRIBER);
    Server::new("tests", "1.2.3").groups(["logged"])
}

/// A client that requests a log level in the way of its revision.
struct LogClient {
    client: DispatcherClient,
    meta: Value,
}

impl LogClient {
    fn new(server: Server, revision: Revision, level: Option<&str>) -> Self {
        let mut client = DispatcherClient::connect(server, revision);
        let mut meta = json!({});
        match level {
            Some(level) if revision.is_legacy() => {
                let answer = client.request("logging/setLevel", json!({ "level": level }));
                assert_eq!(answer["result"], json!({}));
            }
            Some(level) => meta = json!({ "io.modelcontextprotocol/logLevel": level }),
            None => {}
        }
        Self { client, meta }
    }

    /// Calls a tool and returns its log messages.
    fn messages_of(&mut self, tool: &str, arguments: Value) -> Vec<Value> {
        let params = json!({ "name": tool, "arguments": arguments, "_meta": self.meta });
        let answer = self.client.request("tools/call", params);
        assert!(answer["result"].is_object(), "{answer}");
        let notifications = self.client.take_notifications().into_iter();
        let params = |message: Value| {
            assert_eq!(message["method"], "notifications/message");
            message["params"].clone()
        };
        notifications.map(params).collect()
    }
}

fn message(level: &str, data: &str) -> Value {
    json!({ "level": level, "logger": "features::client_log", "data": data })
}

fn logging_server() -> Server {
    server().client_log(["features::client_log"])
}

#[test]
fn events_at_or_above_the_level_are_sent() {
    for revision in Revision::ALL {
        let mut log_client = LogClient::new(logging_server(), revision, Some("debug"));
        let all = [
            message("debug", "finest"),
            message("debug", "fine"),
            message("info", "plain"),
            message("warning", "odd"),
            message("error", "bad"),
        ];
        assert_eq!(
            log_client.messages_of("chatty", json!({})),
            all,
            "{revision}"
        );
        let mut log_client = LogClient::new(logging_server(), revision, Some("warning"));
        assert_eq!(
            log_client.messages_of("chatty", json!({})),
            all[3..],
            "{revision}"
        );
        let mut log_client = LogClient::new(logging_server(), revision, Some("critical"));
        assert_eq!(
            log_client.messages_of("chatty", json!({})),
            Vec::<Value>::new()
        );
    }
}

#[test]
fn default_level_is_info_in_a_session_and_off_in_a_stateless_request() {
    for revision in Revision::ALL {
        let mut log_client = LogClient::new(logging_server(), revision, None);
        let messages = log_client.messages_of("chatty", json!({}));
        let levels: Vec<&Value> = messages.iter().map(|message| &message["level"]).collect();
        match revision.is_legacy() {
            true => assert_eq!(levels, ["info", "warning", "error"]),
            false => assert!(messages.is_empty()),
        }
    }
}

#[test]
fn every_execution_mode_is_logged() {
    for revision in Revision::ALL {
        let mut log_client = LogClient::new(logging_server(), revision, Some("debug"));
        for tool in ["blocking", "inlined"] {
            let messages = log_client.messages_of(tool, json!({}));
            assert_eq!(
                messages,
                [message("warning", "odd")],
                "{tool} in {revision}"
            );
        }
    }
}

#[test]
fn fields_become_members_and_only_configured_targets_are_sent() {
    let mut log_client = LogClient::new(logging_server(), Revision::V2025_11_25, Some("debug"));
    let data = json!({
        "message": "full", "count": 3, "ratio": 0.5, "done": true, "name": "disk",
        "shape": "Some(1)",
    });
    let expected = json!([
        { "level": "warning", "logger": "features::client_log", "data": data },
        { "level": "warning", "logger": "features::client_log", "data": { "count": -1 } },
        { "level": "warning", "logger": "features::client_log::part", "data": "from a part" },
    ]);
    assert_eq!(json!(log_client.messages_of("fields", json!({}))), expected);
}

#[test]
fn secrets_and_internal_causes_are_redacted() {
    for revision in Revision::ALL {
        let server = logging_server().client_log(["features", "mcp_runtime"]);
        let mut log_client = LogClient::new(server, revision, Some("debug"));
        let messages = log_client.messages_of("careless", json!({ "pin": 4711, "word": "sesame" }));
        let hidden = "[redacted]";
        let data = json!({
            "message": "the pin is [redacted] and the word [redacted]",
            "pin": hidden, "word": hidden, "api_token": hidden,
        });
        assert_eq!(messages.len(), 1, "{messages:?}");
        assert_eq!(messages[0]["data"], data);
    }
}

#[test]
fn events_emitted_while_formatting_an_event_are_not_sent() {
    let mut log_client = LogClient::new(logging_server(), Revision::V2025_11_25, Some("debug"));
    let messages = log_client.messages_of("echoing", json!({}));
    let data: Vec<&Value> = messages.iter().map(|message| &message["data"]).collect();
    assert_eq!(
        data,
        [
            &json!({ "message": "first", "echo": "echo" }),
            &json!("second")
        ]
    );
}

#[test]
fn panicking_field_does_not_block_later_events() {
    let mut log_client = LogClient::new(logging_server(), Revision::V2025_11_25, Some("debug"));
    assert_eq!(
        log_client.messages_of("breaking", json!({})),
        Vec::<Value>::new()
    );
    assert_eq!(
        log_client.messages_of("inlined", json!({})),
        [message("warning", "odd")]
    );
}

/// A transport that logs whenever it sends.
#[derive(Debug, Default)]
struct LoggingSink(Mutex<Vec<Value>>);

impl ClientSink for LoggingSink {
    fn send(&self, message: &[u8]) -> bool {
        warn!("sending");
        let message = serde_json::from_slice(message).unwrap();
        self.0.lock().unwrap().push(message);
        true
    }
}

/// What a sink transport is given while a tool runs.
fn sent_by_logging_transport(server: Server, tool: &str) -> Vec<Value> {
    let dispatcher = server.build().unwrap();
    let sink = Arc::new(LoggingSink::default());
    let connection = Connection::with_sink(TransportKind::Memory, sink.clone());
    let mut meta = support::dispatcher_client::request_meta();
    meta["io.modelcontextprotocol/logLevel"] = "debug".into();
    meta["progressToken"] = 1.into();
    let call = json!({
        "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": { "name": tool, "arguments": {}, "_meta": meta },
    });
    let mut reply = Vec::new();
    let dispatched = dispatcher.dispatch(call.to_string().as_bytes(), &connection, &mut reply);
    assert!(matches!(dispatched, DispatchOutcome::Replied(_)));
    sink.0.lock().unwrap().drain(..).collect()
}

#[test]
fn events_of_the_transport_are_not_sent() {
    let sent = sent_by_logging_transport(logging_server(), "inlined");
    assert_eq!(sent.len(), 1);
    assert_contains(&sent[0], &json!({ "params": { "data": "odd" } }));
}

#[test]
fn logging_transport_does_not_deadlock() {
    let (done, messages) = std::sync::mpsc::channel();
    // On a separate thread, since a deadlock would never end.
    std::thread::spawn(move || {
        done.send(sent_by_logging_transport(
            logging_server().groups(["reporting"]),
            "reporting",
        ))
    });
    let sent = messages.recv_timeout(Duration::from_secs(30)).unwrap();
    assert_eq!(sent.len(), 2);
    assert_contains(&sent[0], &json!({ "params": { "progress": 1 } }));
    assert_contains(&sent[1], &json!({ "params": { "data": "odd" } }));
}

#[test]
fn events_after_the_response_or_outside_calls_are_not_sent() {
    let mut log_client = LogClient::new(logging_server(), Revision::V2025_11_25, Some("debug"));
    assert_eq!(
        log_client.messages_of("leaks_its_span", json!({})),
        Vec::<Value>::new()
    );
    let span = LEAKED_SPAN.lock().unwrap().take().unwrap();
    span.in_scope(|| warn!("late"));
    warn!("outside");
    assert_eq!(log_client.client.take_notifications(), Vec::<Value>::new());
}

#[test]
fn each_server_configures_its_own_targets() {
    for revision in Revision::ALL {
        let mut unconfigured = LogClient::new(server(), revision, Some("debug"));
        let mut other = LogClient::new(server().client_log(["other"]), revision, Some("debug"));
        let mut logging = LogClient::new(logging_server(), revision, Some("debug"));
        for log_client in [&mut unconfigured, &mut other] {
            assert_eq!(
                log_client.messages_of("chatty", json!({})),
                Vec::<Value>::new()
            );
        }
        assert_eq!(logging.messages_of("chatty", json!({})).len(), 5);
    }
}

/// Whether the server declares `logging`, without definitions that borrow the context.
fn declares_logging(server: Server, revision: Revision) -> bool {
    let mut client = DispatcherClient::connect(server, revision);
    let handle = client.dispatcher.handle().clone();
    for tool in ["logs", "steps"] {
        assert!(handle.disable_tool(tool));
    }
    assert!(handle.disable_resource_template("notes://{+path}"));
    let messages = match revision.is_legacy() {
        true => client
            .send(&support::dispatcher_client::initialize(revision.as_str()))
            .unwrap(),
        false => client.request("server/discover", json!({})),
    };
    messages["result"]["capabilities"]["logging"].is_object()
}

#[test]
fn client_log_declares_the_logging_capability() {
    for revision in Revision::ALL {
        let all_groups = || crate::definitions::all_groups().groups(["logged"]);
        assert!(!declares_logging(all_groups(), revision), "{revision}");
        assert!(
            declares_logging(all_groups().client_log(["features"]), revision),
            "{revision}"
        );
    }
}
