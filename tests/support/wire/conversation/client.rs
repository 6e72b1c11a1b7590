//! Checking what a client sends.

use serde_json::Value;

use super::{
    Conversation,
    message::{Kind, check_call, check_envelope, check_result},
    requests::Requests,
};
use crate::wire::{
    Problem, Revision, Rule,
    check::Checker,
    table::{
        ANY_OBJECT,
        envelope::{ERROR_RESPONSE, RESULT_RESPONSE},
        method::{Method, Side},
    },
};

impl Conversation {
    pub(super) fn client_problems(&self, message: &Value) -> Vec<Problem> {
        let mut checker = Checker::new(self.client_revision(message));
        match Kind::of(message) {
            Kind::Response => self.check_client_response(message, &mut checker),
            Kind::Request | Kind::Notification => {
                check_call(message, Side::Client, &mut checker);
                self.check_id(message, &mut checker);
            }
        }
        checker.into_problems()
    }

    fn client_revision(&self, message: &Value) -> Revision {
        let mut asked = Requests::default();
        match asked.record(message, false) {
            Some(request) if request.claims() => Revision::V2026_07_28,
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
            // Any code is allowed: -1 says that the user rejected.
            None => check_envelope(message, &ERROR_RESPONSE, "error", checker),
        }
        let id = message.get("id").unwrap_or(&Value::Null);
        let mut open = self.to_client.open.iter();
        let Some(request) = open.find(|request| request.id == *id) else {
            checker.report_at(&["id"], Rule::Order, "answers no request");
            return;
        };
        let Some(result) = message.get("result") else {
            return;
        };
        let method = Method::find(&request.method, Side::Server, checker.revision);
        if let Some(method) = method {
            checker.at("result", |checker| match method.name {
                // Empty, so it has none of the members of a server's result.
                "ping" => checker.shape(result, &ANY_OBJECT),
                _ => check_result(result, method, checker),
            });
        }
    }
}
