//! Checks messages of a client.

use serde_json::Value;

use super::{
    Conversation,
    message::{MessageKind, check_call, check_envelope, check_result},
    requests::Requests,
};
use crate::wire::{
    Problem, Revision, Rule,
    check::Checker,
    table::{
        ANY_OBJECT,
        envelope::{ERROR_RESPONSE, RESULT_RESPONSE},
        method::{Method, Sender},
    },
};

impl Conversation {
    pub(super) fn client_problems(&self, message: &Value) -> Vec<Problem> {
        let mut checker = Checker::new(self.client_revision(message));
        match MessageKind::of(message) {
            MessageKind::Response => self.check_client_response(message, &mut checker),
            MessageKind::Request | MessageKind::Notification => {
                check_call(message, Sender::Client, &mut checker);
                self.check_id(message, &mut checker);
            }
        }
        checker.into_problems()
    }

    fn client_revision(&self, message: &Value) -> Revision {
        let mut requests = Requests::default();
        match requests.record(message, false) {
            Some(request) if request.has_request_meta() => Revision::V2026_07_28,
            Some(request) if request.method == "initialize" => request.revision(self.session),
            _ => self.revision(),
        }
    }

    fn check_id(&self, message: &Value, checker: &mut Checker) {
        let id = message.get("id").unwrap_or(&Value::Null);
        if self.to_server.is_open(id) {
            checker.report_at(&["id"], Rule::Order, "is still in use");
        } else if checker.revision.is_legacy() && self.to_server.was_answered(id) {
            checker.report_at(&["id"], Rule::Order, "was used before");
        }
    }

    fn check_client_response(&self, message: &Value, checker: &mut Checker) {
        if !checker.revision.is_legacy() {
            checker.report(
                Rule::Envelope,
                "a client must not send responses at this revision",
            );
            return;
        }
        match message.get("result") {
            Some(_) => check_envelope(message, &RESULT_RESPONSE, "result", checker),
            // Any code is allowed: -1 means that the user rejected the request.
            None => check_envelope(message, &ERROR_RESPONSE, "error", checker),
        }
        let id = message.get("id").unwrap_or(&Value::Null);
        let mut open = self.to_client.open.iter();
        let Some(request) = open.find(|request| request.id == *id) else {
            checker.report_at(&["id"], Rule::Order, "is a response to no request");
            return;
        };
        let Some(result) = message.get("result") else {
            return;
        };
        let method = Method::find(&request.method, Sender::Server, checker.revision);
        if let Some(method) = method {
            checker.at("result", |checker| match method.name {
                // An empty result, without the members of a server's result.
                "ping" => checker.shape(result, &ANY_OBJECT),
                _ => check_result(result, method, checker),
            });
        }
    }
}
