//! A client that answers, every message of which is checked.

use std::sync::{Arc, Mutex};

use mcp_runtime::protocol::{CreateMessageResult, ElicitResult, Revision, Root};
use mcp_runtime::{Client, ClientBuilder, HttpEndpoint, HttpListener, Server, Side};
use serde_json::Value;
use tokio::sync::oneshot;
use wire::Conversation;

/// What was said, held against the wire rules.
#[derive(Clone)]
pub(crate) struct Log(Arc<Mutex<Checked>>);

struct Checked {
    conversation: Conversation,
    messages: Vec<(Side, Value)>,
    problems: Vec<String>,
}

impl Log {
    pub(crate) fn new(revision: Revision) -> Self {
        let revision = wire_revision(revision);
        let mut conversation = Conversation::new(wire::Revision::V2026_07_28);
        if revision == wire::Revision::V2026_07_28 {
            conversation.set_revision(revision);
        }
        Self(Arc::new(Mutex::new(Checked {
            conversation,
            messages: Vec::new(),
            problems: Vec::new(),
        })))
    }

    fn note(&self, side: Side, text: &str) {
        let checked = &mut *self.0.lock().unwrap();
        let message: Value = serde_json::from_str(text).unwrap();
        let held = match side {
            Side::Client => checked.conversation.check_client(&message),
            Side::Server => checked.conversation.sent_by_server(&message),
        };
        if let Err(problems) = held {
            checked
                .problems
                .push(format!("{side:?}: {text}\n{problems}"));
        }
        checked.messages.push((side, message));
    }

    /// Everything that was said, which must have been legal.
    pub(crate) fn legal(&self) -> Vec<(Side, Value)> {
        let checked = self.0.lock().unwrap();
        assert!(
            checked.problems.is_empty(),
            "{}",
            checked.problems.join("\n")
        );
        checked.messages.clone()
    }

    /// What one side said that has that method, or the results where `method` is empty.
    pub(crate) fn said(&self, side: Side, method: &str) -> Vec<Value> {
        let messages = self.legal().into_iter();
        let messages = messages.filter(|(by, message)| {
            *by == side && message["method"].as_str().unwrap_or_default() == method
        });
        messages.map(|(_, message)| message).collect()
    }
}

fn wire_revision(revision: Revision) -> wire::Revision {
    match revision {
        Revision::V2024_11_05 => wire::Revision::V2024_11_05,
        Revision::V2025_03_26 => wire::Revision::V2025_03_26,
        Revision::V2025_06_18 => wire::Revision::V2025_06_18,
        Revision::V2025_11_25 => wire::Revision::V2025_11_25,
        Revision::V2026_07_28 => wire::Revision::V2026_07_28,
    }
}

/// A client of that revision whose messages are checked.
pub(crate) fn checked(revision: Revision) -> (ClientBuilder, Log) {
    let log = Log::new(revision);
    let notes = log.clone();
    let builder = Client::builder()
        .revision(revision)
        .watch(move |side, text| notes.note(side, text));
    (builder, log)
}

/// A client that answers everything in the same way.
pub(crate) fn obliging(builder: ClientBuilder) -> ClientBuilder {
    builder
        .elicit(|form| async move {
            let fields = form.requested_schema["properties"].as_object().unwrap();
            let content = fields
                .iter()
                .map(|(name, field)| (name.clone(), fill(field)));
            ElicitResult::accept(content)
        })
        .elicit_url(|_| async { ElicitResult::accept::<String, Value>([]) })
        .sample_with_tools(|question| async move {
            let asked = serde_json::to_string(&question.messages).unwrap();
            Ok(CreateMessageResult::text(format!("heard {asked}"), "echo"))
        })
        .roots([Root::new("file:///work")])
}

fn fill(field: &Value) -> Value {
    match field["type"].as_str().unwrap() {
        "string" if field["enum"].is_array() => field["enum"][0].clone(),
        "string" if field["oneOf"].is_array() => field["oneOf"][0]["const"].clone(),
        "string" => "Alice".into(),
        "boolean" => true.into(),
        "array" if field["items"]["enum"].is_array() => {
            vec![field["items"]["enum"][0].clone()].into()
        }
        "array" => vec![field["items"]["anyOf"][0]["const"].clone()].into(),
        _ => 7.into(),
    }
}

/// How a client gets to its server.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Way {
    Memory,
    Http,
}

pub(crate) const WAYS: [Way; 2] = [Way::Memory, Way::Http];

/// Connects to a server in this process, which ends with the runtime of the test.
pub(crate) async fn connect(way: Way, builder: ClientBuilder, server: Server) -> Client {
    match way {
        Way::Memory => builder.connect(server.build().unwrap()).await.unwrap(),
        Way::Http => builder.http(&serve(server).await.0).await.unwrap(),
    }
}

/// Serves over HTTP until it is told to stop or the runtime of the test ends.
pub(crate) async fn serve(server: Server) -> (String, HttpEndpoint, oneshot::Sender<()>) {
    let endpoint = server.http_endpoint().unwrap();
    let listener = HttpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    let (stop, stopped) = oneshot::channel::<()>();
    let serving = endpoint.clone().serve(listener, async {
        // Nobody stops a server whose test has let go of it.
        if stopped.await.is_err() {
            std::future::pending::<()>().await;
        }
    });
    tokio::spawn(serving);
    (url, endpoint, stop)
}
