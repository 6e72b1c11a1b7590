use mcp_runtime::Server;
use serde_json::{Value, json};
use wire::Revision;

use crate::talk::{ALL, Talk, assert_contains};

fn check(tool: &str, arguments: Value, expected: impl Fn(Revision) -> Value) {
    for revision in ALL {
        let answer = Talk::in_revision(revision).call(tool, arguments.clone());
        assert_contains(&answer["result"], &expected(revision));
    }
}

#[test]
fn a_value_comes_structured_and_as_text() {
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
fn older_revisions_get_no_structured_content() {
    for revision in [Revision::V2024_11_05, Revision::V2025_03_26] {
        let answer = Talk::in_revision(revision).call("add", json!({ "a": 1 }));
        assert_eq!(
            answer["result"],
            json!({ "content": [{ "type": "text", "text": "2" }] })
        );
    }
}

#[test]
fn every_way_of_running_gives_its_result() {
    let text = |text: &str| json!({ "content": [{ "type": "text", "text": text }] });
    check("sleep", json!({ "millis": 1 }), |_| text("slept"));
    check("block", json!({ "millis": 1 }), |_| text("blocked"));
    check("optional", json!({ "n": 1 }), |_| text("Some(1) None"));
    check("nothing", json!({}), |_| json!({ "content": [] }));
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
fn blocks_that_a_revision_lacks_become_text() {
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
fn an_error_of_the_tool_is_a_result_that_the_model_reads() {
    check("fail", json!({}), |_| {
        let text = "invalid digit found in string";
        json!({ "isError": true, "content": [{ "type": "text", "text": text }] })
    });
}

#[test]
fn a_hidden_cause_and_a_panic_never_reach_the_client() {
    for revision in ALL {
        for tool in ["fail_internally", "boom", "boom_inline", "boom_later"] {
            let answer = Talk::in_revision(revision).call(tool, json!({}));
            assert_eq!(answer["result"]["isError"], true);
            let text = answer.to_string();
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
fn masked_errors_are_hidden_too() {
    let server = Server::new("tests", "1").mask_errors();
    let text = Talk::with(server, Revision::V2025_11_25).text_of_call("fail", json!({}));
    assert!(text.contains("not shown"), "{text}");
    assert!(!text.contains("digit"), "{text}");
}

#[test]
fn an_unknown_tool_is_a_protocol_error_with_the_nearest_names() {
    for revision in ALL {
        let answer = Talk::in_revision(revision).call("mirrror", json!({}));
        assert_contains(
            &answer,
            &json!({ "error": { "code": -32602, "data": { "nearest": ["mirror"] } } }),
        );
        assert!(
            answer["error"]["message"]
                .as_str()
                .unwrap()
                .contains("`mirror`")
        );
    }
}

#[test]
fn what_is_no_call_is_a_protocol_error() {
    for revision in ALL {
        let mut talk = Talk::in_revision(revision);
        for params in [json!({}), json!({ "name": 1 })] {
            let answer = talk.ask("tools/call", params);
            assert_contains(&answer, &json!({ "error": { "code": -32602 } }));
        }
    }
}
