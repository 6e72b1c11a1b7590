use serde_json::{Map, Value};

use super::requests::Request;

/// The listen streams of a client.
#[derive(Clone, Debug, Default)]
pub(super) struct Listens(Vec<Listen>);

#[derive(Clone, Debug)]
struct Listen {
    id: Value,
    asked: Value,
    granted: Option<Value>,
    ended: bool,
}

impl Listens {
    pub(super) fn record(&mut self, request: &Request) {
        if is_listen(request) {
            self.0.push(Listen {
                id: request.id.clone(),
                asked: request
                    .params
                    .get("notifications")
                    .cloned()
                    .unwrap_or_default(),
                granted: None,
                ended: false,
            });
        }
    }

    pub(super) fn has(&self, id: &Value) -> bool {
        self.0.iter().any(|it| it.id == *id)
    }

    /// Forgets the stream of a request that failed.
    pub(super) fn refuse(&mut self, request: &Request) {
        let place = self.0.iter().rposition(|it| it.id == request.id);
        if let Some(place) = place.filter(|_| is_listen(request)) {
            self.0.remove(place);
        }
    }

    /// Why the stream must not end now, if so.
    pub(super) fn end(&mut self, id: &Value) -> Option<&'static str> {
        let listen = self.0.iter_mut().rev().find(|it| it.id == *id)?;
        listen.ended = true;
        match listen.granted {
            Some(_) => None,
            None => Some("ends a listen stream that was never acknowledged"),
        }
    }

    /// Why the stream must not carry the notification now, if so.
    pub(super) fn deliver(&mut self, id: &Value, method: &str, params: &Value) -> Option<String> {
        let Some(listen) = self.0.iter_mut().rev().find(|it| it.id == *id) else {
            return Some("is the id of no listen request; its JSON type counts too".to_owned());
        };
        if listen.ended {
            return Some("comes after the end of its listen stream".to_owned());
        }
        if method == "notifications/subscriptions/acknowledged" {
            return listen.acknowledge(params.get("notifications").unwrap_or(&Value::Null));
        }
        let Some(granted) = &listen.granted else {
            return Some("comes before the acknowledgement of its listen stream".to_owned());
        };
        let kind = kind(method)?;
        match granted.get(kind) {
            None | Some(Value::Bool(false)) => Some(format!("{kind} was not acknowledged")),
            // A resource may tell of those below it, a task of itself alone.
            Some(Value::Array(ids)) if kind == "taskIds" => {
                let known = params.get("taskId").is_some_and(|id| ids.contains(id));
                (!known).then(|| "is about a task that was not acknowledged".to_owned())
            }
            Some(_) => None,
        }
    }
}

impl Listen {
    fn acknowledge(&mut self, granted: &Value) -> Option<String> {
        if self.granted.replace(granted.clone()).is_some() {
            return Some("acknowledges a listen stream twice".to_owned());
        }
        let none = Map::new();
        let granted = granted.as_object().unwrap_or(&none);
        let excess = granted.iter().find(|(kind, value)| {
            !covers(self.asked.get(kind.as_str()).unwrap_or(&Value::Null), value)
        });
        excess.map(|(kind, _)| format!("acknowledges more {kind} than was asked for"))
    }
}

pub(super) fn is_listen(request: &Request) -> bool {
    request.method == "subscriptions/listen" && request.claims()
}

fn covers(asked: &Value, granted: &Value) -> bool {
    match granted {
        Value::Array(items) => items
            .iter()
            .all(|item| asked.as_array().is_some_and(|asked| asked.contains(item))),
        Value::Bool(true) => asked == granted,
        _ => true,
    }
}

fn kind(method: &str) -> Option<&'static str> {
    match method {
        "notifications/tools/list_changed" => Some("toolsListChanged"),
        "notifications/prompts/list_changed" => Some("promptsListChanged"),
        "notifications/resources/list_changed" => Some("resourcesListChanged"),
        "notifications/resources/updated" => Some("resourceSubscriptions"),
        "notifications/tasks" => Some("taskIds"),
        _ => None,
    }
}
