//! The same handlers through every revision.

use mcp_runtime::protocol::Revision;
use mcp_runtime::{ClientError, Side};
use serde_json::{Value, json};

use crate::gate::server;
use crate::talk::{WAYS, Way, checked, connect, obliging};

const MODERN: Revision = Revision::V2026_07_28;
/// Those that have forms.
const FORMS: [Revision; 3] = [Revision::V2025_06_18, Revision::V2025_11_25, MODERN];

async fn check(revision: Revision, tool: &str, expected: &str) {
    for way in WAYS {
        check_over(way, revision, tool, expected).await;
    }
}

async fn check_over(way: Way, revision: Revision, tool: &str, expected: &str) {
    let (builder, log) = checked(revision);
    let client = connect(way, obliging(builder), server()).await;
    let text: String = match client.call(tool, ()).await {
        Ok(text) => text,
        Err(ClientError::Tool(text)) => text,
        Err(error) => panic!("{way:?} {revision}: {error}"),
    };
    assert!(text.contains(expected), "{way:?} {revision} {tool}: {text}");
    log.legal();
}

#[tokio::test]
async fn a_handler_gets_its_answers_in_every_revision() {
    for revision in FORMS {
        check(revision, "two_questions", "Alice likes Alice").await;
        check(revision, "same_twice", "true").await;
        check(revision, "everything", "age: 7").await;
        check(revision, "everything", "way: Train, meal: Some(Meat)").await;
    }
}

#[tokio::test]
async fn several_questions_go_out_in_one_round() {
    for way in WAYS {
        for revision in FORMS {
            check(revision, "together", "Some(\"Alice\") Some(\"heard").await;
        }
        let (builder, log) = checked(MODERN);
        let client = connect(way, obliging(builder), server()).await;
        let _: String = client.call("together", ()).await.unwrap();
        assert_eq!(log.said(Side::Client, "tools/call").len(), 2);
        let first = &log.said(Side::Server, "")[0]["result"];
        let keys: Vec<_> = first["inputRequests"].as_object().unwrap().keys().collect();
        assert_eq!(keys, ["greeting", "roots", "user_name"]);
    }
}

