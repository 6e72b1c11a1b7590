//! The table of methods is open.

use mcp_runtime::jsonrpc::{ErrorCode, ErrorObject};
use mcp_runtime::{MethodCall, Next, Server};
use serde_json::{Map, Value, json};

use crate::talk::{ALL, Talk, assert_contains};

#[test]
fn a_method_can_be_added() {
    for revision in ALL {
        let server =
            Server::new("tests", "1").method("example/echo", |call: MethodCall| async move {
                let params = call.params.unwrap_or_default();
                if params["fail"] == true {
                    return Err(ErrorObject::new(ErrorCode(-31_000), "no"));
                }
                Ok(Map::from_iter([(
                    "got".to_owned(),
                    params["value"].clone(),
                )]))
            });
        let mut talk = Talk::with(server, revision);
        let answer = talk.ask("example/echo", json!({ "value": [1] }));
        assert_contains(&answer, &json!({ "result": { "got": [1] } }));
        let is_modern = answer["result"].get("resultType").is_some();
        assert_eq!(is_modern, !revision.is_legacy());
        let answer = talk.ask("example/echo", json!({ "fail": true }));
        assert_contains(
            &answer,
            &json!({ "error": { "code": -31_000, "message": "no" } }),
        );
    }
}

#[test]
fn a_method_that_panics_is_one_failed_request() {
    for revision in ALL {
        let server = Server::new("tests", "1")
            .method("example/at_once", |_: MethodCall| -> Answered {
                panic!("planted")
            })
            .method("example/first", |_: MethodCall| async { panic!("planted") })
            .method("example/later", |_: MethodCall| async {
                tokio::task::yield_now().await;
                panic!("planted")
            })
            .wrap_method("tools/list", |_, _| async { panic!("planted") });
        let mut talk = Talk::with(server, revision);
        for method in [
            "example/at_once",
            "example/first",
            "example/later",
            "tools/list",
        ] {
            let answer = talk.ask(method, json!({}));
            assert_contains(&answer, &json!({ "error": { "code": -32603 } }));
            assert!(!answer.to_string().contains("planted"));
        }
        talk.ask("prompts/list", json!({}));
    }
}

type Answered = std::future::Ready<Result<Map<String, Value>, ErrorObject>>;

#[test]
fn a_method_can_be_wrapped() {
    for revision in ALL {
        let wrapper = |call: MethodCall, next: Next| async move {
            let mut result = next.run(call).await?;
            result.insert("_meta".to_owned(), json!({ "example/wrapped": true }));
            Ok(result)
        };
        let server = Server::new("tests", "1")
            .wrap_method("tools/list", wrapper)
            .wrap_method("tools/call", wrapper)
            .wrap_method("nonsense", wrapper);
        let mut talk = Talk::with(server, revision);
        let wrapped = json!({ "result": { "_meta": { "example/wrapped": true } } });
        let listed = talk.ask("tools/list", json!({}));
        assert_contains(&listed, &wrapped);
        assert!(listed["result"]["tools"].as_array().unwrap().len() > 10);
        for tool in ["add", "block", "sleep"] {
            let called = talk.call(tool, json!({ "a": 1, "millis": 1 }));
            assert_contains(&called, &wrapped);
        }
        let unknown = talk.ask("nonsense", json!({}));
        assert_contains(&unknown, &json!({ "error": { "code": -32601 } }));
    }
}
