use serde_json::{Map, Value};

use super::requests::Request;

/// The listen streams of a client.
#[derive(Clone, Debug, Default)]
pub(super) struct ListenStreams(Vec<ListenStream>);

#[derive(Clone, Debug)]
struct ListenStream {
    id: Value,
    requested: Value,
    accepted: Option<Value>,
    ended: bool,
}

impl ListenStreams {
    pub(super) fn record(&mut self, request: &Request) {
        if is_listen(request) {
            self.0.push(ListenStream {
                id: request.id.clone(),
                requested: request
                    .params
                    .get("notifications")
                    .cloned()
                    .unwrap_or_default(),
                accepted: None,
                ended: false,
            });
        }
    }

    pub(super) fn has(&self, id: &Value) -> bool {
        self.0.iter().any(|it| it.id == *id)
    }

    /// Removes the stream of a request that failed.
    pub(super) fn remove_failed(&mut self, request: &Request) {
        let index = self.0.iter().rposition(|it| it.id == request.id);
        if let Some(index) = index.filter(|_| is_listen(request)) {
            self.0.remove(index);
        }
    }

    /// Ends the stream; returns why it must not end now, if so.
    pub(super) fn end(&mut self, id: &Value) -> Option<&'static str> {
        let listen = self.0.iter_mut().rev().find(|it| it.id == *id)?;
        listen.ended = true;
        match listen.accepted {
            Some(_) => None,
            None => Some("ends a listen stream that was never acknowledged"),
        }
    }

    /// Delivers a notification; returns why the stream must not send it now, if so.
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
        let Some(accepted) = &listen.accepted else {
            return Some("comes before the acknowledgement of its listen stream".to_owned());
        };
        let kind = kind(method)?;
        match accepted.get(kind) {
            None | Some(Value::Bool(false)) => Some(format!("{kind} was not acknowledged")),
            // A resource update may be about a sub-resource, a task update only about the task.
            Some(Value::Array(ids)) if kind == "taskIds" => {
                let known = params.get("taskId").is_some_and(|id| ids.contains(id));
                (!known).then(|| "is about a task that was not acknowledged".to_owned())
            }
            Some(_) => None,
        }
    }
}

impl ListenStream {
    fn acknowledge(&mut self, accepted: &Value) -> Option<String> {
        if self.accepted.replace(accepted.clone()).is_some() {
            return Some("acknowledges a listen stream twice".to_owned());
        }
        let none = Map::new();
        let accepted = accepted.as_object().unwrap_or(&none);
        let excess = accepted.iter().find(|(kind, value)| {
            !covers(
                self.requested.get(kind.as_str()).unwrap_or(&Value::Null),
                value,
            )
        });
        excess.map(|(kind, _)| format!("acknowledges more {kind} than was requested"))
    }
}

pub(super) fn is_listen(request: &Request) -> bool {
    request.method == "subscriptions/listen" && request.has_request_meta()
}

fn covers(requested: &Value, accepted: &Value) -> bool {
    match accepted {
        Value::Array(items) => items.iter().all(|item| {
            requested
                .as_array()
                .is_some_and(|requested| requested.contains(item))
        }),
        Value::Bool(true) => requested == accepted,
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
