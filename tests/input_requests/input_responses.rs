//! `inputResponses` and `requestState` of 2026-07-28.

use mcp_runtime::auth::Principal;
use mcp_runtime::protocol::Revision;
use mcp_runtime::{Client, ClientError};
use serde_json::{Value, json};

use crate::gate::server;
use support::checked_client::{MessageLog, checked_client, with_default_answers};

async fn client() -> (Client, MessageLog) {
    let (builder, log) = checked_client(Revision::V2026_07_28);
    let client = with_default_answers(builder)
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
    client.request_once("tools/call", params).await
}

fn name(name: &str) -> Value {
    json!({ "step1": { "action": "accept", "content": { "name": name } } })
}

fn requested_keys(result: &Value) -> Vec<&str> {
    assert_eq!(result["resultType"], "input_required", "{result}");
    let requests = result["inputRequests"].as_object().unwrap();
    requests.keys().map(String::as_str).collect()
}

#[tokio::test]
async fn earlier_answers_are_kept_in_the_request_state() {
    let (client, log) = client().await;
    let first = call(&client, json!({})).await.unwrap();
    assert_eq!(requested_keys(&first), ["step1"]);
    let state = &first["requestState"];
    let second = call(
        &client,
        json!({ "inputResponses": name("Bob"), "requestState": state }),
    )
    .await
    .unwrap();
    assert_eq!(requested_keys(&second), ["step2"]);
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
    log.assert_valid();
}

#[tokio::test]
async fn missing_answer_is_requested_again_and_unknown_one_ignored() {
    let (client, _) = client().await;
    let first = call(&client, json!({})).await.unwrap();
    let state = &first["requestState"];
    for responses in [json!({}), json!({ "wrong_key": { "action": "decline" } })] {
        let again = call(
            &client,
            json!({ "inputResponses": responses, "requestState": state }),
        );
        assert_eq!(requested_keys(&again.await.unwrap()), ["step1"]);
    }
    let again = call(&client, json!({ "requestState": state }))
        .await
        .unwrap();
    assert_eq!(requested_keys(&again), ["step1"]);
    let mut responses = name("Bob");
    responses["more"] = json!({ "action": "cancel" });
    responses["evenMore"] = json!({ "roots": [] });
    let without_state = call(&client, json!({ "inputResponses": responses }))
        .await
        .unwrap();
    assert_eq!(requested_keys(&without_state), ["step2"]);
}

#[tokio::test]
async fn malformed_answer_is_invalid_params() {
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
        let rejected = call(&client, json!({ "inputResponses": responses })).await;
        let Err(ClientError::Protocol(error)) = rejected else {
            panic!("{responses} gave {rejected:?}");
        };
        assert_eq!(error.code.0, -32602, "{responses}");
    }
    let more = content(json!({ "name": "Bob", "unknown": 1 }));
    let result = call(&client, json!({ "inputResponses": more }))
        .await
        .unwrap();
    assert_eq!(requested_keys(&result), ["step2"]);
}

#[tokio::test]
async fn decline_and_cancel_are_answers() {
    let (client, log) = client().await;
    for (action, expected) in [("decline", "no name"), ("cancel", "no name")] {
        let responses = json!({ "step1": { "action": action } });
        let result = call(&client, json!({ "inputResponses": responses }))
            .await
            .unwrap();
        assert_eq!(result["content"][0]["text"], expected);
    }
    log.assert_valid();
}

#[tokio::test]
async fn request_state_is_bound_to_its_request() {
    let (client, _) = client().await;
    let first = call(&client, json!({})).await.unwrap();
    let state = first["requestState"].as_str().unwrap();
    let rejected = async |params: Value| {
        let Err(ClientError::Protocol(error)) = client.request_once("tools/call", params).await
        else {
            panic!("accepted");
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
        rejected(json!({ "name": "two_questions", "arguments": {}, "requestState": tampered }))
            .await;
    }
    rejected(json!({ "name": "two_questions", "arguments": { "x": 1 }, "requestState": state }))
        .await;
    rejected(json!({ "name": "together", "arguments": {}, "requestState": state })).await;
    let same = json!({ "name": "two_questions", "requestState": state });
    assert!(client.request_once("tools/call", same).await.is_ok());

    let (elsewhere, _) = self::client().await;
    let foreign = json!({ "name": "two_questions", "requestState": state });
    let rejected = elsewhere
        .request_once("tools/call", foreign)
        .await
        .unwrap_err();
    assert!(matches!(rejected, ClientError::Protocol(error) if error.code.0 == -32602));
}

#[tokio::test]
async fn request_state_is_bound_to_its_principal() {
    let dispatcher = server().build().unwrap();
    let client_of = async |principal: Option<&str>| {
        let (mut builder, _) = checked_client(Revision::V2026_07_28);
        if let Some(id) = principal {
            builder = builder.principal(Principal::new(id));
        }
        let connected = with_default_answers(builder).connect(dispatcher.clone());
        connected.await.unwrap()
    };
    let alice = client_of(Some("alice")).await;
    let first = call(&alice, json!({})).await.unwrap();
    let state = json!({ "inputResponses": name("Bob"), "requestState": first["requestState"] });
    for other in [client_of(Some("bob")).await, client_of(None).await] {
        let rejected = call(&other, state.clone()).await;
        assert!(matches!(rejected, Err(ClientError::Protocol(error)) if error.code.0 == -32602));
    }
    assert_eq!(
        requested_keys(&call(&alice, state).await.unwrap()),
        ["step2"]
    );
}

#[tokio::test]
async fn repeated_answer_is_a_separate_request() {
    let (client, log) = client().await;
    let first = call(&client, json!({})).await.unwrap();
    let answer = json!({ "inputResponses": name("Bob"), "requestState": first["requestState"] });
    for _ in 0..2 {
        // Each is a separate request, which the state alone continues.
        assert_eq!(
            requested_keys(&call(&client, answer.clone()).await.unwrap()),
            ["step2"]
        );
    }
    log.assert_valid();
}

#[tokio::test]
async fn expired_request_state_is_rejected() {
    let (builder, _) = checked_client(Revision::V2026_07_28);
    let dispatcher = server()
        .input_timeout(std::time::Duration::ZERO)
        .build()
        .unwrap();
    let client = with_default_answers(builder)
        .connect(dispatcher)
        .await
        .unwrap();
    let first = call(&client, json!({})).await.unwrap();
    let late = call(&client, json!({ "requestState": first["requestState"] })).await;
    assert!(matches!(late, Err(ClientError::Protocol(error)) if error.code.0 == -32602));
}
