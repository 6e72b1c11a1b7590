//! Checks requests and notifications of a server.

use serde_json::Value;

use super::{
    Conversation, Handshake,
    capabilities::missing_for,
    earlier_results::level_of,
    message::{MessageKind, check_call, method_of, params_of},
};
use crate::wire::{
    Problem, Revision, Rule,
    check::Checker,
    table::{
        meta,
        method::{Method, Sender},
    },
};

impl Conversation {
    pub(super) fn server_problems(&mut self, message: &Value, batched: bool) -> Vec<Problem> {
        let kind = MessageKind::of(message);
        if kind == MessageKind::Response && message.is_object() {
            return self.response_problems(message, batched);
        }
        let mut checker = Checker::new(self.server_revision(message));
        if !message.is_object() {
            checker.report(Rule::Envelope, "is not a JSON object");
            return checker.into_problems();
        }
        check_call(message, Sender::Server, &mut checker);
        match kind {
            MessageKind::Request => self.check_request(message, &mut checker),
            _ => self.check_notification(message, &mut checker),
        }
        checker.into_problems()
    }

    /// The revision of a message: that of the request or stream it belongs to.
    fn server_revision(&self, message: &Value) -> Revision {
        let params = params_of(message);
        let of_request = |key: &str| params.get(key).unwrap_or(&Value::Null);
        let tagged = subscription_id(params).is_some();
        let owner = match method_of(message) {
            _ if tagged => Some(Revision::V2026_07_28),
            "notifications/progress" => self
                .progress
                .revision(of_request("progressToken"), self.session),
            "notifications/cancelled" if self.listen_streams.has(of_request("requestId")) => {
                Some(Revision::V2026_07_28)
            }
            _ => None,
        };
        if let Some(owner) = owner {
            return owner;
        }
        let (session, modern) = (self.revision(), Revision::V2026_07_28);
        let sent_at = |revision| {
            let row = Method::find(method_of(message), Sender::Server, revision);
            row.is_some_and(|row| row.is_sent(Sender::Server, revision))
        };
        match !sent_at(session) && sent_at(modern) {
            true => modern,
            false => session,
        }
    }

    fn check_request(&mut self, message: &Value, checker: &mut Checker) {
        let id = message.get("id").unwrap_or(&Value::Null);
        if self.to_client.is_open(id) || self.to_client.was_answered(id) {
            checker.report_at(&["id"], Rule::Order, "was used before");
        }
        let method = method_of(message);
        if self.handshake == Handshake::Answered && method != "ping" {
            checker.report(Rule::Order, "comes before `notifications/initialized`");
        }
        let declared = self.capabilities.client.as_ref();
        let missing = declared.and_then(|declared| {
            missing_for(method, params_of(message), declared, checker.revision)
        });
        if let Some(missing) = missing {
            let fault = format!("the client has not declared `{missing}`");
            checker.report(Rule::Capability, fault);
        }
        self.to_client.record(message, false);
    }

    fn check_notification(&mut self, message: &Value, checker: &mut Checker) {
        let (method, params) = (method_of(message), params_of(message));
        let row = Method::find(method, Sender::Server, checker.revision);
        if let Some(row) = row
            && self
                .capabilities
                .server_lacks(row.capability, checker.revision)
        {
            let fault = format!("the server has not declared `{}`", row.capability);
            checker.report(Rule::Capability, fault);
        }
        if self.handshake == Handshake::Answered
            && checker.revision.is_legacy()
            && (method.ends_with("list_changed") || method.ends_with("updated"))
        {
            checker.report(Rule::Order, "comes before `notifications/initialized`");
        }
        checker.at("params", |checker| match method {
            "notifications/progress" => self.check_progress(params, checker),
            "notifications/message" => self.check_log(params, checker),
            "notifications/cancelled" => self.check_cancellation(params, checker),
            _ => self.check_delivery(method, params, checker),
        });
    }

    fn check_progress(&mut self, params: &Value, checker: &mut Checker) {
        let token = params.get("progressToken");
        let progress = params.get("progress").and_then(Value::as_f64);
        if let (Some(token), Some(progress)) = (token, progress)
            && let Some(fault) = self.progress.advance(token, progress)
        {
            checker.report_at(&["progress"], Rule::Order, fault);
        }
    }

    /// The level must be enabled by the session or by a request in flight.
    fn check_log(&self, params: &Value, checker: &mut Checker) {
        let level = params.get("level").unwrap_or(&Value::Null);
        let in_session = self.session.is_some() && self.earlier_results.is_enabled(level);
        let in_request = self.to_server.open.iter().any(|request| {
            let min = request.meta(meta::LOG_LEVEL).and_then(level_of);
            request.has_request_meta() && min.is_some_and(|min| level_of(level) >= Some(min))
        });
        if !in_session && !in_request {
            checker.report_at(
                &["level"],
                Rule::Order,
                "no session or request enables this level",
            );
        }
    }

    fn check_cancellation(&mut self, params: &Value, checker: &mut Checker) {
        let Some(id) = params.get("requestId") else {
            return;
        };
        if self.listen_streams.has(id) {
            if subscription_id(params) != Some(id) {
                at_subscription_id(checker, Rule::Value, "must equal `requestId`");
            }
        } else if self.to_client.is_open(id) {
            self.to_client.cancel(id);
        } else if !self.to_client.was_answered(id) {
            // A response may cross it on the wire (*Cancellation*, *Timing Considerations*).
            checker.report_at(
                &["requestId"],
                Rule::Order,
                "is not a request of the server",
            );
        }
    }

    fn check_delivery(&mut self, method: &str, params: &Value, checker: &mut Checker) {
        if let Some(id) = subscription_id(params)
            && let Some(fault) = self.listen_streams.deliver(id, method, params)
        {
            at_subscription_id(checker, Rule::Order, fault);
        }
    }
}

fn subscription_id(params: &Value) -> Option<&Value> {
    params.get("_meta")?.get(meta::SUBSCRIPTION_ID)
}

fn at_subscription_id(checker: &mut Checker, rule: Rule, fault: impl Into<String>) {
    checker.report_at(&["_meta", meta::SUBSCRIPTION_ID], rule, fault);
}
