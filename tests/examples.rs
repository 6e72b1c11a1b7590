//! The examples that ask, through the real client.

#[path = "../examples/everything/asking.rs"]
mod asking;
#[allow(dead_code, reason = "an example has a `main` of its own")]
#[path = "../examples/booking.rs"]
mod booking;
#[path = "../examples/everything/forms.rs"]
mod forms;
#[allow(dead_code, reason = "made for more tests than these")]
#[path = "asking/talk.rs"]
mod talk;

use mcp_runtime::protocol::{CreateMessageResult, ElicitResult, Revision, Root};
use mcp_runtime::{Client, ClientError, Server, Side};
use serde_json::{Value, json};
use talk::{checked, obliging};

const FORMS: [Revision; 3] = [
    Revision::V2025_06_18,
    Revision::V2025_11_25,
    Revision::V2026_07_28,
];

#[tokio::test]
async fn a_seat_is_booked_in_every_revision_that_has_forms() {
    for revision in FORMS {
        let (builder, log) = checked(revision);
        let builder = builder.elicit(|form| async move {
            match form.message.starts_with("Where") {
                true => ElicitResult::accept([("destination", "Paris")]),
                false => ElicitResult::accept([("book", form.message.contains("to Paris"))]),
            }
        });
        let client = builder.connect(server()).await.unwrap();
        let said: String = client.call("book_train", ()).await.unwrap();
        assert!(said.ends_with("to Paris is booked."), "{revision}: {said}");
        log.legal();

        let (builder, _) = checked(revision);
        let builder = builder.elicit(|_| async { ElicitResult::decline() });
        let client = builder.connect(server()).await.unwrap();
        let said: String = client.call("book_train", ()).await.unwrap();
        assert_eq!(said, "Nothing was booked.", "{revision}");
    }
}

fn server() -> mcp_runtime::Dispatcher {
    Server::new("examples", "1.2.3").build().unwrap()
}

async fn modern() -> Client {
    let (builder, _) = checked(Revision::V2026_07_28);
    obliging(builder).connect(server()).await.unwrap()
}

/// The first round of a tool: its questions and its state.
async fn asks(tool: &str) -> (Value, Value) {
    let client = modern().await;
    let result = client
        .exchange("tools/call", json!({ "name": tool }))
        .await
        .unwrap();
    assert_eq!(result["resultType"], "input_required", "{result}");
    assert!(result["requestState"].is_string());
    (
        result["inputRequests"].clone(),
        result["requestState"].clone(),
    )
}

#[tokio::test]
async fn the_questions_have_the_keys_and_texts_of_the_suite() {
    let check = async |tool: &str, key: &str, kind: &str, text: &str| {
        let (asked, _) = asks(&format!("test_input_required_result_{tool}")).await;
        assert!(
            asked[key]["method"].as_str().unwrap().starts_with(kind),
            "{asked}"
        );
        assert!(asked[key].to_string().contains(text), "{asked}");
    };
    let name = "What is your name?";
    check("elicitation", "user_name", "elicitation", name).await;
    check(
        "sampling",
        "capital_question",
        "sampling",
        "\"maxTokens\":100",
    )
    .await;
    check("list_roots", "client_roots", "roots", "params").await;
    check("request_state", "confirm", "elicitation", "Please confirm").await;
    check("multiple_inputs", "user_name", "elicitation", name).await;
    check("multiple_inputs", "greeting", "sampling", "a greeting").await;
    check("multiple_inputs", "client_roots", "roots", "").await;
    check("multi_round", "step1", "elicitation", "Step 1: What").await;
}

#[tokio::test]
async fn every_tool_that_asks_comes_to_an_end() {
    let client = modern().await;
    let tools = client.list_tools().await.unwrap();
    assert!(tools.len() > 10);
    for tool in tools {
        let arguments = json!({ "prompt": "Hello", "message": "Hello" });
        let wanted = tool.input_schema["properties"].as_object().unwrap();
        let arguments: Value = arguments
            .as_object()
            .unwrap()
            .iter()
            .filter(|(name, _)| wanted.contains_key(*name))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect::<serde_json::Map<_, _>>()
            .into();
        let result = client.call_tool(&tool.name, arguments).await.unwrap();
        assert!(!result.is_error, "{}: {:?}", tool.name, result.first_text());
    }
}

#[tokio::test]
async fn the_prompt_uses_what_the_person_names() {
    let client = modern().await;
    let params = json!({ "name": "test_input_required_result_prompt" });
    let asked = client
        .exchange("prompts/get", params.clone())
        .await
        .unwrap();
    let question = &asked["inputRequests"]["user_context"]["params"];
    assert_eq!(question["message"], "What context should the prompt use?");
    let prompt = client.request("prompts/get", params).await.unwrap();
    assert_eq!(prompt["messages"][0]["content"]["text"], "Consider Alice.");
}

#[tokio::test]
async fn what_the_client_declares_decides_what_is_asked() {
    let (builder, log) = checked(Revision::V2026_07_28);
    let builder = builder.sample(|_| async { Ok(CreateMessageResult::text("Bob", "echo")) });
    let client = builder.connect(server()).await.unwrap();
    let said: String = client
        .call("test_input_required_result_capabilities", ())
        .await
        .unwrap();
    assert_eq!(said, "Hello, Bob!");
    let asked = log.said(Side::Server, "");
    let asked = &asked[0]["result"]["inputRequests"];
    assert_eq!(asked["name"]["method"], "sampling/createMessage");

    let (builder, _) = checked(Revision::V2026_07_28);
    let client = builder.roots([Root::new("file:///work")]);
    let client = client.connect(server()).await.unwrap();
    let refused = client.call::<Value>("test_missing_capability", ()).await;
    let Err(ClientError::Protocol(error)) = refused else {
        panic!("{refused:?}");
    };
    assert_eq!(error.code.0, -32021);
    assert!(error.data.unwrap()["requiredCapabilities"]["sampling"].is_object());
}

#[tokio::test]
async fn the_forms_are_those_of_the_suite() {
    let fields = async |tool: &str, key: &str| {
        let (asked, _) = asks(tool).await;
        asked[key]["params"]["requestedSchema"]["properties"].clone()
    };
    let defaults = fields("test_elicitation_sep1034_defaults", "defaults").await;
    let expected = json!({ "name": "John Doe", "age": 30, "score": 95.5, "status": "active", "verified": true });
    for (name, default) in expected.as_object().unwrap() {
        assert_eq!(defaults[name]["default"], *default, "{name}");
    }
    assert_eq!(
        defaults["status"]["enum"],
        json!(["active", "inactive", "pending"])
    );

    let choices = fields("test_elicitation_sep1330_enums", "choices").await;
    let options = json!(["option1", "option2", "option3"]);
    assert_eq!(
        choices["untitledSingle"],
        json!({ "type": "string", "enum": options })
    );
    assert_eq!(
        choices["titledSingle"]["oneOf"][0],
        json!({ "const": "value1", "title": "First Option" })
    );
    assert_eq!(
        choices["legacyEnum"]["enumNames"].as_array().unwrap().len(),
        3
    );
    assert_eq!(
        choices["untitledMulti"]["items"],
        json!({ "type": "string", "enum": options })
    );
    assert_eq!(
        choices["titledMulti"]["items"]["anyOf"][0],
        json!({ "const": "value1", "title": "First Choice" })
    );
}
