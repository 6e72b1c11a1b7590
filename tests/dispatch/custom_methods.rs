//! Custom methods, and wrappers around built-in ones.

use mcp_runtime::Server;
use mcp_runtime::dispatch::{MethodCall, NextMethod};
use mcp_runtime::jsonrpc::{ErrorCode, ErrorObject};
use serde_json::{Map, Value, json};
use support::wire::Revision;

use support::dispatcher_client::{DispatcherClient, assert_contains};

#[test]
fn custom_method_is_served() {
    for revision in Revision::ALL {
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
        let mut client = DispatcherClient::connect(server, revision);
        let response = client.request("example/echo", json!({ "value": [1] }));
        assert_contains(&response, &json!({ "result": { "got": [1] } }));
        let is_modern = response["result"].get("resultType").is_some();
        assert_eq!(is_modern, !revision.is_legacy());
        let response = client.request("example/echo", json!({ "fail": true }));
        assert_contains(
            &response,
            &json!({ "error": { "code": -31_000, "message": "no" } }),
        );
    }
}

#[test]
fn panicking_method_fails_only_its_request() {
    for revision in Revision::ALL {
        let server = Server::new("tests", "1")
            .method("example/at_once", |_: MethodCall| -> ReadyResult {
                panic!("planted")
            })
            .method("example/first", |_: MethodCall| async { panic!("planted") })
            .method("example/later", |_: MethodCall| async {
                tokio::task::yield_now().await;
                panic!("planted")
            })
            .wrap_method("tools/list", |_, _| async { panic!("planted") });
        let mut client = DispatcherClient::connect(server, revision);
        for method in [
            "example/at_once",
            "example/first",
            "example/later",
            "tools/list",
        ] {
            let response = client.request(method, json!({}));
            assert_contains(&response, &json!({ "error": { "code": -32603 } }));
            assert!(!response.to_string().contains("planted"));
        }
        client.request("unknown/method", json!({}));
    }
}

type ReadyResult = std::future::Ready<Result<Map<String, Value>, ErrorObject>>;

#[test]
fn method_can_be_wrapped() {
    for revision in Revision::ALL {
        let wrapper = |call: MethodCall, next: NextMethod| async move {
            let mut result = next.run(call).await?;
            result.insert("_meta".to_owned(), json!({ "example/wrapped": true }));
            Ok(result)
        };
        let server = Server::new("tests", "1")
            .wrap_method("tools/list", wrapper)
            .wrap_method("tools/call", wrapper)
            .wrap_method("nonsense", wrapper);
        let mut client = DispatcherClient::connect(server, revision);
        let wrapped = json!({ "result": { "_meta": { "example/wrapped": true } } });
        let listed = client.request("tools/list", json!({}));
        assert_contains(&listed, &wrapped);
        assert!(listed["result"]["tools"].as_array().unwrap().len() > 10);
        for tool in ["add", "block", "sleep"] {
            let called = client.call(tool, json!({ "a": 1, "millis": 1 }));
            assert_contains(&called, &wrapped);
        }
        let unknown = client.request("nonsense", json!({}));
        assert_contains(&unknown, &json!({ "error": { "code": -32601 } }));
    }
}
