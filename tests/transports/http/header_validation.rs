//! Headers of 2026-07-28 that must match the body.

use serde_json::{Value, json};
use support::wire::Revision;

use crate::http::gated_tools::start_server;
use support::http_client::{ACCEPT_BOTH, HttpClient, OMIT};

#[track_caller]
fn check(method: &str, params: Value, more: &[(&str, &str)], accepted: bool) {
    let server = start_server();
    let mut client = HttpClient::initialized(&server, Revision::V2026_07_28);
    let request = client.new_request(method, params);
    let (head, answer) = client.post(&request, more);
    let answer = answer.unwrap();
    assert_eq!(answer["id"], request["id"]);
    if accepted {
        assert_eq!(head.status, 200, "{more:?} {answer}");
        assert!(answer["error"].is_null(), "{more:?} {answer}");
    } else {
        let actual = (head.status, answer["error"]["code"].as_i64());
        assert_eq!(actual, (400, Some(-32020)), "{more:?} {answer}");
    }
}

#[test]
fn method_header_must_match_exactly() {
    let check = |more: &[(&str, &str)], accepted| check("tools/list", json!({}), more, accepted);
    check(&[], true);
    check(&[("mcp-method", "tools/list")], true);
    check(&[("MCP-METHOD", "tools/list")], true);
    check(&[("Mcp-Method", "  tools/list  ")], true);
    check(&[("Mcp-Method", OMIT)], false);
    check(&[("Mcp-Method", "")], false);
    check(&[("Mcp-Method", "TOOLS/LIST")], false);
    check(&[("Mcp-Method", "prompts/list")], false);
    check(
        &[("Mcp-Method", "tools/list"), ("Mcp-Method", "tools/list")],
        false,
    );
    check(&[("Mcp-Method", "=?base64?dG9vbHMvbGlzdA==?=")], false);
    check(&[("Mcp-Method", "tools/list\u{e9}")], false);
}

#[test]
fn name_header_may_be_plain_or_encoded() {
    let check = |more: &[(&str, &str)], accepted| {
        check("tools/call", json!({ "name": "nothing" }), more, accepted);
    };
    check(&[], true);
    check(&[("Mcp-Name", "  nothing ")], true);
    check(&[("Mcp-Name", "=?base64?bm90aGluZw==?=")], true);
    check(&[("Mcp-Name", OMIT)], false);
    check(&[("Mcp-Name", "Nothing")], false);
    check(&[("Mcp-Name", "wrong")], false);
    check(&[("Mcp-Name", "=?base64?bm90aGluZw=?=")], false);
    check(&[("Mcp-Name", "=?BASE64?bm90aGluZw==?=")], false);
    check(&[("Mcp-Name", "=?base64?bm90aGluZw==")], false);
    check(&[("Mcp-Name", "nothing"), ("Mcp-Name", "nothing")], false);
}

