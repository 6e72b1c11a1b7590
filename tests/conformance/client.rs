//! The client that the official conformance suites start, with the actions of each scenario.
//!
//! usage: conformance-client URL, with the scenario in `MCP_CONFORMANCE_SCENARIO`

mod skills;

use std::error::Error;

use mcp_runtime::Client;
use mcp_runtime::client::ClientBuilder;
use mcp_runtime::protocol::{CreateMessageResult, ElicitResult, Root};
use serde_json::{Value, json};

type Outcome = Result<(), Box<dyn Error>>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Outcome {
    let url = std::env::args()
        .nth(1)
        .ok_or("usage: conformance-client URL")?;
    let scenario = std::env::var("MCP_CONFORMANCE_SCENARIO")?;
    // No revision is set: the client negotiates it.
    let client = builder().http(&url).await?;
    run_scenario(&scenario, &client).await?;
    client.close().await;
    Ok(())
}

/// A client that accepts every form with its defaults, and has a root and a model.
fn builder() -> ClientBuilder {
    let builder = Client::builder().roots([Root::new("file:///work")]);
    let builder = builder.sample(|_| async { Ok(CreateMessageResult::text("no", "none")) });
    builder.elicit(|form| async move {
        let fields = form.requested_schema["properties"].as_object();
        let filled = fields.into_iter().flatten().filter_map(|(name, field)| {
            let value = field.get("default").cloned();
            let value = value.or_else(|| (field["type"] == "boolean").then_some(Value::Bool(true)));
            Some((name.clone(), value?))
        });
        ElicitResult::accept(filled.collect::<Vec<_>>())
    })
}

async fn run_scenario(scenario: &str, client: &Client) -> Outcome {
    match scenario {
        "initialize" | "request-metadata" | "json-schema-ref-no-deref" => {
            client.list_tools().await?;
        }
        "tools_call" => {
            client.list_tools().await?;
            let sum = client
                .call_tool("add_numbers", [("a", 5), ("b", 3)])
                .await?;
            println!("{}", sum.first_text().unwrap_or_default());
        }
        "elicitation-sep1034-client-defaults" => {
            client
                .call_tool("test_client_elicitation_defaults", ())
                .await?;
        }
        "sse-retry" => {
            client.list_tools().await?;
            client.call_tool("test_reconnection", ()).await?;
        }
        "sep-2322-client-request-state" => call_with_request_states(client).await?,
        "http-standard-headers" => use_everything(client).await?,
        "http-custom-headers" => call_listed_in_context(client).await?,
        // Every listed tool must be callable.
        "http-invalid-tool-headers" => {
            for tool in client.list_tools().await? {
                client
                    .call_tool(&tool.name, json!({ "region": "here" }))
                    .await?;
            }
        }
        "json-schema-2020-12-preservation" => echo_schema(client).await?,
        "sep-2640-client-no-prefetch" => {
            skills::list(client).await?;
        }
        verified if verified.starts_with("sep-2640-client-verify-") => {
            skills::load_none(client).await?;
        }
        other => return Err(format!("the scenario `{other}` is not known").into()),
    }
    Ok(())
}

async fn echo_schema(client: &Client) -> Outcome {
    let tools = client.list_tools().await?;
    let focal = tools
        .iter()
        .find(|it| it.name == "json_schema_2020_12_tool");
    let schema = &focal.ok_or("the tool is not listed")?.input_schema;
    let arguments = json!({ "schema": schema });
    client.call_tool("json_schema_echo", arguments).await?;
    Ok(())
}

async fn call_with_request_states(client: &Client) -> Outcome {
    client.list_tools().await?;
    let (echo, unrelated) = tokio::join!(
        client.call_tool("test_mrtr_echo_state", ()),
        client.call_tool("test_mrtr_unrelated", ()),
    );
    echo?;
    unrelated?;
    client.call_tool("test_mrtr_no_state", ()).await?;
    client.call_tool("test_mrtr_no_result_type", ()).await?;
    Ok(())
}

async fn use_everything(client: &Client) -> Outcome {
    for tool in client.list_tools().await? {
        client.call_tool(&tool.name, ()).await?;
    }
    for resource in client.list_resources().await? {
        let params = json!({ "uri": resource.uri });
        client.request("resources/read", params).await?;
    }
    for prompt in client.list_prompts().await? {
        let params = json!({ "name": prompt.name });
        client.request("prompts/get", params).await?;
    }
    Ok(())
}

/// Calls the tools of the scenario with its arguments.
async fn call_listed_in_context(client: &Client) -> Outcome {
    client.list_tools().await?;
    let context: Value = serde_json::from_str(&std::env::var("MCP_CONFORMANCE_CONTEXT")?)?;
    let calls = context["toolCalls"].as_array();
    for call in calls.ok_or("the scenario names no calls")? {
        let name = call["name"].as_str().ok_or("a call has no name")?;
        client.call_tool(name, call["arguments"].clone()).await?;
    }
    Ok(())
}
