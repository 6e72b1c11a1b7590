use std::{fmt, sync::LazyLock};

use serde_json::{Value, json};

use super::notation::{expand, is_for, merge, parse};
use crate::wire::{
    Conversation, Problems, Revision,
    table::{
        Shape,
        method::{Method, Side},
    },
};

/// One good message and all that has to be said before it.
#[derive(Clone, Debug)]
pub(super) struct Sample {
    pub(super) revision: Revision,
    pub(super) sender: Side,
    /// What was sent just before, by the other side.
    pub(super) before: Option<Value>,
    pub(super) message: Value,
    /// The shape of the part that the tables of its method describe.
    pub(super) part: Option<(&'static str, Shape)>,
}

impl Sample {
    /// Says everything that comes before, and then the message.
    pub(super) fn check(&self) -> Result<(), Problems> {
        self.check_instead(&self.message)
    }

    pub(super) fn check_instead(&self, message: &Value) -> Result<(), Problems> {
        let mut conversation = prepared(self.revision);
        match (&self.before, self.sender) {
            (Some(before), Side::Server) => conversation.sent_by_client(before),
            (Some(before), Side::Client) => conversation.sent_by_server(before).unwrap(),
            (None, _) => {}
        }
        match self.sender {
            Side::Client => conversation.check_client(message),
            Side::Server => conversation.sent_by_server(message),
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

/// A conversation in which every kind of notification is welcome.
pub(super) fn prepared(revision: Revision) -> Conversation {
    static PREPARED: LazyLock<[Conversation; 5]> = LazyLock::new(|| Revision::ALL.map(prepare));
    PREPARED[revision as usize].clone()
}

fn prepare(revision: Revision) -> Conversation {
    let mut conversation = Conversation::new(revision);
    let call = call(revision, "call", json!({"progressToken": "p"}));
    conversation.check_client(&call).unwrap();
    if revision.is_legacy() {
        let ask = json!({"jsonrpc": "2.0", "id": "ask", "method": "ping"});
        conversation.sent_by_server(&ask).unwrap();
    } else {
        conversation.check_client(&listen("listen")).unwrap();
        conversation
            .sent_by_server(&acknowledgement("listen"))
            .unwrap();
    }
    conversation
}

/// A request of the client with what its revision demands in `_meta`.
pub(super) fn request(revision: Revision, id: &str, method: &str, params: Value) -> Value {
    let mut message = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
    if !revision.is_legacy() {
        merge(&mut message["params"], json!({"_meta": claim()}));
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

fn claim() -> Value {
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

/// The result with what its revision demands in `_meta`.
pub(super) fn with_server_info(mut result: Value, revision: Revision) -> Value {
    if !revision.is_legacy() {
        merge(&mut result, json!({"_meta": server_info()}));
    }
    result
}

/// All good messages.
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
        for (section, side) in [("client", Side::Client), ("server", Side::Server)] {
            for entry in entries(section) {
                samples.extend(exchange(entry, side, revision));
            }
        }
        for (section, side) in [
            ("clientNotifications", Side::Client),
            ("serverNotifications", Side::Server),
        ] {
            samples.extend(
                entries(section)
                    .into_iter()
                    .map(|it| notification(it, side, revision)),
            );
        }
        samples.extend(entries("errors").into_iter().map(|it| error(it, revision)));
        if !revision.is_legacy() {
            samples.extend(listening());
        }
        samples
    })
}

fn exchange(entry: &Value, asker: Side, revision: Revision) -> [Sample; 2] {
    let name = entry["method"].as_str().unwrap();
    let params = expand(&entry["params"], revision);
    let question = match asker {
        Side::Client => request(revision, "1", name, params),
        Side::Server => json!({"jsonrpc": "2.0", "id": "1", "method": name, "params": params}),
    };
    let result = with_server_info(expand(&entry["result"], revision), revision);
    let row = Method::find(name, asker, revision);
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
    let (asks, answers) = match asker {
        Side::Client => (Side::Client, Side::Server),
        Side::Server => (Side::Server, Side::Client),
    };
    let answer = json!({"jsonrpc": "2.0", "id": "1", "result": result});
    [
        Sample {
            revision,
            sender: asks,
            before: None,
            message: question.clone(),
            part: row.map(|row| ("params", row.params)),
        },
        Sample {
            revision,
            sender: answers,
            before: Some(question),
            message: answer,
            part: arm
                .map(|arm| ("result", arm.shape))
                .filter(|_| (name, asker) != ("ping", Side::Server)),
        },
    ]
}

fn notification(entry: &Value, sender: Side, revision: Revision) -> Sample {
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
    let question = request(revision, "1", entry["method"].as_str().unwrap(), params);
    let error = expand(&entry["error"], revision);
    Sample {
        revision,
        sender: Side::Server,
        before: Some(question),
        message: json!({"jsonrpc": "2.0", "id": "1", "error": error}),
        part: Some(("error", Shape::Object(&crate::wire::table::envelope::ERROR))),
    }
}

/// The ends of a listen stream; what comes between is among the notifications.
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
    let asked = listen("1");
    let acknowledged = "notifications/subscriptions/acknowledged";
    let mut meta = server_info();
    merge(
        &mut meta,
        json!({"io.modelcontextprotocol/subscriptionId": "listen"}),
    );
    let end = json!({
        "jsonrpc": "2.0", "id": "listen", "result": {"resultType": "complete", "_meta": meta}
    });
    let row = Method::find("subscriptions/listen", Side::Client, Revision::V2026_07_28).unwrap();
    [
        sample(Side::Client, None, asked.clone(), "subscriptions/listen"),
        sample(
            Side::Server,
            Some(asked),
            acknowledgement("1"),
            acknowledged,
        ),
        Sample {
            part: Some(("result", row.results[0].shape)),
            ..sample(Side::Server, None, end, acknowledged)
        },
    ]
}