#[test]
fn name_that_needs_encoding_is_decoded() {
    let server = start_server();
    let mut client = HttpClient::initialized(&server, Revision::V2026_07_28);
    for (name, header) in [
        ("Hello, 世界", "=?base64?SGVsbG8sIOS4lueVjA==?="),
        (" padded ", "=?base64?IHBhZGRlZCA=?="),
        ("line1\nline2", "=?base64?bGluZTEKbGluZTI=?="),
        ("=?base64?literal?=", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="),
    ] {
        let request = client.new_call(name, json!({}));
        let (head, answer) = client.post(&request, &[("Mcp-Name", header)]);
        let code = answer.unwrap()["error"]["code"].as_i64();
        assert_eq!((head.status, code), (200, Some(-32602)), "{name:?}");
    }
}

#[test]
fn call_without_a_name_passes_header_validation() {
    let server = start_server();
    let mut client = HttpClient::initialized(&server, Revision::V2026_07_28);
    let request = client.new_request("tools/call", json!({}));
    let (head, answer) = client.post(&request, &[]);
    let code = answer.unwrap()["error"]["code"].as_i64();
    assert_eq!((head.status, code), (200, Some(-32602)));
}

#[test]
fn header_arguments_must_match() {
    let check = |place: Value, more: &[(&str, &str)], accepted| {
        let params = json!({ "name": "go", "arguments": { "place": place } });
        check("tools/call", params, more, accepted);
    };
    let region = |text: &str| json!({ "region": text });
    check(region("eu"), &[("Mcp-Param-Region", "eu")], true);
    check(region("eu"), &[("mcp-param-region", " eu ")], true);
    check(
        region("Hello"),
        &[("Mcp-Param-Region", "=?base64?SGVsbG8=?=")],
        true,
    );
    check(
        region("SGVsbG8="),
        &[("Mcp-Param-Region", "SGVsbG8=")],
        true,
    );
    let literal = "=?base64?SGVsbG8=";
    check(region(literal), &[("Mcp-Param-Region", literal)], true);
    check(
        region("Hello"),
        &[("Mcp-Param-Region", "=?base64?SGVsbG8?=")],
        false,
    );
    check(
        region("Hello"),
        &[("Mcp-Param-Region", "=?base64?SGVs!!!bG8=?=")],
        false,
    );
    check(region("eu"), &[], false);
    check(region("eu"), &[("Mcp-Param-Region", "EU")], false);
    check(
        region("eu"),
        &[("Mcp-Param-Region", "eu"), ("Mcp-Param-Region", "eu")],
        false,
    );
    check(
        region("eu"),
        &[("Mcp-Param-Region", "eu"), ("Mcp-Param-Other", "x")],
        true,
    );
}

#[test]
fn numeric_and_boolean_header_arguments_must_match() {
    let check = |member: &str, value: Value, header: &str, text: &str, accepted| {
        let mut place = json!({ "region": "eu" });
        place[member] = value;
        let params = json!({ "name": "go", "arguments": { "place": place } });
        let headers = [("Mcp-Param-Region", "eu"), (header, text)];
        check("tools/call", params, &headers, accepted);
    };
    let count = "Mcp-Param-Count";
    check("count", json!(42), count, "42", true);
    check("count", json!(42), count, "42.0", true);
    check("count", json!(42), count, "43", false);
    check("count", json!(42), count, "many", false);
    check("count", json!(42), count, OMIT, false);
    // Neighbours that are equal as floating-point numbers.
    let large = json!(9_007_199_254_740_993_u64);
    check("count", large.clone(), count, "9007199254740992", false);
    check("count", large, count, "9007199254740993", true);
    check("count", json!(9.0e15), count, "9000000000000000", true);
    check("count", Value::Null, count, OMIT, true);
    check("count", Value::Null, count, "42", false);
    let now = "Mcp-Param-Now";
    check("now", json!(true), now, "true", true);
    check("now", json!(true), now, "True", false);
    check("now", json!(false), now, "false", true);
    check("now", json!(false), now, "true", false);
}

#[test]
fn quoted_arguments_fail_header_validation() {
    let check = |arguments: Value, more: &[(&str, &str)], accepted| {
        let params = json!({ "name": "go", "arguments": arguments });
        check("tools/call", params, more, accepted);
    };
    let eu = ("Mcp-Param-Region", "eu");
    check(json!({ "place": { "region": "eu" } }), &[eu], true);
    for quoted in [
        json!({ "place": r#"{"region":"eu"}"# }),
        json!(r#"{"place":{"region":"eu"}}"#),
        json!([{ "region": "eu" }]),
        json!({ "place": [{ "region": "eu" }] }),
    ] {
        check(quoted.clone(), &[], false);
        check(quoted, &[eu], false);
    }
}

/// The status and error of a request whose JSON text is edited.
#[track_caller]
fn send_edited(
    method: &str,
    params: Value,
    more: &[(&str, &str)],
    edit: impl FnOnce(String) -> String,
) -> (u16, Option<i64>) {
    let server = start_server();
    let mut client = HttpClient::initialized(&server, Revision::V2026_07_28);
    let request = client.new_request(method, params);
    client.conversation.sent_by_client(&request);
    let mut headers = vec![
        ("Content-Type", "application/json"),
        ("Accept", ACCEPT_BOTH),
        ("MCP-Protocol-Version", "2026-07-28"),
        ("Mcp-Method", method),
    ];
    headers.extend(more);
    let text = edit(request.to_string());
    assert_ne!(text, request.to_string());
    client
        .connection
        .send_request("POST", &headers, Some(&text));
    let (head, body) = client.connection.read_response();
    let answer = client.check(&body);
    (head.status, answer["error"]["code"].as_i64())
}

const MISMATCH: (u16, Option<i64>) = (400, Some(-32020));

#[test]
fn incomparable_arguments_fail_header_validation() {
    let arguments = json!({ "place": { "region": "eu" }, "more": 0 });
    let params = json!({ "name": "go", "arguments": arguments });
    let actual = send_edited("tools/call", params, &[("Mcp-Name", "go")], |text| {
        text.replace("\"more\":0", "\"more\":1e999")
    });
    assert_eq!(actual, MISMATCH);
}

#[test]
fn unrelated_duplicate_members_do_not_bypass_header_validation() {
    let go = json!({ "name": "go", "arguments": { "place": { "region": "eu" } } });
    let (name, eu) = (("Mcp-Name", "go"), ("Mcp-Param-Region", "eu"));
    let check = |method, params: &Value, more: &[_], extra_members: &str, expected| {
        let actual = send_edited(method, params.clone(), more, |text| {
            text.replacen("\"params\":{", &format!("\"params\":{{{extra_members},"), 1)
        });
        assert_eq!(actual, expected, "{method} {more:?} {extra_members}");
    };
    for repeated in [r#""uri":1,"uri":1"#, r#""taskId":[],"taskId":{}"#] {
        check("tools/call", &go, &[], repeated, MISMATCH);
        check("tools/call", &go, &[name], repeated, MISMATCH);
        check("tools/call", &go, &[eu], repeated, MISMATCH);
        check("tools/call", &go, &[name, eu], repeated, (200, None));
        let greet = json!({ "name": "greet" });
        check("prompts/get", &greet, &[], repeated, MISMATCH);
        let name = ("Mcp-Name", "greet");
        check("prompts/get", &greet, &[name], repeated, (200, None));
    }
    for (method, named) in [
        ("resources/read", "uri"),
        ("tasks/get", "taskId"),
        ("tasks/update", "taskId"),
        ("tasks/cancel", "taskId"),
    ] {
        let params = json!({ named: "a://b" });
        check(method, &params, &[], r#""name":1,"name":1"#, MISMATCH);
    }
    // A compared member must not be repeated, whatever the header says.
    check("tools/call", &go, &[], r#""name":"go""#, MISMATCH);
    check("tools/call", &go, &[name, eu], r#""name":"go""#, MISMATCH);
    check(
        "tools/call",
        &go,
        &[name, eu],
        r#""arguments":{}"#,
        MISMATCH,
    );
}

#[test]
fn older_revisions_have_no_header_validation() {
    let server = start_server();
    let mut client = HttpClient::initialized(&server, Revision::V2025_11_25);
    let request = client.new_call("nothing", json!({}));
    let wrong = [("Mcp-Method", "wrong"), ("Mcp-Name", "wrong")];
    assert_eq!(client.post(&request, &wrong).0.status, 200);
}
