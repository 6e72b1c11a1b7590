//! Messages that are invalid on their own, each with its problem.

use serde_json::{Value, json};

use super::{
    notation::{expand, is_for, parse},
    samples::{prepared, request, with_server_info},
};
use crate::wire::{Problems, Revision, Rule};

/// Revisions, method, params, result, and the problem of the result.
type Row = (
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    Rule,
);

#[rustfmt::skip]
const RESULTS: &[Row] = &[
    // Members of other revisions, and values of some revisions.
    ("1234", "tools/list", "{}", r#"{"tools": [], "ttlMs": 0}"#, "/ttlMs", Rule::Forbidden),
    ("1234", "tools/list", "{}", r#"{"tools": [], "resultType": "complete"}"#, "/resultType", Rule::Forbidden),
    ("5", "tools/list", "{}", r#"{"resultType": "complete", "tools": [], "cacheScope": "public"}"#, "/ttlMs", Rule::Required),
    ("5", "tools/list", "{}", r#"{"resultType": "complete", "tools": [], "cacheScope": "public", "ttlMs": 1.5}"#, "/ttlMs", Rule::Value),
    ("5", "tools/list", "{}", r#"{"resultType": "complete", "tools": [], "cacheScope": "all", "ttlMs": 1}"#, "/cacheScope", Rule::Value),
    ("1", "tools/list", "{}", r#"{"tools": [{"name": "a", "inputSchema": {"type": "object"}, "annotations": {}}]}"#, "/tools/0/annotations", Rule::Forbidden),
    ("12", "tools/list", "{}", r#"{"tools": [{"name": "a", "inputSchema": {"type": "object"}, "title": "A"}]}"#, "/tools/0/title", Rule::Forbidden),
    ("1", "tools/call", "{}", r#"{"content": [{"type": "audio", "data": "AAAA", "mimeType": "audio/wav"}]}"#, "/content/0/type", Rule::Forbidden),
    ("12", "tools/call", "{}", r#"{"content": [{"type": "resource_link", "uri": "a:b", "name": "b"}]}"#, "/content/0/type", Rule::Forbidden),
    ("12345", "tools/call", "{}", r#"{"resultType@5": "complete", "content": [{"type": "video"}]}"#, "/content/0/type", Rule::Value),
    ("12345", "tools/call", "{}", r#"{"resultType@5": "complete", "content": [{"text": "x"}]}"#, "/content/0/type", Rule::Required),
    ("12", "tools/call", "{}", r#"{"content": [], "structuredContent": {}}"#, "/structuredContent", Rule::Forbidden),
    ("34", "tools/call", "{}", r#"{"content": [], "structuredContent": [1]}"#, "/structuredContent", Rule::Value),
    ("5", "tools/call", "{}", r#"{"resultType": "complete", "content": [], "structuredContent": [1]}"#, "/content", Rule::Required),
    ("12345", "tools/call", "{}", r#"{"resultType@5": "complete", "structuredContent@345": {}}"#, "/content", Rule::Required),
    ("1234", "ping", "{}", r#"{"pong": true}"#, "/pong", Rule::Undeclared),
    ("5", "tools/call", "{}", r#"{"resultType": "partial", "content": []}"#, "/resultType", Rule::Value),
    ("5", "acme/own", "{}", r#"{"anything": 1}"#, "/resultType", Rule::Required),
    // Formats.
    ("12345", "tools/call", "{}", r#"{"resultType@5": "complete", "content": [{"type": "image", "data": "A", "mimeType": "image/png"}]}"#, "/content/0/data", Rule::Value),
    ("12345", "tools/call", "{}", r#"{"resultType@5": "complete", "content": [{"type": "text", "text": "", "annotations": {"priority": 2}}]}"#, "/content/0/annotations/priority", Rule::Value),
    ("345", "tools/call", "{}", r#"{"resultType@5": "complete", "content": [{"type": "text", "text": "", "annotations": {"lastModified": "today"}}]}"#, "/content/0/annotations/lastModified", Rule::Value),
    ("12345", "tools/call", "{}", r#"{"resultType@5": "complete", "content": [{"type": "resource", "resource": {"uri": "a:b", "text": "", "blob": ""}}]}"#, "/content/0/resource", Rule::Forbidden),
    ("12345", "tools/call", "{}", r#"{"resultType@5": "complete", "content": [{"type": "resource", "resource": {"uri": "a:b"}}]}"#, "/content/0/resource", Rule::Required),
    ("12345", "resources/list", "{}", r#"{"resultType@5": "complete", "ttlMs@5": 0, "cacheScope@5": "public", "resources": [{"uri": "no scheme", "name": "a"}]}"#, "/resources/0/uri", Rule::Value),
    ("345", "tools/list", "{}", r#"{"resultType@5": "complete", "ttlMs@5": 0, "cacheScope@5": "public", "tools": [{"name": "a", "inputSchema": {"type": "object"}, "_meta": {"-a": 1}}]}"#, "/tools/0/_meta/-a", Rule::Value),
    ("345", "tools/list", "{}", r#"{"resultType@5": "complete", "ttlMs@5": 0, "cacheScope@5": "public", "tools": [{"name": "a", "inputSchema": {"type": "object"}, "_meta": {"dev.mcp/a": 1}}]}"#, "/tools/0/_meta/dev.mcp~1a", Rule::Value),
    ("3", "tools/list", "{}", r#"{"tools": [{"name": "a", "inputSchema": {"type": "object"}, "_meta": {"mcp.dev/a": 1}}]}"#, "/tools/0/_meta/mcp.dev~1a", Rule::Value),
    ("1234", "initialize", r#"{"protocolVersion": "$revision", "capabilities": {}}"#, r#"{"protocolVersion": "$revision", "capabilities": {"extensions": {"bare": {}}}, "serverInfo": "$implementation"}"#, "/capabilities/extensions/bare", Rule::Value),
    ("4", "initialize", r#"{"protocolVersion": "$revision", "capabilities": {}}"#, r#"{"protocolVersion": "2026-07-28", "capabilities": {}, "serverInfo": "$implementation"}"#, "/protocolVersion", Rule::Value),
    ("1", "initialize", r#"{"protocolVersion": "$revision", "capabilities": {}}"#, r#"{"protocolVersion": "$revision", "capabilities": {"completions": {}}, "serverInfo": "$implementation"}"#, "/capabilities/completions", Rule::Forbidden),
    ("5", "server/discover", "{}", r#"{"resultType": "complete", "ttlMs": 0, "cacheScope": "public", "supportedVersions": ["2025-11-25"], "capabilities": {}}"#, "/supportedVersions", Rule::Value),
    ("5", "server/discover", "{}", r#"{"resultType": "complete", "ttlMs": 0, "cacheScope": "public", "supportedVersions": ["2026-07-28"], "capabilities": {"tasks": {}}}"#, "/capabilities/tasks", Rule::Forbidden),
    // Rules that schemas cannot express.
    ("12345", "tools/list", "{}", r#"{"resultType@5": "complete", "ttlMs@5": 0, "cacheScope@5": "public", "tools": [{"name": "a", "inputSchema": {"type": "object"}}, {"name": "a", "inputSchema": {"type": "object"}}]}"#, "/tools/1/name", Rule::Value),
    ("12345", "prompts/get", "{}", r#"{"resultType@5": "complete", "messages": [{"role": "user", "content": {"type": "resource", "resource": {"uri": "a:b", "text": ""}}}]}"#, "/messages/0/content/resource/mimeType", Rule::Required),
    ("5", "tools/call", "{}", r#"{"resultType": "input_required"}"#, "", Rule::Required),
    ("5", "tools/call", "{}", r#"{"resultType": "input_required", "inputRequests": {}}"#, "", Rule::Required),
    ("5", "tools/list", "{}", r#"{"resultType": "input_required", "requestState": "x"}"#, "/resultType", Rule::Value),
    ("5", "tools/call", "{}", r#"{"resultType": "input_required", "inputRequests": {"a": {"method": "roots/list", "id": 1}}}"#, "/inputRequests/a/id", Rule::Undeclared),
    ("5", "tools/call", "{}", r#"{"resultType": "input_required", "inputRequests": {"a": {"method": "ping"}}}"#, "/inputRequests/a/method", Rule::Value),
    ("5", "tools/call", "{}", r#"{"resultType": "input_required", "inputRequests": {"a": {"method": "elicitation/create", "params": {"message": ""}}}}"#, "/inputRequests/a/params", Rule::Required),
    ("5", "tools/call", "{}", r#"{"resultType": "input_required", "inputRequests": {"a": {"method": "elicitation/create", "params": {"message": "", "requestedSchema": {"type": "object", "properties": {"a": {"type": "string", "pattern": "."}}}}}}}"#, "/inputRequests/a/params/requestedSchema/properties/a/pattern", Rule::Undeclared),
    ("5", "tools/call", "{}", r#"{"resultType": "input_required", "inputRequests": {"a": {"method": "elicitation/create", "params": {"message": "", "requestedSchema": {"type": "object", "properties": {"a": {"type": "object"}}}}}}}"#, "/inputRequests/a/params/requestedSchema/properties/a/type", Rule::Value),
    ("5", "tasks/get", "{}", r#"{"resultType": "complete", "$": "$task", "result": {}}"#, "/result", Rule::Forbidden),
    ("5", "tasks/get", "{}", r#"{"resultType": "complete", "$": "$task", "status": "completed"}"#, "/result", Rule::Required),
    ("5", "tasks/get", "{}", r#"{"resultType": "task", "$": "$task"}"#, "/resultType", Rule::Value),
    ("5", "tools/call", "{}", r#"{"resultType": "task", "task": "$task"}"#, "/task", Rule::Undeclared),
    // Methods that the revision does not have.
    ("5", "ping", "{}", r#"{"resultType": "complete"}"#, "", Rule::Method),
    ("5", "tasks/list", "{}", r#"{"resultType": "complete", "tasks": []}"#, "", Rule::Method),
    ("1234", "server/discover", "{}", r#"{}"#, "", Rule::Method),
    ("1234", "notifications/cancelled", "{}", r#"{}"#, "", Rule::Method),
];

#[test]
fn invalid_results_are_reported() {
    for &(marks, method, params, result, pointer, rule) in RESULTS {
        for revision in revisions(marks) {
            let params = expand(&parse(params), revision);
            let result = with_server_info(expand(&parse(result), revision), revision);
            let mut conversation = prepared(revision);
            conversation.sent_by_client(&request(revision, "1", method, params));
            let message = json!({"jsonrpc": "2.0", "id": "1", "result": result});
            let outcome = conversation.sent_by_server(&message);
            expect(
                outcome,
                &format!("/result{pointer}"),
                rule,
                revision,
                &message,
            );
        }
    }
}

#[test]
fn more_than_100_completions_are_reported() {
    for (count, fine) in [(100, true), (101, false)] {
        for revision in Revision::ALL {
            let values = vec!["x"; count];
            let text = r#"{"resultType@5": "complete", "completion": {}}"#;
            let mut result = with_server_info(expand(&parse(text), revision), revision);
            result["completion"] = json!({"values": values});
            let mut conversation = prepared(revision);
            conversation.sent_by_client(&request(revision, "1", "completion/complete", json!({})));
            let message = json!({"jsonrpc": "2.0", "id": "1", "result": result});
            let outcome = conversation.sent_by_server(&message);
            match fine {
                true => outcome.unwrap(),
                false => expect(
                    outcome,
                    "/result/completion/values",
                    Rule::Value,
                    revision,
                    &message,
                ),
            }
        }
    }
}

/// Revisions, input schema, and the position of its problem; `""` for the whole schema.
#[rustfmt::skip]
const SCHEMAS: &[(&str, &str, &str, Rule)] = &[
    ("12345", r#"{}"#, "/type", Rule::Required),
    ("12345", r#"{"type": "string"}"#, "/type", Rule::Value),
    ("12345", r#"true"#, "", Rule::Value),
    ("1234", r#"{"type": "object", "properties": {"a": true}}"#, "/properties/a", Rule::Value),
    ("12345", r#"{"type": "object", "minProperties": "one"}"#, "", Rule::Value),
    ("12345", r#"{"type": "object", "$schema": "https://example.com/none"}"#, "", Rule::Value),
    ("5", r#"{"type": "object", "properties": {"a": {"type": "number", "x-mcp-header": "A"}}}"#, "/properties/a/x-mcp-header", Rule::Value),
    ("5", r#"{"type": "object", "properties": {"a": {"type": "string", "x-mcp-header": ""}}}"#, "/properties/a/x-mcp-header", Rule::Value),
    ("5", r#"{"type": "object", "properties": {"a": {"type": "string", "x-mcp-header": "A b"}}}"#, "/properties/a/x-mcp-header", Rule::Value),
    ("5", r#"{"type": "object", "properties": {"a": {"type": "string", "x-mcp-header": "A"}, "b": {"type": "string", "x-mcp-header": "a"}}}"#, "/properties/b/x-mcp-header", Rule::Value),
    ("5", r#"{"type": "object", "anyOf": [{"properties": {"a": {"type": "string", "x-mcp-header": "A"}}}]}"#, "/anyOf/0/properties/a/x-mcp-header", Rule::Value),
    ("5", r##"{"type": "object", "$defs": {"a": {"type": "string", "x-mcp-header": "A"}}, "properties": {"a": {"$ref": "#/$defs/a"}}}"##, "/$defs/a/x-mcp-header", Rule::Value),
    ("5", r#"{"type": "object", "properties": {"a": {"type": "array", "items": {"type": "string", "x-mcp-header": "A"}}}}"#, "/properties/a/items/x-mcp-header", Rule::Value),
];

#[test]
fn invalid_tool_schemas_are_reported() {
    for &(marks, schema, pointer, rule) in SCHEMAS {
        for revision in revisions(marks) {
            let message = tools_list(json!({"name": "a", "inputSchema": parse(schema)}), revision);
            let mut conversation = prepared(revision);
            conversation.sent_by_client(&request(revision, "1", "tools/list", json!({})));
            let outcome = conversation.sent_by_server(&message);
            let pointer = format!("/result/tools/0/inputSchema{pointer}");
            expect(outcome, &pointer, rule, revision, &message);
        }
    }
}

/// Schemas of 2026-07-28 only, and keywords that the check of headers skips.
#[test]
fn valid_tool_schemas_pass() {
    let header = r#"{
        "type": "object", "default": {"x-mcp-header": ""},
        "properties": {
            "x-mcp-header": {"type": "string"}, "any": true,
            "deep": {"type": "object", "properties": {"a": {"type": "boolean", "x-mcp-header": "A"}}}
        }
    }"#;
    let tool =
        json!({"name": "a", "inputSchema": parse(header), "outputSchema": {"type": "array"}});
    let modern = Revision::V2026_07_28;
    let mut conversation = prepared(modern);
    conversation.sent_by_client(&request(modern, "1", "tools/list", json!({})));
    conversation
        .sent_by_server(&tools_list(tool, modern))
        .unwrap();
}

pub(super) fn tools_list(tool: Value, revision: Revision) -> Value {
    let text = r#"{"resultType@5": "complete", "ttlMs@5": 0, "cacheScope@5": "public"}"#;
    let mut result = with_server_info(expand(&parse(text), revision), revision);
    result["tools"] = json!([tool]);
    json!({"jsonrpc": "2.0", "id": "1", "result": result})
}

/// Revisions, method that fails, whole response, and its problem.
#[rustfmt::skip]
const RESPONSES: &[(&str, &str, &str, &str, Rule)] = &[
    ("5", "resources/read", r#"{"id": "1", "error": {"code": -32002, "message": ""}}"#, "/error/code", Rule::ErrorCode),
    ("1234", "tools/call", r#"{"id": "1", "error": {"code": -32002, "message": ""}}"#, "/error/code", Rule::ErrorCode),
    ("1235", "tools/call", r#"{"id": "1", "error": {"code": -32042, "message": "", "data": {"elicitations": []}}}"#, "/error/code", Rule::ErrorCode),
    ("4", "prompts/get", r#"{"id": "1", "error": {"code": -32042, "message": "", "data": {"elicitations": []}}}"#, "/error/code", Rule::ErrorCode),
    ("4", "tools/call", r#"{"id": "1", "error": {"code": -32042, "message": ""}}"#, "/error/data", Rule::Required),
    ("1234", "tools/call", r#"{"id": "1", "error": {"code": -32020, "message": ""}}"#, "/error/code", Rule::ErrorCode),
    ("12345", "tools/call", r#"{"id": "1", "error": {"code": -32004, "message": ""}}"#, "/error/code", Rule::ErrorCode),
    ("12345", "tools/call", r#"{"id": "1", "error": {"code": -32099, "message": ""}}"#, "/error/code", Rule::ErrorCode),
    ("5", "tools/call", r#"{"id": "1", "error": {"code": -32021, "message": "", "data": {"requiredCapabilities": ["roots"]}}}"#, "/error/data/requiredCapabilities", Rule::Value),
    ("5", "tools/call", r#"{"id": "1", "error": {"code": -32022, "message": "", "data": {"supported": []}}}"#, "/error/data/requested", Rule::Required),
    ("12345", "tools/call", r#"{"id": "1", "error": {"code": "x", "message": ""}}"#, "/error/code", Rule::Value),
    ("12345", "tools/call", r#"{"id": null, "error": {"code": -32700, "message": ""}}"#, "/id", Rule::Value),
    ("12345", "tools/call", r#"{"error": {"code": -32602, "message": ""}}"#, "/id", Rule::Required),
    ("12345", "tools/call", r#"{"error": {"code": 5, "message": ""}}"#, "/id", Rule::Required),
    ("12345", "tools/call", r#"{"id": "1"}"#, "", Rule::Envelope),
    ("12345", "tools/call", r#"{"id": "1", "result": {}, "error": {"code": 5, "message": ""}}"#, "", Rule::Envelope),
    ("12345", "tools/call", r#"{"id": "2", "error": {"code": 5, "message": ""}}"#, "/id", Rule::Order),
    ("12345", "tools/call", r#"{"id": 1, "error": {"code": 5, "message": ""}}"#, "/id", Rule::Order),
    ("12345", "tools/call", r#"7"#, "", Rule::Envelope),
    ("12345", "tools/call", r#"{"method": "notifications/unknown", "id": null}"#, "/id", Rule::Value),
    ("1234", "tools/call", r#"{"method": "notifications/message", "id": 1, "params": {"level": "error", "data": 1}}"#, "/id", Rule::Envelope),
    ("1234", "tools/call", r#"{"method": "ping"}"#, "/id", Rule::Envelope),
    ("1234", "tools/call", r#"{"method": "roots/list", "params": []}"#, "/params", Rule::Value),
    ("1234", "tools/call", r#"{"method": "tools/list", "id": 1}"#, "/method", Rule::Method),
    ("12", "tools/call", r#"{"method": "elicitation/create", "id": 1, "params": {}}"#, "/method", Rule::Method),
    ("5", "tools/call", r#"{"method": "roots/list", "id": 1}"#, "/method", Rule::Method),
    ("5", "tools/call", r#"{"method": "acme/own", "id": 1}"#, "", Rule::Method),
    ("4", "tools/call", r#"{"method": "elicitation/create", "id": 1, "params": {"message": ""}}"#, "/params", Rule::Required),
    ("4", "tools/call", r#"{"method": "elicitation/create", "id": 1}"#, "/params", Rule::Required),
    ("45", "tools/call", r#"{"method": "notifications/initialized"}"#, "/method", Rule::Method),
    ("4", "tools/call", r#"{"method": "sampling/createMessage", "id": 1, "params": {"maxTokens": 1, "messages": [{"role": "assistant", "content": {"type": "tool_use", "id": "u", "name": "a", "input": {}}}]}}"#, "/params/messages", Rule::Order),
    ("4", "tools/call", r#"{"method": "sampling/createMessage", "id": 1, "params": {"maxTokens": 1, "messages": [{"role": "user", "content": {"type": "tool_result", "toolUseId": "u", "content": []}}]}}"#, "/params/messages/0", Rule::Order),
];

#[test]
fn invalid_messages_are_reported() {
    for &(marks, method, response, pointer, rule) in RESPONSES {
        for revision in revisions(marks) {
            let mut message = expand(&parse(response), revision);
            if let Some(members) = message.as_object_mut() {
                members.insert("jsonrpc".to_owned(), json!("2.0"));
            }
            let mut conversation = prepared(revision);
            conversation.sent_by_client(&request(revision, "1", method, json!({})));
            let outcome = conversation.sent_by_server(&message);
            expect(outcome, pointer, rule, revision, &message);
        }
    }
}

#[test]
fn error_response_to_invalid_json_needs_no_id() {
    for revision in Revision::ALL {
        for code in [-32700, -32600] {
            let error = json!({"jsonrpc": "2.0", "error": {"code": code, "message": "unreadable"}});
            prepared(revision).sent_by_server(&error).unwrap();
        }
    }
}

fn revisions(marks: &'static str) -> impl Iterator<Item = Revision> {
    Revision::ALL
        .into_iter()
        .filter(move |revision| is_for(&json!(marks), *revision))
}

#[track_caller]
pub(super) fn expect(
    outcome: Result<(), Problems>,
    pointer: &str,
    rule: Rule,
    revision: Revision,
    message: &Value,
) {
    let Err(problems) = outcome else {
        panic!("{revision}: {pointer} should break {rule:?} in {message}");
    };
    let fits = problems
        .iter()
        .any(|it| it.pointer == pointer && it.rule == rule);
    assert!(
        fits,
        "{revision}: {pointer} should break {rule:?} in {message}:\n{problems}"
    );
}
