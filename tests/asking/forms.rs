//! What a person is asked, as each revision has it.

use mcp_runtime::Side;
use mcp_runtime::protocol::{ElicitResult, Revision};
use serde_json::{Value, json};

use crate::gate::server;
use crate::talk::{checked, obliging};

async fn asked(revision: Revision, tool: &str) -> Value {
    let (builder, log) = checked(revision);
    let client = obliging(builder)
        .connect(server().build().unwrap())
        .await
        .unwrap();
    client.call_tool(tool, ()).await.unwrap();
    let requests = log.said(Side::Server, "elicitation/create");
    let embedded = log.said(Side::Server, "");
    let request = requests.first().unwrap_or_else(|| {
        let asks = embedded
            .iter()
            .find(|it| it["result"]["inputRequests"].is_object());
        let requests = asks.unwrap()["result"]["inputRequests"]
            .as_object()
            .unwrap();
        requests.values().next().unwrap()
    });
    request["params"].clone()
}

#[tokio::test]
async fn a_form_has_every_kind_of_field() {
    for revision in [Revision::V2025_11_25, Revision::V2026_07_28] {
        let params = asked(revision, "everything").await;
        assert_eq!(params["message"], "All of it");
        assert_eq!(
            params["requestedSchema"],
            json!({
                "type": "object",
                "properties": {
                    "name": { "type": "string", "description": "A text.", "default": "Somebody" },
                    "age": { "type": "integer", "description": "A number.", "minimum": 0, "maximum": 150 },
                    "score": { "type": "number", "description": "A fraction." },
                    "sure": { "type": "boolean", "description": "Yes or no.", "default": false },
                    "way": {
                        "type": "string",
                        "description": "A titled choice.",
                        "oneOf": [
                            { "const": "train", "title": "By train" },
                            { "const": "plane", "title": "By plane" },
                        ],
                    },
                    "meal": {
                        "type": "string",
                        "description": "A plain choice.",
                        "enum": ["Meat", "Fish"],
                    },
                    "note": { "type": "string", "description": "Perhaps a text." },
                },
                "required": ["age", "score", "way"],
            })
        );
    }
}

#[tokio::test]
async fn an_older_form_names_its_titles_and_has_fewer_defaults() {
    let params = asked(Revision::V2025_06_18, "everything").await;
    let fields = &params["requestedSchema"]["properties"];
    assert_eq!(
        fields["name"],
        json!({ "type": "string", "description": "A text." })
    );
    assert_eq!(fields["sure"]["default"], false);
    assert_eq!(fields["way"]["enum"], json!(["train", "plane"]));
    assert_eq!(fields["way"]["enumNames"], json!(["By train", "By plane"]));
    assert_eq!(fields["way"].get("oneOf"), None);
}

#[tokio::test]
async fn a_choice_of_several_is_a_list() {
    let params = asked(Revision::V2026_07_28, "several").await;
    let fields = &params["requestedSchema"]["properties"];
    assert_eq!(
        fields["ways"],
        json!({
            "type": "array",
            "description": "Titled.",
            "items": { "anyOf": [
                { "const": "train", "title": "By train" },
                { "const": "plane", "title": "By plane" },
            ] },
        })
    );
    assert_eq!(
        fields["meals"],
        json!({
            "type": "array",
            "description": "Plain.",
            "minItems": 1,
            "maxItems": 2,
            "items": { "type": "string", "enum": ["Meat", "Fish"] },
        })
    );
}

#[tokio::test]
async fn only_one_revision_names_the_interaction_of_a_page() {
    let named = asked(Revision::V2025_11_25, "page").await;
    assert!(named["elicitationId"].is_string());
    assert_eq!(named["mode"], "url");
    let unnamed = asked(Revision::V2026_07_28, "page").await;
    assert_eq!(unnamed.get("elicitationId"), None);
    assert_eq!(unnamed["url"], "https://example.com/sign-in");
}

#[tokio::test]
async fn a_form_by_hand_is_asked_as_it_is_and_its_answer_checked() {
    for revision in [
        Revision::V2025_06_18,
        Revision::V2025_11_25,
        Revision::V2026_07_28,
    ] {
        let answers = |count: Value| {
            let (builder, log) = checked(revision);
            let builder = builder.elicit(move |_| {
                let count = count.clone();
                async move { ElicitResult::accept([("count", count)]) }
            });
            (builder, log)
        };
        let form = json!({
            "type": "object",
            "properties": { "count": { "type": "integer", "minimum": 1, "maximum": 3 } },
            "required": ["count"],
        });
        let (builder, log) = answers(json!(2));
        let client = builder.connect(server().build().unwrap()).await.unwrap();
        let form = json!({ "form": form });
        let text: String = client.call("form_by_hand", form.clone()).await.unwrap();
        assert!(text.contains("Number(2)"), "{text}");
        log.legal();
        let (builder, _) = answers(json!(4));
        let client = builder.connect(server().build().unwrap()).await.unwrap();
        let refused = client
            .call::<Value>("form_by_hand", form)
            .await
            .unwrap_err();
        assert!(refused.to_string().contains("does not fit"), "{refused}");
    }
}

#[tokio::test]
async fn what_is_no_form_or_no_page_is_not_asked() {
    let (builder, log) = checked(Revision::V2026_07_28);
    let client = obliging(builder)
        .connect(server().build().unwrap())
        .await
        .unwrap();
    let nested = json!({ "type": "object", "properties": { "a": { "type": "object" } } });
    let refused = client.call::<Value>("form_by_hand", json!({ "form": nested }));
    let refused = refused.await.unwrap_err().to_string();
    assert!(refused.contains("its field `a`"), "{refused}");
    for url in [
        "",
        "example.com",
        "https://",
        "https://example.com/a b",
        "1a://b",
    ] {
        let refused = client.call::<Value>("open", json!({ "url": url })).await;
        let refused = refused.unwrap_err().to_string();
        assert!(refused.contains("is no URL"), "{url}: {refused}");
    }
    let opened = json!({ "url": "https://example.com/a?b=c#d" });
    let opened: String = client.call("open", opened).await.unwrap();
    assert_eq!(opened, "Accepted(())");
    log.legal();
}

#[tokio::test]
async fn a_model_is_given_no_context_that_its_client_does_not_offer() {
    for revision in [Revision::V2025_11_25, Revision::V2026_07_28] {
        let (builder, log) = checked(revision);
        let client = obliging(builder)
            .connect(server().build().unwrap())
            .await
            .unwrap();
        let _: String = client.call("with_context", ()).await.unwrap();
        let said = json!(log.legal().iter().map(|(_, it)| it).collect::<Vec<_>>());
        assert!(!said.to_string().contains("allServers"), "{revision}");
    }
}
