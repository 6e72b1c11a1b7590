//! The examples with input requests, through the client of the runtime.

#[allow(dead_code, reason = "an example has its own `main`")]
#[path = "../examples/booking.rs"]
mod booking;
#[path = "../examples/everything/forms.rs"]
mod forms;
#[path = "../examples/everything/input_requests.rs"]
mod input_requests;

use mcp_runtime::client::Direction;
use mcp_runtime::protocol::{CreateMessageResult, ElicitResult, Revision, Root};
use mcp_runtime::{Client, ClientError, Server};
use serde_json::{Value, json};
use support::checked_client::{checked_client, with_default_answers};

const FORMS: [Revision; 3] = [
    Revision::V2025_06_18,
    Revision::V2025_11_25,
    Revision::V2026_07_28,
];

#[tokio::test]
async fn booking_works_in_every_revision_with_forms() {
    for revision in FORMS {
        let (builder, log) = checked_client(revision);
        let builder = builder.elicit(|form| async move {
            match form.message.starts_with("Where") {
                true => ElicitResult::accept([("destination", "Paris")]),
                false => ElicitResult::accept([("book", form.message.contains("to Paris"))]),
            }
        });
        let client = builder.connect(server()).await.unwrap();
        let text: String = client.call("book_train", ()).await.unwrap();
        assert!(text.ends_with("to Paris is booked."), "{revision}: {text}");
        log.assert_valid();

        let (builder, _) = checked_client(revision);
        let builder = builder.elicit(|_| async { ElicitResult::decline() });
        let client = builder.connect(server()).await.unwrap();
        let text: String = client.call("book_train", ()).await.unwrap();
        assert_eq!(text, "Nothing was booked.", "{revision}");
    }
}

fn server() -> mcp_runtime::Dispatcher {
    Server::new("examples", "1.2.3").build().unwrap()
}

async fn modern() -> Client {
    let (builder, _) = checked_client(Revision::V2026_07_28);
    with_default_answers(builder)
        .connect(server())
        .await
        .unwrap()
}

/// Calls a tool once; returns its input requests and its request state.
async fn input_requests(tool: &str) -> (Value, Value) {
    let client = modern().await;
    let result = client
        .request_once("tools/call", json!({ "name": tool }))
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
async fn input_requests_match_the_conformance_suite() {
    let check = async |tool: &str, key: &str, kind: &str, text: &str| {
        let (requests, _) = input_requests(&format!("test_input_required_result_{tool}")).await;
        assert!(
            requests[key]["method"].as_str().unwrap().starts_with(kind),
            "{requests}"
        );
        assert!(requests[key].to_string().contains(text), "{requests}");
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
async fn every_tool_with_input_requests_completes() {
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
async fn prompt_uses_the_elicited_answer() {
    let client = modern().await;
    let params = json!({ "name": "test_input_required_result_prompt" });
    let requests = client
        .request_once("prompts/get", params.clone())
        .await
        .unwrap();
    let request = &requests["inputRequests"]["user_context"]["params"];
    assert_eq!(request["message"], "What context should the prompt use?");
    let prompt = client.request("prompts/get", params).await.unwrap();
    assert_eq!(prompt["messages"][0]["content"]["text"], "Consider Alice.");
}

#[tokio::test]
async fn client_capabilities_decide_which_input_is_requested() {
    let (builder, log) = checked_client(Revision::V2026_07_28);
    let builder = builder.sample(|_| async { Ok(CreateMessageResult::text("Bob", "echo")) });
    let client = builder.connect(server()).await.unwrap();
    let text: String = client
        .call("test_input_required_result_capabilities", ())
        .await
        .unwrap();
    assert_eq!(text, "Hello, Bob!");
    let requests = log.sent_by(Direction::ToClient, "");
    let requests = &requests[0]["result"]["inputRequests"];
    assert_eq!(requests["name"]["method"], "sampling/createMessage");

    let (builder, _) = checked_client(Revision::V2026_07_28);
    let client = builder.roots([Root::new("file:///work")]);
    let client = client.connect(server()).await.unwrap();
    let rejected = client.call::<Value>("test_missing_capability", ()).await;
    let Err(ClientError::Protocol(error)) = rejected else {
        panic!("{rejected:?}");
    };
    assert_eq!(error.code.0, -32021);
    assert!(error.data.unwrap()["requiredCapabilities"]["sampling"].is_object());
}

#[tokio::test]
async fn forms_match_the_conformance_suite() {
    let fields = async |tool: &str, key: &str| {
        let (requests, _) = input_requests(tool).await;
        requests[key]["params"]["requestedSchema"]["properties"].clone()
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
