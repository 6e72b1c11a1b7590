use std::{fmt, sync::LazyLock};

use serde_json::{Value, json};

use super::notation::{expand, is_for, merge, parse};
use crate::wire::{
    Conversation, Problems, Revision,
    table::{
        Shape,
        method::{Method, Sender},
    },
};

/// One valid message and the messages before it.
#[derive(Clone, Debug)]
pub(super) struct Sample {
    pub(super) revision: Revision,
    pub(super) sender: Sender,
    /// The previous message, of the other side.
    pub(super) before: Option<Value>,
    pub(super) message: Value,
    /// The shape of the part that the tables of its method describe.
    pub(super) part: Option<(&'static str, Shape)>,
}

impl Sample {
    /// Sends the previous messages and checks the message.
    pub(super) fn check(&self) -> Result<(), Problems> {
        self.check_instead(&self.message)
    }

    pub(super) fn check_instead(&self, message: &Value) -> Result<(), Problems> {
        let mut conversation = prepared(self.revision);
        match (&self.before, self.sender) {
            (Some(before), Sender::Server) => conversation.sent_by_client(before),
            (Some(before), Sender::Client) => conversation.sent_by_server(before).unwrap(),
            (None, _) => {}
        }
        match self.sender {
            Sender::Client => conversation.check_client_message(message),
            Sender::Server => conversation.sent_by_server(message),
        }
    }
}

impl fmt::Display for Sample {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            revision,
            sender,
            message,
            ..
        } = self;
        write!(formatter, "{revision} from the {sender:?}: {message}")
    }
}

/// A conversation in which every kind of notification is allowed.
pub(super) fn prepared(revision: Revision) -> Conversation {
    static PREPARED: LazyLock<[Conversation; 5]> = LazyLock::new(|| Revision::ALL.map(prepare));
    PREPARED[revision as usize].clone()
}

fn prepare(revision: Revision) -> Conversation {
    let mut conversation = Conversation::new(revision);
    let call = call(revision, "call", json!({"progressToken": "p"}));
    conversation.check_client_message(&call).unwrap();
    if revision.is_legacy() {
        let ask = json!({"jsonrpc": "2.0", "id": "ask", "method": "ping"});
        conversation.sent_by_server(&ask).unwrap();
    } else {
        conversation
            .check_client_message(&listen("listen"))
            .unwrap();
        conversation
            .sent_by_server(&acknowledgement("listen"))
            .unwrap();
    }
    conversation
}

/// A request of the client with the `_meta` that its revision requires.
pub(super) fn request(revision: Revision, id: &str, method: &str, params: Value) -> Value {
    let mut message = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
    if !revision.is_legacy() {
        merge(&mut message["params"], json!({"_meta": request_meta()}));
    }
    message
}

pub(super) fn call(revision: Revision, id: &str, meta: Value) -> Value {
    request(
        revision,
        id,
        "tools/call",
        json!({"name": "add", "_meta": meta}),
    )
}

pub(super) fn listen(id: &str) -> Value {
    request(
        Revision::V2026_07_28,
        id,
        "subscriptions/listen",
        json!({"notifications": filter()}),
    )
}

pub(super) fn acknowledgement(id: &str) -> Value {
    json!({
        "jsonrpc": "2.0", "method": "notifications/subscriptions/acknowledged",
        "params": {
            "notifications": filter(), "_meta": {"io.modelcontextprotocol/subscriptionId": id}
        }
    })
}

fn filter() -> Value {
    json!({
        "toolsListChanged": true, "promptsListChanged": true, "resourcesListChanged": true,
        "resourceSubscriptions": ["note://1"], "taskIds": ["t"]
    })
}

fn request_meta() -> Value {
    let text = r#"{
        "io.modelcontextprotocol/protocolVersion": "$revision",
        "io.modelcontextprotocol/clientCapabilities": "$client",
        "io.modelcontextprotocol/clientInfo": "$implementation",
        "io.modelcontextprotocol/logLevel": "debug"
    }"#;
    expand(&parse(text), Revision::V2026_07_28)
}

fn server_info() -> Value {
    let text = r#"{"io.modelcontextprotocol/serverInfo": "$implementation"}"#;
    expand(&parse(text), Revision::V2026_07_28)
}

/// A result with the `_meta` that its revision requires.
pub(super) fn with_server_info(mut result: Value, revision: Revision) -> Value {
    if !revision.is_legacy() {
        merge(&mut result, json!({"_meta": server_info()}));
    }
    result
}

