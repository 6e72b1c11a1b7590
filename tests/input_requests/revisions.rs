//! Input requests in every revision and over every transport.

use mcp_runtime::ClientError;
use mcp_runtime::client::Direction;
use mcp_runtime::protocol::Revision;
use serde_json::{Value, json};

use crate::gate::server;
use support::checked_client::{
    ClientTransport, checked_client, connect_over, with_default_answers,
};

const MODERN: Revision = Revision::V2026_07_28;
/// Revisions with forms.
const FORMS: [Revision; 3] = [Revision::V2025_06_18, Revision::V2025_11_25, MODERN];

async fn check(revision: Revision, tool: &str, expected: &str) {
    for transport in ClientTransport::ALL {
        check_over(transport, revision, tool, expected).await;
    }
}

async fn check_over(transport: ClientTransport, revision: Revision, tool: &str, expected: &str) {
    let (builder, log) = checked_client(revision);
    let client = connect_over(transport, with_default_answers(builder), server()).await;
    let text: String = match client.call(tool, ()).await {
        Ok(text) => text,
        Err(ClientError::Tool(text)) => text,
        Err(error) => panic!("{transport:?} {revision}: {error}"),
    };
    assert!(
        text.contains(expected),
        "{transport:?} {revision} {tool}: {text}"
    );
    log.assert_valid();
}

#[tokio::test]
async fn handler_gets_its_answers_in_every_revision() {
    for revision in FORMS {
        check(revision, "two_questions", "Alice likes Alice").await;
        check(revision, "same_twice", "true").await;
        check(revision, "everything", "age: 7").await;
        check(revision, "everything", "way: Train, meal: Some(Meat)").await;
    }
}

#[tokio::test]
async fn joined_input_requests_share_one_round() {
    for transport in ClientTransport::ALL {
        for revision in FORMS {
            check(revision, "together", "Some(\"Alice\") Some(\"received").await;
        }
        let (builder, log) = checked_client(MODERN);
        let client = connect_over(transport, with_default_answers(builder), server()).await;
        let _: String = client.call("together", ()).await.unwrap();
        assert_eq!(log.sent_by(Direction::ToServer, "tools/call").len(), 2);
        let first = &log.sent_by(Direction::ToClient, "")[0]["result"];
        let keys: Vec<_> = first["inputRequests"].as_object().unwrap().keys().collect();
        assert_eq!(keys, ["greeting", "roots", "user_name"]);
    }
}

#[tokio::test]
async fn sampling_and_roots_work_in_the_first_revision() {
    for revision in Revision::ALL {
        check(
            revision,
            "falls_back",
            if FORMS.contains(&revision) {
                "form"
            } else {
                "model"
            },
        )
        .await;
    }
}

#[tokio::test]
async fn newer_input_requests_need_a_newer_revision() {
    for revision in [Revision::V2025_11_25, MODERN] {
        check(revision, "several", "ways: [Train], meals: [Meat]").await;
        check(revision, "page", "Accepted(())").await;
        check(revision, "with_tools", "What is the weather?").await;
    }
    check(Revision::V2025_06_18, "several", "multiple choice in forms").await;
    check(Revision::V2025_06_18, "page", "elicitation.url").await;
    check(Revision::V2025_06_18, "with_tools", "sampling.tools").await;
    check(
        Revision::V2025_03_26,
        "two_questions",
        "its revision does not support forms",
    )
    .await;
}

#[tokio::test]
async fn once_computes_its_value_once() {
    for transport in ClientTransport::ALL {
        for revision in FORMS {
            let (builder, _) = checked_client(revision);
            let client = connect_over(transport, with_default_answers(builder), server()).await;
            let before = crate::tools::DRAWN.load(std::sync::atomic::Ordering::SeqCst);
            let number: u64 = client.call("keeps", ()).await.unwrap();
            let after = crate::tools::DRAWN.load(std::sync::atomic::Ordering::SeqCst);
            assert_eq!(after, before + 1, "{revision}");
            assert_eq!(number, 1000 + before as u64);
        }
    }
}

#[tokio::test]
async fn try_once_retries_after_an_error() {
    let (builder, log) = checked_client(MODERN);
    let client = with_default_answers(builder)
        .connect(server().build().unwrap())
        .await
        .unwrap();
    let failures = json!({ "failures": 1 });
    let text: String = client.call("keeps_at_last", failures).await.unwrap();
    // The first run fails and requests input; the second one succeeds and keeps its value.
    assert_eq!(text, "Ok(1) Ok(1)");
    log.assert_valid();
}

