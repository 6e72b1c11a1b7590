//! What a client of 2026-07-28 may send back, and what it may not.

use mcp_runtime::auth::Principal;
use mcp_runtime::protocol::Revision;
use mcp_runtime::{Client, ClientError};
use serde_json::{Value, json};

use crate::gate::server;
use crate::talk::{Log, checked, obliging};

async fn client() -> (Client, Log) {
    let (builder, log) = checked(Revision::V2026_07_28);
    let client = obliging(builder)
        .connect(server().build().unwrap())
        .await
        .unwrap();
    (client, log)
}

async fn call(client: &Client, more: Value) -> Result<Value, ClientError> {
    let mut params = json!({ "name": "two_questions", "arguments": {} });
    for (name, value) in more.as_object().unwrap() {
        params[name] = value.clone();
    }
    client.exchange("tools/call", params).await
}

fn name(name: &str) -> Value {
    json!({ "step1": { "action": "accept", "content": { "name": name } } })
}

fn asks(result: &Value) -> Vec<&str> {
    assert_eq!(result["resultType"], "input_required", "{result}");
    let requests = result["inputRequests"].as_object().unwrap();
    requests.keys().map(String::as_str).collect()
}

#[tokio::test]
async fn earlier_answers_travel_in_the_state_alone() {
    let (client, log) = client().await;
    let first = call(&client, json!({})).await.unwrap();
    assert_eq!(asks(&first), ["step1"]);
    let state = &first["requestState"];
    let second = call(
        &client,
        json!({ "inputResponses": name("Bob"), "requestState": state }),
    )
    .await
    .unwrap();
    assert_eq!(asks(&second), ["step2"]);
    assert_ne!(second["requestState"], *state);
    assert!(
        second["inputRequests"]["step2"]["params"]["message"]
            .as_str()
            .unwrap()
            .contains("Bob")
    );
    let colour = json!({ "step2": { "action": "accept", "content": { "colour": "blue" } } });
    let last = call(
        &client,
        json!({ "inputResponses": colour, "requestState": second["requestState"] }),
    )
    .await
    .unwrap();
    assert_eq!(last["content"][0]["text"], "Bob likes blue");
    log.legal();
}

#[tokio::test]
async fn a_missing_answer_is_asked_for_again_and_an_unknown_one_ignored() {
    let (client, _) = client().await;
    let first = call(&client, json!({})).await.unwrap();
    let state = &first["requestState"];
    for responses in [json!({}), json!({ "wrong_key": { "action": "decline" } })] {
        let again = call(
            &client,
            json!({ "inputResponses": responses, "requestState": state }),
        );
        assert_eq!(asks(&again.await.unwrap()), ["step1"]);
    }
    let again = call(&client, json!({ "requestState": state }))
        .await
        .unwrap();
    assert_eq!(asks(&again), ["step1"]);
    let mut responses = name("Bob");
    responses["more"] = json!({ "action": "cancel" });
    responses["evenMore"] = json!({ "roots": [] });
    let without_state = call(&client, json!({ "inputResponses": responses }))
        .await
        .unwrap();
    assert_eq!(asks(&without_state), ["step2"]);
}

#[tokio::test]
async fn a_malformed_answer_is_invalid_params() {
    let (client, _) = client().await;
    let content = |content: Value| json!({ "step1": { "action": "accept", "content": content } });
    for responses in [
        json!(null),
        json!([]),
        json!("step1"),
        json!({ "step1": 12345 }),
        json!({ "step1": null }),
        json!({ "step1": {} }),
        json!({ "step1": { "action": "perhaps" } }),
        json!({ "step1": { "action": "accept" } }),
        content(json!({})),
        content(json!({ "name": 5 })),
        content(json!({ "name": "" })),
    ] {
        let refused = call(&client, json!({ "inputResponses": responses })).await;
        let Err(ClientError::Protocol(error)) = refused else {
            panic!("{responses} gave {refused:?}");
        };
        assert_eq!(error.code.0, -32602, "{responses}");
    }
    let more = content(json!({ "name": "Bob", "unasked": 1 }));
    let tolerated = call(&client, json!({ "inputResponses": more }))
        .await
        .unwrap();
    assert_eq!(asks(&tolerated), ["step2"]);
}

