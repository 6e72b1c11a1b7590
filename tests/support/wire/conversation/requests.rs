use serde_json::Value;

use crate::wire::{Revision, format::is_id, table::meta};

/// The requests of one side.
#[derive(Clone, Debug, Default)]
pub(super) struct Requests {
    pub(super) open: Vec<Request>,
    answered: Vec<Value>,
}

/// A request as it was sent, however wrong.
#[derive(Clone, Debug)]
pub(super) struct Request {
    pub(super) id: Value,
    /// Empty where the request has none.
    pub(super) method: String,
    pub(super) params: Value,
    pub(super) batched: bool,
    pub(super) cancelled: bool,
}

impl Requests {
    /// Remembers the message if it is something that can be answered by id.
    pub(super) fn record(&mut self, message: &Value, batched: bool) -> Option<&Request> {
        let id = message.get("id").filter(|id| is_id(id))?;
        let method = message.get("method").and_then(Value::as_str);
        self.open.push(Request {
            id: id.clone(),
            method: method.unwrap_or_default().to_owned(),
            params: message.get("params").cloned().unwrap_or_default(),
            batched,
            cancelled: false,
        });
        self.open.last()
    }

    /// The request that a response with this id and error code answers.
    ///
    /// Where the id is in use twice, the refusal is for the later request.
    pub(super) fn answered_by(&mut self, id: &Value, error: Option<i64>) -> Option<Request> {
        let places = self.places(id);
        let place = match error {
            Some(-32600) => places.last(),
            _ => places.first(),
        }?;
        let request = self.open.remove(*place);
        self.answered.push(id.clone());
        Some(request)
    }

    pub(super) fn cancel(&mut self, id: &Value) {
        if let Some(request) = self.open.iter_mut().find(|request| request.id == *id) {
            request.cancelled = true;
        }
    }

    pub(super) fn is_open(&self, id: &Value) -> bool {
        self.open.iter().any(|request| request.id == *id)
    }

    pub(super) fn was_answered(&self, id: &Value) -> bool {
        self.answered.contains(id)
    }

    fn places(&self, id: &Value) -> Vec<usize> {
        (0..self.open.len())
            .filter(|place| self.open[*place].id == *id)
            .collect()
    }
}

impl Request {
    /// Whether the request names its own revision, as 2026-07-28 demands.
    pub(super) fn claims(&self) -> bool {
        self.meta(meta::PROTOCOL_VERSION).is_some()
    }

    /// Whether the request needs no session: it claims, or opens one.
    pub(super) fn stands_alone(&self) -> bool {
        self.claims() || matches!(self.method.as_str(), "initialize" | "ping" | "")
    }

    /// A request without a claim is of the session, which is never modern.
    pub(super) fn revision(&self, session: Option<Revision>) -> Revision {
        if self.claims() {
            return Revision::V2026_07_28;
        }
        let asked = self.params.get("protocolVersion").and_then(Value::as_str);
        match asked.and_then(Revision::parse) {
            Some(revision) if self.method == "initialize" && revision.is_legacy() => revision,
            _ => session.unwrap_or(Revision::V2025_11_25),
        }
    }

    pub(super) fn meta(&self, key: &str) -> Option<&Value> {
        self.params.get("_meta")?.get(key)
    }

    /// The capabilities that a request of 2026-07-28 declares.
    pub(super) fn capabilities(&self) -> &Value {
        self.meta(meta::CLIENT_CAPABILITIES).unwrap_or(&Value::Null)
    }
}