/// All valid samples.
pub(super) fn samples() -> impl Iterator<Item = Sample> {
    let file = parse(include_str!("samples.json"));
    Revision::ALL.into_iter().flat_map(move |revision| {
        let entries = |section: &str| {
            let here = move |entry: &&Value| is_for(&entry["revisions"], revision);
            file[section]
                .as_array()
                .unwrap()
                .iter()
                .filter(here)
                .collect::<Vec<_>>()
        };
        let mut samples = Vec::new();
        for (section, sender) in [("client", Sender::Client), ("server", Sender::Server)] {
            for entry in entries(section) {
                samples.extend(exchange(entry, sender, revision));
            }
        }
        for (section, sender) in [
            ("clientNotifications", Sender::Client),
            ("serverNotifications", Sender::Server),
        ] {
            samples.extend(
                entries(section)
                    .into_iter()
                    .map(|it| notification(it, sender, revision)),
            );
        }
        samples.extend(entries("errors").into_iter().map(|it| error(it, revision)));
        if !revision.is_legacy() {
            samples.extend(listening());
        }
        samples
    })
}

fn exchange(entry: &Value, requester: Sender, revision: Revision) -> [Sample; 2] {
    let name = entry["method"].as_str().unwrap();
    let params = expand(&entry["params"], revision);
    let request_message = match requester {
        Sender::Client => request(revision, "1", name, params),
        Sender::Server => json!({"jsonrpc": "2.0", "id": "1", "method": name, "params": params}),
    };
    let result = with_server_info(expand(&entry["result"], revision), revision);
    let row = Method::find(name, requester, revision);
    let kind = match (&result["resultType"], result.get("task")) {
        (Value::String(kind), _) => kind.clone(),
        (_, Some(_)) => "task".to_owned(),
        _ => "complete".to_owned(),
    };
    let arm = row.and_then(|row| {
        row.results
            .iter()
            .find(|arm| arm.name == kind && arm.exists(revision))
    });
    let responder = match requester {
        Sender::Client => Sender::Server,
        Sender::Server => Sender::Client,
    };
    let response = json!({"jsonrpc": "2.0", "id": "1", "result": result});
    [
        Sample {
            revision,
            sender: requester,
            before: None,
            message: request_message.clone(),
            part: row.map(|row| ("params", row.params)),
        },
        Sample {
            revision,
            sender: responder,
            before: Some(request_message),
            message: response,
            part: arm
                .map(|arm| ("result", arm.shape))
                .filter(|_| (name, requester) != ("ping", Sender::Server)),
        },
    ]
}

fn notification(entry: &Value, sender: Sender, revision: Revision) -> Sample {
    let name = entry["method"].as_str().unwrap();
    let params = expand(&entry["params"], revision);
    Sample {
        revision,
        sender,
        before: None,
        message: json!({"jsonrpc": "2.0", "method": name, "params": params}),
        part: Method::find(name, sender, revision).map(|row| ("params", row.params)),
    }
}

fn error(entry: &Value, revision: Revision) -> Sample {
    let params = match entry["method"].as_str().unwrap() {
        "resources/read" => json!({"uri": "note://1"}),
        _ => json!({"name": "add"}),
    };
    let request_message = request(revision, "1", entry["method"].as_str().unwrap(), params);
    let error = expand(&entry["error"], revision);
    Sample {
        revision,
        sender: Sender::Server,
        before: Some(request_message),
        message: json!({"jsonrpc": "2.0", "id": "1", "error": error}),
        part: Some(("error", Shape::Object(&crate::wire::table::envelope::ERROR))),
    }
}

/// The start and end of a listen stream; its notifications are separate samples.
fn listening() -> [Sample; 3] {
    let sample = |sender, before, message, method| {
        let row = Method::find(method, sender, Revision::V2026_07_28).unwrap();
        Sample {
            revision: Revision::V2026_07_28,
            sender,
            before,
            message,
            part: Some(("params", row.params)),
        }
    };
    let request_message = listen("1");
    let acknowledged = "notifications/subscriptions/acknowledged";
    let mut meta = server_info();
    merge(
        &mut meta,
        json!({"io.modelcontextprotocol/subscriptionId": "listen"}),
    );
    let end = json!({
        "jsonrpc": "2.0", "id": "listen", "result": {"resultType": "complete", "_meta": meta}
    });
    let row = Method::find(
        "subscriptions/listen",
        Sender::Client,
        Revision::V2026_07_28,
    )
    .unwrap();
    [
        sample(
            Sender::Client,
            None,
            request_message.clone(),
            "subscriptions/listen",
        ),
        sample(
            Sender::Server,
            Some(request_message),
            acknowledgement("1"),
            acknowledged,
        ),
        Sample {
            part: Some(("result", row.results[0].shape)),
            ..sample(Sender::Server, None, end, acknowledged)
        },
    ]
}
