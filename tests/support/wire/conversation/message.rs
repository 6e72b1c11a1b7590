//! Checks that requests and notifications of both sides share.

use serde_json::Value;

use crate::wire::{
    Rule,
    check::Checker,
    official::{self, Section},
    table::{
        Object, Shape,
        envelope::{NOTIFICATION, REQUEST},
        method::{Method, Sender},
    },
};

/// The kinds of JSON-RPC message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MessageKind {
    Request,
    Notification,
    Response,
}

impl MessageKind {
    pub(super) fn of(message: &Value) -> Self {
        match (message.get("method"), message.get("id")) {
            (None, _) => Self::Response,
            (Some(_), None) => Self::Notification,
            (Some(_), Some(_)) => Self::Request,
        }
    }
}

pub(super) fn method_of(message: &Value) -> &str {
    message
        .get("method")
        .and_then(Value::as_str)
        .unwrap_or_default()
}

pub(super) fn params_of(message: &Value) -> &Value {
    message.get("params").unwrap_or(&Value::Null)
}

/// Checks an envelope against the table and the official schema.
pub(super) fn check_envelope(message: &Value, table: &Object, kind: &str, checker: &mut Checker) {
    checker.object(message, table);
    checker.adopt(official::envelope_problems(checker.revision, kind, message));
}

/// Checks a request or notification of `sender`, but not its order.
///
/// A method without a row is a custom method of the server.
pub(super) fn check_call(message: &Value, sender: Sender, checker: &mut Checker) {
    let request = MessageKind::of(message) == MessageKind::Request;
    match request {
        true => check_envelope(message, &REQUEST, "request", checker),
        false => check_envelope(message, &NOTIFICATION, "notification", checker),
    }
    let name = method_of(message);
    let Some(method) = Method::find(name, sender, checker.revision) else {
        if request && sender == Sender::Server && !checker.revision.is_legacy() {
            checker.report(
                Rule::Method,
                "a server must not send requests at this revision",
            );
        }
        return;
    };
    if !method.is_sent(sender, checker.revision) {
        let fault = match method.is_embedded(checker.revision) {
            true => "must only be embedded in a result that requests input",
            false => "must not be sent in this direction at this revision",
        };
        return checker.report_at(&["method"], Rule::Method, fault);
    }
    if method.results.is_empty() == request {
        let fault = match request {
            true => "is a notification, which has no id",
            false => "is a request, which needs an id",
        };
        return checker.report_at(&["id"], Rule::Envelope, fault);
    }
    match message.get("params") {
        None if !method.needs_params(checker.revision) => {}
        None => checker.report_at(&["params"], Rule::Required, "is missing"),
        Some(params) => checker.at("params", |checker| checker.shape(params, &method.params)),
    }
    let section = match (request, sender) {
        (false, _) => Section::Notifications,
        (true, Sender::Client) => Section::Requests,
        (true, Sender::Server) => Section::ServerToClient,
    };
    checker.adopt(official::call_problems(
        checker.revision,
        section,
        name,
        message,
    ));
}

/// Checks the result of a method against the arm for its `resultType`.
pub(super) fn check_result(result: &Value, method: &Method, checker: &mut Checker) {
    let revision = checker.revision;
    let creates_task = revision.is_legacy() && result.get("task").is_some();
    let kind = match result.get("resultType").and_then(Value::as_str) {
        Some(kind) if !revision.is_legacy() => kind,
        _ if creates_task && method.arm("task", revision).is_some() => "task",
        _ => "complete",
    };
    let Some(arm) = method.arm(kind, revision) else {
        let fault = format!("`{kind}` is not a result type of {}", method.name);
        return checker.report_at(&["resultType"], Rule::Value, fault);
    };
    checker.shape(result, &arm.shape);
    if let Shape::Object(object) = arm.shape {
        let problems = official::result_problems(revision, method.name, object.name, result);
        checker.adopt(problems);
    }
}
