//! The client of the runtime, with every message checked by [`wire`](crate::wire).

use std::sync::{Arc, Mutex};

use crate::wire::Conversation;
use mcp_runtime::client::{ClientBuilder, Direction};
use mcp_runtime::protocol::{CreateMessageResult, ElicitResult, Revision, Root};
use mcp_runtime::transport::{HttpEndpoint, HttpListener};
use mcp_runtime::{Client, Server};
use serde_json::Value;
use tokio::sync::oneshot;

/// The messages of one connection in both directions, checked as they are logged.
#[derive(Clone)]
pub struct MessageLog(Arc<Mutex<LogState>>);

struct LogState {
    conversation: Conversation,
    messages: Vec<(Direction, Value)>,
    problems: Vec<String>,
}

impl MessageLog {
    /// An empty log of a client of `revision`.
    pub fn new(revision: Revision) -> Self {
        let revision = wire_revision(revision);
        let mut conversation = Conversation::new(crate::wire::Revision::V2026_07_28);
        if revision == crate::wire::Revision::V2026_07_28 {
            conversation.set_revision(revision);
        }
        Self(Arc::new(Mutex::new(LogState {
            conversation,
            messages: Vec::new(),
            problems: Vec::new(),
        })))
    }

    fn push(&self, direction: Direction, text: &str) {
        let state = &mut *self.0.lock().unwrap();
        let message: Value = serde_json::from_str(text).unwrap();
        let result = match direction {
            Direction::ToServer => state.conversation.check_client_message(&message),
            Direction::ToClient => state.conversation.sent_by_server(&message),
        };
        if let Err(problems) = result {
            state
                .problems
                .push(format!("{direction:?}: {text}\n{problems}"));
        }
        state.messages.push((direction, message));
    }

    /// Panics if any message violates the protocol.
    pub fn assert_valid(&self) {
        let state = self.0.lock().unwrap();
        assert!(state.problems.is_empty(), "{}", state.problems.join("\n"));
    }

    /// All messages in order.
    ///
    /// # Panics
    /// A message violates the protocol.
    pub fn messages(&self) -> Vec<(Direction, Value)> {
        self.assert_valid();
        self.0.lock().unwrap().messages.clone()
    }

    /// The messages in one direction with this method, or the responses if `method` is empty.
    pub fn sent_by(&self, direction: Direction, method: &str) -> Vec<Value> {
        let messages = self.messages().into_iter();
        let messages = messages.filter(|(sent, message)| {
            *sent == direction && message["method"].as_str().unwrap_or_default() == method
        });
        messages.map(|(_, message)| message).collect()
    }
}

fn wire_revision(revision: Revision) -> crate::wire::Revision {
    match revision {
        Revision::V2024_11_05 => crate::wire::Revision::V2024_11_05,
        Revision::V2025_03_26 => crate::wire::Revision::V2025_03_26,
        Revision::V2025_06_18 => crate::wire::Revision::V2025_06_18,
        Revision::V2025_11_25 => crate::wire::Revision::V2025_11_25,
        Revision::V2026_07_28 => crate::wire::Revision::V2026_07_28,
    }
}

/// A builder for a client of `revision`, and the log of its checked messages.
pub fn checked_client(revision: Revision) -> (ClientBuilder, MessageLog) {
    let log = MessageLog::new(revision);
    let sink = log.clone();
    let builder = Client::builder()
        .revision(revision)
        .on_message(move |direction, text| sink.push(direction, text));
    (builder, log)
}

/// Adds handlers that accept every form, URL and sampling request with fixed answers.
pub fn with_default_answers(builder: ClientBuilder) -> ClientBuilder {
    builder
        .elicit(|form| async move {
            let fields = form.requested_schema["properties"].as_object().unwrap();
            let content = fields
                .iter()
                .map(|(name, field)| (name.clone(), default_answer(field)));
            ElicitResult::accept(content)
        })
        .elicit_url(|_| async { ElicitResult::accept::<String, Value>([]) })
        .sample_with_tools(|request| async move {
            let messages = serde_json::to_string(&request.messages).unwrap();
            Ok(CreateMessageResult::text(
                format!("received {messages}"),
                "echo",
            ))
        })
        .roots([Root::new("file:///work")])
}

fn default_answer(field: &Value) -> Value {
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

/// The transport between a client and a server in the same process.
#[derive(Clone, Copy, Debug)]
pub enum ClientTransport {
    Memory,
    Http,
}

impl ClientTransport {
    pub const ALL: [Self; 2] = [Self::Memory, Self::Http];
}

/// Connects to a server in this process, which stops with the runtime of the test.
pub async fn connect_over(
    transport: ClientTransport,
    builder: ClientBuilder,
    server: Server,
) -> Client {
    match transport {
        ClientTransport::Memory => builder.connect(server.build().unwrap()).await.unwrap(),
        ClientTransport::Http => builder.http(&serve_http(server).await.0).await.unwrap(),
    }
}

/// Serves over HTTP until the sender is used or the runtime of the test stops.
///
/// Returns the URL, the endpoint, and the sender that stops the server.
pub async fn serve_http(server: Server) -> (String, HttpEndpoint, oneshot::Sender<()>) {
    let endpoint = server.http_endpoint().unwrap();
    let listener = HttpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    let (stop, stopped) = oneshot::channel::<()>();
    let serving = endpoint.clone().serve(listener, async {
        // A dropped sender does not stop the server.
        if stopped.await.is_err() {
            std::future::pending::<()>().await;
        }
    });
    tokio::spawn(serving);
    (url, endpoint, stop)
}