#[tokio::test]
async fn missing_client_capability_has_the_error_of_the_revision() {
    for transport in ClientTransport::ALL {
        for tool in ["wraps", "together", "two_questions"] {
            let (builder, log) = checked_client(MODERN);
            let client = connect_over(transport, builder, server()).await;
            let Err(ClientError::Protocol(error)) = client.call::<Value>(tool, ()).await else {
                panic!("{tool}");
            };
            assert_eq!(error.code.0, -32021);
            assert!(error.data.unwrap()["requiredCapabilities"].is_object());
            log.assert_valid();
        }
        let (builder, _) = checked_client(MODERN);
        let client = connect_over(transport, builder, server()).await;
        let other = client
            .call::<Value>("fails_otherwise", ())
            .await
            .unwrap_err();
        assert!(matches!(other, ClientError::Tool(text) if text == "the disk is full"));

        let (builder, log) = checked_client(Revision::V2025_11_25);
        let client = connect_over(transport, builder, server()).await;
        let legacy = client.call::<Value>("wraps", ()).await.unwrap_err();
        assert!(
            matches!(legacy, ClientError::Tool(text) if text.contains("does not declare `roots`"))
        );
        log.assert_valid();
    }
}

#[tokio::test]
async fn changed_input_request_is_an_error() {
    check(MODERN, "unsteady", "was asked before with another text").await;
    for revision in FORMS {
        check(
            revision,
            "one_key_twice",
            "was asked before with another text",
        )
        .await;
        check(revision, "deep", "its field `name` is not a string").await;
    }
}

#[tokio::test]
async fn client_limits_input_rounds() {
    for transport in ClientTransport::ALL {
        let (builder, log) = checked_client(MODERN);
        let client = connect_over(
            transport,
            with_default_answers(builder).max_input_rounds(3),
            server(),
        )
        .await;
        let error = client.call::<Value>("endless", ()).await.unwrap_err();
        assert!(
            matches!(error, ClientError::TooManyInputRounds(3)),
            "{error}"
        );
        assert_eq!(log.sent_by(Direction::ToServer, "tools/call").len(), 4);
    }
}

#[tokio::test]
async fn newest_common_revision_is_negotiated() {
    for transport in ClientTransport::ALL {
        let (builder, _) = checked_client(MODERN);
        let client = connect_over(transport, builder, server()).await;
        assert_eq!(client.revision(), MODERN);
        let unspecified = mcp_runtime::Client::builder();
        let client = connect_over(transport, unspecified, server()).await;
        assert_eq!(client.revision(), MODERN);

        let legacy_server = server().method("server/discover", |_| async {
            Err(mcp_runtime::jsonrpc::ErrorObject::new(
                mcp_runtime::jsonrpc::ErrorCode::METHOD_NOT_FOUND,
                "method not found",
            ))
        });
        let client = connect_over(transport, mcp_runtime::Client::builder(), legacy_server).await;
        assert_eq!(client.revision(), Revision::V2025_11_25);
        let sum: Value = json!(client.list_tools().await.unwrap().len());
        assert_ne!(sum, json!(0));
    }
}

#[tokio::test]
async fn prompts_and_resources_can_request_input() {
    for transport in ClientTransport::ALL {
        for revision in FORMS {
            let (builder, log) = checked_client(revision);
            let client = connect_over(transport, with_default_answers(builder), server()).await;
            let prompt = client.request("prompts/get", json!({ "name": "talk" }));
            let prompt = prompt.await.unwrap();
            assert_eq!(
                prompt["messages"][0]["content"]["text"],
                "Talk about Alice."
            );
            let uri = json!({ "uri": "test://secret/7" });
            let read = client.request("resources/read", uri).await.unwrap();
            assert_eq!(read["contents"][0]["text"], "Secret 7 of Alice");
            log.assert_valid();
        }
        let (builder, _) = checked_client(MODERN);
        let client = connect_over(transport, builder, server()).await;
        for (method, params) in [
            ("prompts/get", json!({ "name": "talk" })),
            ("resources/read", json!({ "uri": "test://secret/7" })),
        ] {
            let Err(ClientError::Protocol(error)) = client.request(method, params).await else {
                panic!("{method}");
            };
            assert_eq!(error.code.0, -32021, "{method}");
        }
    }
}

#[tokio::test]
async fn request_state_is_bound_to_its_method() {
    for transport in ClientTransport::ALL {
        let (builder, _) = checked_client(MODERN);
        let client = connect_over(transport, with_default_answers(builder), server()).await;
        let result = client
            .request_once("prompts/get", json!({ "name": "talk" }))
            .await
            .unwrap();
        let params = json!({ "uri": "test://secret/7", "requestState": result["requestState"] });
        let rejected = client.request_once("resources/read", params).await;
        assert!(matches!(rejected, Err(ClientError::Protocol(error)) if error.code.0 == -32602));
    }
}
