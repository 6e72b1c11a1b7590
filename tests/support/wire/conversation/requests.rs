use serde_json::Value;

use crate::wire::{Revision, format::is_id, table::meta};

/// The requests of one side.
#[derive(Clone, Debug, Default)]
pub(super) struct Requests {
    pub(super) open: Vec<Request>,
    answered: Vec<Value>,
}

/// A request as it was sent, valid or not.
#[derive(Clone, Debug)]
pub(super) struct Request {
    pub(super) id: Value,
    /// Empty if the request has none.
    pub(super) method: String,
    pub(super) params: Value,
    pub(super) batched: bool,
    pub(super) cancelled: bool,
}

impl Requests {
    /// Records the message if a response can refer to its id.
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

    /// Removes the request that a response with this id and error code belongs to.
    ///
    /// If the id is in use twice, an invalid-request error is for the later request.
    pub(super) fn take_answered(&mut self, id: &Value, error: Option<i64>) -> Option<Request> {
        let indexes = self.indexes(id);
        let index = match error {
            Some(-32600) => indexes.last(),
            _ => indexes.first(),
        }?;
        let request = self.open.remove(*index);
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

    fn indexes(&self, id: &Value) -> Vec<usize> {
        (0..self.open.len())
            .filter(|index| self.open[*index].id == *id)
            .collect()
    }
}

impl Request {
    /// Whether the request has its revision in `_meta`, as 2026-07-28 requires.
    pub(super) fn has_request_meta(&self) -> bool {
        self.meta(meta::PROTOCOL_VERSION).is_some()
    }

    /// Whether the request is stateless or opens a session.
    pub(super) fn needs_no_session(&self) -> bool {
        self.has_request_meta() || matches!(self.method.as_str(), "initialize" | "ping" | "")
    }

    /// The revision of the request: its own, or that of the session.
    pub(super) fn revision(&self, session: Option<Revision>) -> Revision {
        if self.has_request_meta() {
            return Revision::V2026_07_28;
        }
        let requested = self.params.get("protocolVersion").and_then(Value::as_str);
        match requested.and_then(Revision::parse) {
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
