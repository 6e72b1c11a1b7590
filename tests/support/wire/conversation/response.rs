//! Checks responses of a server.

use serde_json::Value;

use super::{
    Conversation, Handshake,
    capabilities::missing_for,
    message::{check_envelope, check_result},
    requests::Request,
};
use crate::wire::{
    Problem, Revision, Rule,
    check::Checker,
    official,
    table::{
        Presence,
        envelope::{ERROR_RESPONSE, ErrorCode, Id, RESERVED, RESOURCE_METHODS, RESULT_RESPONSE},
        meta,
        method::{Method, Sender},
        result::CUSTOM_RESULT,
    },
};

const TASKS: &str = "io.modelcontextprotocol/tasks";
const TASK_CALLS: &str = "tasks.requests.tools.call";

impl Conversation {
    pub(super) fn response_problems(&mut self, message: &Value, batched: bool) -> Vec<Problem> {
        let code = message.pointer("/error/code").and_then(Value::as_i64);
        let id = message.get("id");
        let request = id.and_then(|id| self.to_server.take_answered(id, code));
        let revision = match &request {
            Some(request) => response_revision(request, message, self.session),
            None => self.revision(),
        };
        let mut checker = Checker::new(revision);
        match (&request, id) {
            (None, Some(id)) if !id.is_null() => self.report_unknown_id(id, &mut checker),
            (Some(request), _) => self.check_context(request, message, batched, &mut checker),
            _ => {}
        }
        match (message.get("result"), message.get("error")) {
            (Some(result), None) => {
                check_envelope(message, &RESULT_RESPONSE, "result", &mut checker);
                if let Some(request) = &request {
                    checker.at("result", |checker| {
                        self.check_method_result(request, result, checker);
                    });
                }
            }
            (None, Some(_)) => {
                self.check_error(request.as_ref(), message, &mut checker);
                if let Some(request) = &request {
                    self.progress.finish(request);
                    self.listen_streams.remove_failed(request);
                }
            }
            _ => checker.report(Rule::Envelope, "must have either a result or an error"),
        }
        checker.into_problems()
    }

    fn report_unknown_id(&self, id: &Value, checker: &mut Checker) {
        let fault = match self.to_server.was_answered(id) {
            true => "is a second response to a request",
            false => "is a response to no request; a string and a number are different ids",
        };
        checker.report_at(&["id"], Rule::Order, fault);
    }

    fn check_context(
        &self,
        request: &Request,
        message: &Value,
        batched: bool,
        checker: &mut Checker,
    ) {
        let succeeded = message.get("result").is_some();
        let batch = request.batched || batched;
        if batch && checker.revision != Revision::V2025_03_26 {
            checker.report(
                Rule::Envelope,
                "batched messages only get responses at 2025-03-26",
            );
        }
        if request.batched && request.method == "initialize" && succeeded {
            checker.report(Rule::Envelope, "`initialize` must not be in a batch");
        }
        if succeeded && self.session.is_none() && !request.needs_no_session() {
            checker.report(
                Rule::Order,
                "a request without a revision succeeds before `initialize`",
            );
        }
    }

    fn check_error(&self, request: Option<&Request>, message: &Value, checker: &mut Checker) {
        let revision = checker.revision;
        checker.object(message, &ERROR_RESPONSE);
        let code = message.pointer("/error/code").and_then(Value::as_i64);
        let row = code.and_then(ErrorCode::find);
        let lacks_id = message.get("id").is_none();
        if lacks_id && row.is_none_or(|row| row.id == Id::Needed) {
            checker.report_at(
                &["id"],
                Rule::Required,
                "may only be missing if it cannot be known",
            );
        }
        checker.at("error", |checker| {
            check_code(request, code, message, checker);
        });
        // The schemas until 2025-06-18 have no form for an unknown id.
        if !lacks_id || revision > Revision::V2025_06_18 {
            checker.adopt(official::envelope_problems(revision, "error", message));
        }
        if let Some(row) = row {
            checker.adopt(official::error_problems(revision, row.row.name, message));
        }
    }

    fn check_method_result(&mut self, request: &Request, result: &Value, checker: &mut Checker) {
        let Some(method) = Method::find(&request.method, Sender::Client, checker.revision) else {
            self.progress.finish(request);
            return checker.object(result, &CUSTOM_RESULT);
        };
        if !method.is_sent(Sender::Client, checker.revision) || method.results.is_empty() {
            self.progress.finish(request);
            let fault = format!("{} has no result at this revision", method.name);
            return checker.report(Rule::Method, fault);
        }
        check_result(result, method, checker);
        // An empty list discloses nothing, and some clients ask for every list.
        let lists = ["prompts", "resources", "resourceTemplates"];
        let is_empty_list = lists.iter().any(|list| {
            result
                .get(list)
                .and_then(Value::as_array)
                .is_some_and(Vec::is_empty)
        });
        if !is_empty_list
            && self
                .capabilities
                .server_lacks(method.capability, checker.revision)
        {
            let fault = format!("the server has not declared `{}`", method.capability);
            checker.report(Rule::Capability, fault);
        }
        if !checker.revision.is_legacy() {
            check_modern_capabilities(request, result, checker);
        }
        self.record_result(request, result, checker);
    }