#[tokio::test]
async fn models_and_roots_are_asked_in_the_first_revision_too() {
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
async fn newer_questions_are_asked_where_the_revision_has_them() {
    for revision in [Revision::V2025_11_25, MODERN] {
        check(revision, "several", "ways: [Train], meals: [Meat]").await;
        check(revision, "page", "Accepted(())").await;
        check(revision, "with_tools", "What is the weather?").await;
    }
    check(Revision::V2025_06_18, "several", "no choice of several").await;
    check(Revision::V2025_06_18, "page", "elicitation.url").await;
    check(Revision::V2025_06_18, "with_tools", "sampling.tools").await;
    check(
        Revision::V2025_03_26,
        "two_questions",
        "its revision has no forms",
    )
    .await;
}

#[tokio::test]
async fn a_kept_value_is_made_once() {
    for way in WAYS {
        for revision in FORMS {
            let (builder, _) = checked(revision);
            let client = connect(way, obliging(builder), server()).await;
            let before = crate::tools::DRAWN.load(std::sync::atomic::Ordering::SeqCst);
            let number: u64 = client.call("keeps", ()).await.unwrap();
            let after = crate::tools::DRAWN.load(std::sync::atomic::Ordering::SeqCst);
            assert_eq!(after, before + 1, "{revision}");
            assert_eq!(number, 1000 + before as u64);
        }
    }
}

#[tokio::test]
async fn a_value_that_could_not_be_made_is_tried_again() {
    let (builder, log) = checked(MODERN);
    let client = obliging(builder)
        .connect(server().build().unwrap())
        .await
        .unwrap();
    let failures = json!({ "failures": 1 });
    let text: String = client.call("keeps_at_last", failures).await.unwrap();
    // The first run fails to draw and asks; the second one draws, and keeps that.
    assert_eq!(text, "Ok(1) Ok(1)");
    log.legal();
}

#[tokio::test]
async fn a_missing_capability_is_an_error_in_the_words_of_the_revision() {
    for way in WAYS {
        for tool in ["wraps", "together", "two_questions"] {
            let (builder, log) = checked(MODERN);
            let client = connect(way, builder, server()).await;
            let Err(ClientError::Protocol(error)) = client.call::<Value>(tool, ()).await else {
                panic!("{tool}");
            };
            assert_eq!(error.code.0, -32021);
            assert!(error.data.unwrap()["requiredCapabilities"].is_object());
            log.legal();
        }
        let (builder, _) = checked(MODERN);
        let client = connect(way, builder, server()).await;
        let other = client
            .call::<Value>("fails_otherwise", ())
            .await
            .unwrap_err();
        assert!(matches!(other, ClientError::Tool(text) if text == "the disk is full"));

        let (builder, log) = checked(Revision::V2025_11_25);
        let client = connect(way, builder, server()).await;
        let legacy = client.call::<Value>("wraps", ()).await.unwrap_err();
        assert!(
            matches!(legacy, ClientError::Tool(text) if text.contains("does not declare `roots`"))
        );
        log.legal();
    }
}

#[tokio::test]
async fn a_handler_that_asks_otherwise_is_told_so() {
    check(MODERN, "unsteady", "was asked before with another text").await;
    for revision in FORMS {
        check(
            revision,
            "one_key_twice",
            "was asked before with another text",
        )
        .await;
        check(revision, "deep", "its field `name` is no string").await;
    }
}

#[tokio::test]
async fn a_client_gives_up_on_a_server_that_never_stops_asking() {
    for way in WAYS {
        let (builder, log) = checked(MODERN);
        let client = connect(way, obliging(builder).max_rounds(3), server()).await;
        let error = client.call::<Value>("endless", ()).await.unwrap_err();
        assert!(matches!(error, ClientError::TooManyRounds(3)), "{error}");
        assert_eq!(log.said(Side::Client, "tools/call").len(), 4);
    }
}

#[tokio::test]
async fn the_newest_revision_that_both_know_is_spoken() {
    for way in WAYS {
        let (builder, _) = checked(MODERN);
        let client = connect(way, builder, server()).await;
        assert_eq!(client.revision(), MODERN);
        let unspecified = mcp_runtime::Client::builder();
        let client = connect(way, unspecified, server()).await;
        assert_eq!(client.revision(), MODERN);

        let old = server().method("server/discover", |_| async {
            Err(mcp_runtime::jsonrpc::ErrorObject::new(
                mcp_runtime::jsonrpc::ErrorCode::METHOD_NOT_FOUND,
                "method not found",
            ))
        });
        let client = connect(way, mcp_runtime::Client::builder(), old).await;
        assert_eq!(client.revision(), Revision::V2025_11_25);
        let sum: Value = json!(client.list_tools().await.unwrap().len());
        assert_ne!(sum, json!(0));
    }
}

#[tokio::test]
async fn prompts_and_resources_ask_as_tools_do() {
    for way in WAYS {
        for revision in FORMS {
            let (builder, log) = checked(revision);
            let client = connect(way, obliging(builder), server()).await;
            let prompt = client.request("prompts/get", json!({ "name": "talk" }));
            let prompt = prompt.await.unwrap();
            assert_eq!(
                prompt["messages"][0]["content"]["text"],
                "Talk about Alice."
            );
            let uri = json!({ "uri": "test://secret/7" });
            let read = client.request("resources/read", uri).await.unwrap();
            assert_eq!(read["contents"][0]["text"], "Secret 7 of Alice");
            log.legal();
        }
        let (builder, _) = checked(MODERN);
        let client = connect(way, builder, server()).await;
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
async fn a_state_of_one_method_is_nothing_to_another() {
    for way in WAYS {
        let (builder, _) = checked(MODERN);
        let client = connect(way, obliging(builder), server()).await;
        let asked = client
            .exchange("prompts/get", json!({ "name": "talk" }))
            .await
            .unwrap();
        let params = json!({ "uri": "test://secret/7", "requestState": asked["requestState"] });
        let refused = client.exchange("resources/read", params).await;
        assert!(matches!(refused, Err(ClientError::Protocol(error)) if error.code.0 == -32602));
    }
}
