use mcp_runtime::Server;
use serde_json::{Value, json};
use support::wire::Revision;

use support::dispatcher_client::{DispatcherClient, assert_contains};

fn check(tool: &str, arguments: Value, expected: impl Fn(Revision) -> Value) {
    for revision in Revision::ALL {
        let response = DispatcherClient::in_revision(revision).call(tool, arguments.clone());
        assert_contains(&response["result"], &expected(revision));
    }
}

#[test]
fn value_is_returned_as_structured_content_and_text() {
    check("add", json!({ "a": 2, "b": 3 }), |revision| {
        let mut expected = json!({ "content": [{ "type": "text", "text": "5" }] });
        if revision == Revision::V2026_07_28 {
            expected["structuredContent"] = json!(5);
        } else if revision >= Revision::V2025_06_18 {
            expected["structuredContent"] = json!({ "result": 5 });
        }
        expected
    });
    check(
        "mirror",
        json!({ "point": { "x": 1, "y": -2 } }),
        |revision| {
            let mut expected =
                json!({ "content": [{ "type": "text", "text": "{\"x\":-1,\"y\":2}" }] });
            if revision >= Revision::V2025_06_18 {
                expected["structuredContent"] = json!({ "x": -1, "y": 2 });
            }
            expected
        },
    );
}

#[test]
fn older_revisions_have_no_structured_content() {
    for revision in [Revision::V2024_11_05, Revision::V2025_03_26] {
        let response = DispatcherClient::in_revision(revision).call("add", json!({ "a": 1 }));
        assert_eq!(
            response["result"],
            json!({ "content": [{ "type": "text", "text": "2" }] })
        );
    }
}

#[test]
fn every_execution_mode_returns_its_result() {
    let text = |text: &str| json!({ "content": [{ "type": "text", "text": text }] });
    check("sleep", json!({ "millis": 1 }), |_| text("slept"));
    check("block", json!({ "millis": 1 }), |_| text("blocked"));
    check("optional", json!({ "n": 1 }), |_| text("Some(1) None"));
    check("nothing", json!({}), |_| text("No content."));
    check("who", json!({}), |revision| {
        text(&format!("probe over memory in {revision}"))
    });
    check(
        "by_hand",
        json!({}),
        |_| json!({ "_meta": { "example/k": 1 } }),
    );
}

#[test]
fn content_types_unknown_to_a_revision_become_text() {
    check("blocks", json!({}), |revision| {
        let text = json!({ "type": "text" });
        let audio = json!({ "type": "audio", "mimeType": "audio/wav" });
        let link = json!({ "type": "resource_link", "uri": "file:///a" });
        json!({ "content": match revision {
            Revision::V2024_11_05 => [text.clone(), json!({ "text": "[audio, audio/wav]" }),
                                      json!({ "text": "a: file:///a" })],
            Revision::V2025_03_26 => [text, audio, json!({ "text": "a: file:///a" })],
            _ => [json!({ "_meta": { "example/k": 1 } }), audio, link],
        }})
    });
}

#[test]
fn tool_error_is_a_result_that_the_model_reads() {
    check("fail", json!({}), |_| {
        let text = "invalid digit found in string";
        json!({ "isError": true, "content": [{ "type": "text", "text": text }] })
    });
}

#[test]
fn internal_causes_and_panic_messages_never_reach_the_client() {
    for revision in Revision::ALL {
        for tool in ["fail_internally", "boom", "boom_inline", "boom_later"] {
            let response = DispatcherClient::in_revision(revision).call(tool, json!({}));
            assert_eq!(response["result"]["isError"], true);
            let text = response.to_string();
            for secret in ["secret", "is 42", "panic", ".rs"] {
                assert!(!text.contains(secret), "{tool}: {text}");
            }
            assert!(
                text.contains("error "),
                "{tool} gives an id to look for: {text}"
            );
        }
    }
}

#[test]
fn mask_errors_hides_tool_errors() {
    let server = Server::new("tests", "1").mask_errors();
    let text =
        DispatcherClient::connect(server, Revision::V2025_11_25).call_text("fail", json!({}));
    assert!(text.contains("not shown"), "{text}");
    assert!(!text.contains("digit"), "{text}");
}

#[test]
fn unknown_tool_is_invalid_params_with_the_nearest_names() {
    for revision in Revision::ALL {
        let response = DispatcherClient::in_revision(revision).call("mirrror", json!({}));
        assert_contains(
            &response,
            &json!({ "error": { "code": -32602, "data": { "nearest": ["mirror"] } } }),
        );
        assert!(
            response["error"]["message"]
                .as_str()
                .unwrap()
                .contains("`mirror`")
        );
    }
}

#[test]
fn call_without_a_tool_name_is_invalid_params() {
    for revision in Revision::ALL {
        let mut client = DispatcherClient::in_revision(revision);
        for params in [json!({}), json!({ "name": 1 })] {
            let response = client.request("tools/call", params);
            assert_contains(&response, &json!({ "error": { "code": -32602 } }));
        }
    }
}
