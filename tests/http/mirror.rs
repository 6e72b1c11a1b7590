//! The headers of 2026-07-28 that repeat the body.

use serde_json::{Value, json};
use wire::Revision;

use crate::caller::{ABSENT, BOTH, Caller};
use crate::host::Host;

#[track_caller]
fn check(method: &str, params: Value, more: &[(&str, &str)], accepted: bool) {
    let host = Host::start();
    let mut caller = Caller::ready(&host, Revision::V2026_07_28);
    let request = caller.request(method, params);
    let (head, answer) = caller.say(&request, more);
    let answer = answer.unwrap();
    assert_eq!(answer["id"], request["id"]);
    if accepted {
        assert_eq!(head.status, 200, "{more:?} {answer}");
        assert!(answer["error"].is_null(), "{more:?} {answer}");
    } else {
        let found = (head.status, answer["error"]["code"].as_i64());
        assert_eq!(found, (400, Some(-32020)), "{more:?} {answer}");
    }
}

#[test]
fn the_method_is_repeated_exactly() {
    let check = |more: &[(&str, &str)], accepted| check("tools/list", json!({}), more, accepted);
    check(&[], true);
    check(&[("mcp-method", "tools/list")], true);
    check(&[("MCP-METHOD", "tools/list")], true);
    check(&[("Mcp-Method", "  tools/list  ")], true);
    check(&[("Mcp-Method", ABSENT)], false);
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
fn the_name_is_repeated_plain_or_encoded() {
    let check = |more: &[(&str, &str)], accepted| {
        check("tools/call", json!({ "name": "nothing" }), more, accepted);
    };
    check(&[], true);
    check(&[("Mcp-Name", "  nothing ")], true);
    check(&[("Mcp-Name", "=?base64?bm90aGluZw==?=")], true);
    check(&[("Mcp-Name", ABSENT)], false);
    check(&[("Mcp-Name", "Nothing")], false);
    check(&[("Mcp-Name", "wrong")], false);
    check(&[("Mcp-Name", "=?base64?bm90aGluZw=?=")], false);
    check(&[("Mcp-Name", "=?BASE64?bm90aGluZw==?=")], false);
    check(&[("Mcp-Name", "=?base64?bm90aGluZw==")], false);
    check(&[("Mcp-Name", "nothing"), ("Mcp-Name", "nothing")], false);
}

#[test]
fn a_name_that_no_header_can_hold_is_encoded() {
    let host = Host::start();
    let mut caller = Caller::ready(&host, Revision::V2026_07_28);
    for (name, header) in [
        ("Hello, 世界", "=?base64?SGVsbG8sIOS4lueVjA==?="),
        (" padded ", "=?base64?IHBhZGRlZCA=?="),
        ("line1\nline2", "=?base64?bGluZTEKbGluZTI=?="),
        ("=?base64?literal?=", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="),
    ] {
        let request = caller.call(name, json!({}));
        let (head, answer) = caller.say(&request, &[("Mcp-Name", header)]);
        let code = answer.unwrap()["error"]["code"].as_i64();
        assert_eq!((head.status, code), (200, Some(-32602)), "{name:?}");
    }
}

#[test]
fn a_tool_without_a_name_is_refused_by_its_method() {
    let host = Host::start();
    let mut caller = Caller::ready(&host, Revision::V2026_07_28);
    let request = caller.request("tools/call", json!({}));
    let (head, answer) = caller.say(&request, &[]);
    let code = answer.unwrap()["error"]["code"].as_i64();
    assert_eq!((head.status, code), (200, Some(-32602)));
}

#[test]
fn arguments_are_repeated_where_their_schema_says_so() {
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
fn numbers_and_truths_are_repeated_in_their_own_way() {
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
    check("count", json!(42), count, ABSENT, false);
    check("count", Value::Null, count, ABSENT, true);
    check("count", Value::Null, count, "42", false);
    let now = "Mcp-Param-Now";
    check("now", json!(true), now, "true", true);
    check("now", json!(true), now, "True", false);
    check("now", json!(false), now, "false", true);
    check("now", json!(false), now, "true", false);
}

#[test]
fn what_is_read_as_an_object_is_repeated_too() {
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

/// The status and the error of a request whose text is written by hand.
#[track_caller]
fn written(
    method: &str,
    params: Value,
    more: &[(&str, &str)],
    edit: impl FnOnce(String) -> String,
) -> (u16, Option<i64>) {
    let host = Host::start();
    let mut caller = Caller::ready(&host, Revision::V2026_07_28);
    let request = caller.request(method, params);
    caller.conversation.sent_by_client(&request);
    let mut headers = vec![
        ("Content-Type", "application/json"),
        ("Accept", BOTH),
        ("MCP-Protocol-Version", "2026-07-28"),
        ("Mcp-Method", method),
    ];
    headers.extend(more);
    let text = edit(request.to_string());
    assert_ne!(text, request.to_string());
    caller.line.request("POST", &headers, Some(&text));
    let (head, body) = caller.line.reply();
    let answer = caller.heard(&body);
    (head.status, answer["error"]["code"].as_i64())
}

const MISMATCH: (u16, Option<i64>) = (400, Some(-32020));

#[test]
fn arguments_that_cannot_be_compared_are_refused() {
    let arguments = json!({ "place": { "region": "eu" }, "more": 0 });
    let params = json!({ "name": "go", "arguments": arguments });
    let found = written("tools/call", params, &[("Mcp-Name", "go")], |text| {
        text.replace("\"more\":0", "\"more\":1e999")
    });
    assert_eq!(found, MISMATCH);
}

#[test]
fn no_other_member_keeps_headers_from_being_compared() {
    let go = json!({ "name": "go", "arguments": { "place": { "region": "eu" } } });
    let (name, eu) = (("Mcp-Name", "go"), ("Mcp-Param-Region", "eu"));
    let check = |method, params: &Value, more: &[_], repeated: &str, expected| {
        let found = written(method, params.clone(), more, |text| {
            text.replacen("\"params\":{", &format!("\"params\":{{{repeated},"), 1)
        });
        assert_eq!(found, expected, "{method} {more:?} {repeated}");
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
    // What is compared may not be there twice, whatever the header says.
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
fn older_revisions_have_no_mirror() {
    let host = Host::start();
    let mut caller = Caller::ready(&host, Revision::V2025_11_25);
    let request = caller.call("nothing", json!({}));
    let wrong = [("Mcp-Method", "wrong"), ("Mcp-Name", "wrong")];
    assert_eq!(caller.say(&request, &wrong).0.status, 200);
}