    fn record_result(&mut self, request: &Request, result: &Value, checker: &mut Checker) {
        let revision = checker.revision;
        match request.method.as_str() {
            "initialize" => {
                self.session = Some(revision);
                self.handshake = Handshake::Answered;
                self.capabilities.client = request.params.get("capabilities").cloned();
                self.capabilities.server = result.get("capabilities").cloned();
            }
            "server/discover" => self.capabilities.discovered = result.get("capabilities").cloned(),
            "logging/setLevel" => self.earlier_results.set_level(&request.params),
            "tools/list" => self.earlier_results.record_output_schemas(revision, result),
            "tools/call" => {
                if let Some(fault) = self.earlier_results.output_fault(revision, request, result) {
                    checker.report_at(&["structuredContent"], Rule::Value, fault);
                }
            }
            "subscriptions/listen" => self.end_listen(request, result, checker),
            _ => {}
        }
        if let Some(fault) = self.earlier_results.scope_fault(request, result) {
            checker.report_at(&["cacheScope"], Rule::Value, fault);
        }
        let is_task = revision.is_legacy() && result.get("task").is_some();
        if is_task && request.params.get("task").is_none() {
            checker.report_at(&["task"], Rule::Order, "was not requested");
        }
        if is_task && self.capabilities.server_lacks(TASK_CALLS, revision) {
            let fault = format!("the server has not declared `{TASK_CALLS}`");
            checker.report_at(&["task"], Rule::Capability, fault);
        }
        // A task of 2025-11-25 keeps the token of the request that created it.
        if !is_task {
            self.progress.finish(request);
        }
    }

    fn end_listen(&mut self, request: &Request, result: &Value, checker: &mut Checker) {
        if let Some(fault) = self.listen_streams.end(&request.id) {
            checker.report(Rule::Order, fault);
        }
        let tag = result
            .get("_meta")
            .and_then(|meta| meta.get(meta::SUBSCRIPTION_ID));
        if tag.is_some_and(|tag| *tag != request.id) {
            checker.report_at(
                &["_meta", meta::SUBSCRIPTION_ID],
                Rule::Value,
                "must equal the id of the listen request",
            );
        }
    }
}

/// The revision of a response; a response to `initialize` names its own.
fn response_revision(request: &Request, response: &Value, session: Option<Revision>) -> Revision {
    let named = response
        .pointer("/result/protocolVersion")
        .and_then(Value::as_str);
    match named.and_then(Revision::parse) {
        Some(named)
            if request.method == "initialize"
                && named.is_legacy()
                && !request.has_request_meta() =>
        {
            named
        }
        _ => request.revision(session),
    }
}

/// Rate limited, unauthenticated and forbidden, for clients of revisions up to 2025-11-25.
const APPLICATION_CODES: [i64; 3] = [-32000, -32001, -32003];

fn check_code(
    request: Option<&Request>,
    code: Option<i64>,
    message: &Value,
    checker: &mut Checker,
) {
    let Some(code) = code else { return };
    let fault = match ErrorCode::find(code) {
        Some(row) if !row.exists(checker.revision) => "belongs to other revisions",
        Some(row) => {
            let data = message.pointer("/error/data");
            match (data, row.data.presence(checker.revision)) {
                (Some(data), _) => checker.at("data", |it| it.shape(data, &row.data.shape)),
                (None, Presence::Required) => {
                    checker.report_at(&["data"], Rule::Required, "is missing");
                }
                (None, _) => {}
            }
            let method = request.map(|request| request.method.as_str());
            match (code, method) {
                (-32002, Some(method)) if !RESOURCE_METHODS.contains(&method) => {
                    "is only for methods that name a resource"
                }
                (-32042, Some(method)) if method != "tools/call" => "is only for tool calls",
                _ => return,
            }
        }
        // JSON-RPC leaves these to applications, and no revision before 2026-07-28 defines them.
        None if APPLICATION_CODES.contains(&code) && checker.revision < Revision::V2026_07_28 => {
            return;
        }
        None if RESERVED.contains(&code) => "is reserved and not defined",
        None => return,
    };
    checker.report_at(&["code"], Rule::ErrorCode, fault);
}

/// Checks that a result requests only input that its request declares.
fn check_modern_capabilities(request: &Request, result: &Value, checker: &mut Checker) {
    let revision = checker.revision;
    let declared = request.capabilities();
    let is_task = result.get("resultType").is_some_and(|kind| kind == "task");
    let extension = declared.get("extensions").and_then(|it| it.get(TASKS));
    if (is_task || request.method.starts_with("tasks/")) && extension.is_none() {
        checker.report(
            Rule::Capability,
            "the request does not declare the tasks extension",
        );
    }
    let input_requests = result.get("inputRequests").and_then(Value::as_object);
    for (key, input_request) in input_requests.into_iter().flatten() {
        let method = input_request
            .get("method")
            .and_then(Value::as_str)
            .unwrap_or_default();
        let params = input_request.get("params").unwrap_or(&Value::Null);
        if let Some(missing) = missing_for(method, params, declared, revision) {
            checker.report_at(
                &["inputRequests", key],
                Rule::Capability,
                format!("the request does not declare `{missing}`"),
            );
        }
    }
}