#[tokio::test]
async fn declining_and_cancelling_are_answers() {
    let (client, log) = client().await;
    for (action, expected) in [("decline", "no name"), ("cancel", "no name")] {
        let responses = json!({ "step1": { "action": action } });
        let result = call(&client, json!({ "inputResponses": responses }))
            .await
            .unwrap();
        assert_eq!(result["content"][0]["text"], expected);
    }
    log.legal();
}

#[tokio::test]
async fn a_state_is_good_for_its_own_request_only() {
    let (client, _) = client().await;
    let first = call(&client, json!({})).await.unwrap();
    let state = first["requestState"].as_str().unwrap();
    let refused = async |params: Value| {
        let Err(ClientError::Protocol(error)) = client.exchange("tools/call", params).await else {
            panic!("taken");
        };
        assert_eq!(error.code.0, -32602);
        assert!(error.message.contains("requestState"), "{error}");
    };
    for tampered in [
        json!(format!("{state}-TAMPERED")),
        json!(state[1..]),
        json!(""),
        json!(null),
        json!(7),
        json!("A".repeat(70_000)),
    ] {
        refused(json!({ "name": "two_questions", "arguments": {}, "requestState": tampered }))
            .await;
    }
    refused(json!({ "name": "two_questions", "arguments": { "x": 1 }, "requestState": state }))
        .await;
    refused(json!({ "name": "together", "arguments": {}, "requestState": state })).await;
    let same = json!({ "name": "two_questions", "requestState": state });
    assert!(client.exchange("tools/call", same).await.is_ok());

    let (elsewhere, _) = self::client().await;
    let foreign = json!({ "name": "two_questions", "requestState": state });
    let refused = elsewhere.exchange("tools/call", foreign).await.unwrap_err();
    assert!(matches!(refused, ClientError::Protocol(error) if error.code.0 == -32602));
}

#[tokio::test]
async fn a_state_is_good_for_who_was_asked_only() {
    let dispatcher = server().build().unwrap();
    let as_who = async |who: Option<&str>| {
        let (mut builder, _) = checked(Revision::V2026_07_28);
        if let Some(id) = who {
            builder = builder.principal(Principal::new(id));
        }
        let connected = obliging(builder).connect(dispatcher.clone());
        connected.await.unwrap()
    };
    let alice = as_who(Some("alice")).await;
    let first = call(&alice, json!({})).await.unwrap();
    let state = json!({ "inputResponses": name("Bob"), "requestState": first["requestState"] });
    for stranger in [as_who(Some("bob")).await, as_who(None).await] {
        let refused = call(&stranger, state.clone()).await;
        assert!(matches!(refused, Err(ClientError::Protocol(error)) if error.code.0 == -32602));
    }
    assert_eq!(asks(&call(&alice, state).await.unwrap()), ["step2"]);
}

#[tokio::test]
async fn an_answer_that_comes_twice_is_two_requests() {
    let (client, log) = client().await;
    let first = call(&client, json!({})).await.unwrap();
    let answer = json!({ "inputResponses": name("Bob"), "requestState": first["requestState"] });
    for _ in 0..2 {
        // Each is a request of its own, which the state alone tells how to go on.
        assert_eq!(
            asks(&call(&client, answer.clone()).await.unwrap()),
            ["step2"]
        );
    }
    log.legal();
}

#[tokio::test]
async fn an_old_state_is_refused() {
    let (builder, _) = checked(Revision::V2026_07_28);
    let dispatcher = server()
        .patience(std::time::Duration::ZERO)
        .build()
        .unwrap();
    let client = obliging(builder).connect(dispatcher).await.unwrap();
    let first = call(&client, json!({})).await.unwrap();
    let late = call(&client, json!({ "requestState": first["requestState"] })).await;
    assert!(matches!(late, Err(ClientError::Protocol(error)) if error.code.0 == -32602));
}
