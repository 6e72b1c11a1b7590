//! Forms and URLs of elicitation, as each revision defines them.

use mcp_runtime::client::Direction;
use mcp_runtime::protocol::{ElicitResult, Revision};
use serde_json::{Value, json};

use crate::gate::server;
use support::checked_client::{checked_client, with_default_answers};

async fn elicitation_params(revision: Revision, tool: &str) -> Value {
    let (builder, log) = checked_client(revision);
    let client = with_default_answers(builder)
        .connect(server().build().unwrap())
        .await
        .unwrap();
    client.call_tool(tool, ()).await.unwrap();
    let requests = log.sent_by(Direction::ToClient, "elicitation/create");
    let embedded = log.sent_by(Direction::ToClient, "");
    let request = requests.first().unwrap_or_else(|| {
        let result = embedded
            .iter()
            .find(|it| it["result"]["inputRequests"].is_object());
        let requests = result.unwrap()["result"]["inputRequests"]
            .as_object()
            .unwrap();
        requests.values().next().unwrap()
    });
    request["params"].clone()
}

#[tokio::test]
async fn form_has_every_kind_of_field() {
    for revision in [Revision::V2025_11_25, Revision::V2026_07_28] {
        let params = elicitation_params(revision, "everything").await;
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
async fn form_of_2025_06_18_uses_enum_names_and_fewer_defaults() {
    let params = elicitation_params(Revision::V2025_06_18, "everything").await;
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
async fn multiple_choice_is_an_array() {
    let params = elicitation_params(Revision::V2026_07_28, "several").await;
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
async fn only_2025_11_25_has_an_elicitation_id() {
    let named = elicitation_params(Revision::V2025_11_25, "page").await;
    assert!(named["elicitationId"].is_string());
    assert_eq!(named["mode"], "url");
    let unnamed = elicitation_params(Revision::V2026_07_28, "page").await;
    assert_eq!(unnamed.get("elicitationId"), None);
    assert_eq!(unnamed["url"], "https://example.com/sign-in");
}

#[tokio::test]
async fn custom_form_schema_is_sent_as_is_and_its_answer_checked() {
    for revision in [
        Revision::V2025_06_18,
        Revision::V2025_11_25,
        Revision::V2026_07_28,
    ] {
        let answers = |count: Value| {
            let (builder, log) = checked_client(revision);
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
        log.assert_valid();
        let (builder, _) = answers(json!(4));
        let client = builder.connect(server().build().unwrap()).await.unwrap();
        let rejected = client
            .call::<Value>("form_by_hand", form)
            .await
            .unwrap_err();
        assert!(rejected.to_string().contains("does not fit"), "{rejected}");
    }
}

#[tokio::test]
async fn invalid_form_or_url_is_not_sent() {
    let (builder, log) = checked_client(Revision::V2026_07_28);
    let client = with_default_answers(builder)
        .connect(server().build().unwrap())
        .await
        .unwrap();
    let nested = json!({ "type": "object", "properties": { "a": { "type": "object" } } });
    let rejected = client.call::<Value>("form_by_hand", json!({ "form": nested }));
    let rejected = rejected.await.unwrap_err().to_string();
    assert!(rejected.contains("its field `a`"), "{rejected}");
    for url in [
        "",
        "example.com",
        "https://",
        "https://example.com/a b",
        "1a://b",
    ] {
        let rejected = client.call::<Value>("open", json!({ "url": url })).await;
        let rejected = rejected.unwrap_err().to_string();
        assert!(rejected.contains("is not a URL"), "{url}: {rejected}");
    }
    let opened = json!({ "url": "https://example.com/a?b=c#d" });
    let opened: String = client.call("open", opened).await.unwrap();
    assert_eq!(opened, "Accepted(())");
    log.assert_valid();
}

#[tokio::test]
async fn undeclared_sampling_context_is_not_requested() {
    for revision in [Revision::V2025_11_25, Revision::V2026_07_28] {
        let (builder, log) = checked_client(revision);
        let client = with_default_answers(builder)
            .connect(server().build().unwrap())
            .await
            .unwrap();
        let _: String = client.call("with_context", ()).await.unwrap();
        let messages = json!(log.messages().iter().map(|(_, it)| it).collect::<Vec<_>>());
        assert!(!messages.to_string().contains("allServers"), "{revision}");
    }
}
