//! Requests that stay in flight, and the steps of a test with them.

use mcp_runtime::Value;
use mcp_runtime::prelude::*;
use mcp_runtime::protocol::Revision;
use proptest::prelude::*;
use serde_json::json;

/// Completes after yielding.
#[tool]
async fn soon() -> String {
    tokio::task::yield_now().await;
    "soon".to_owned()
}

/// Never completes.
#[tool]
async fn never() -> String {
    std::future::pending().await
}

/// Runs on a blocking thread.
#[tool]
fn blocking() -> String {
    "blocked".to_owned()
}

/// Panics after yielding.
#[tool]
async fn panics() -> String {
    tokio::task::yield_now().await;
    panic!("on purpose")
}

/// Never completes.
#[prompt]
async fn pending_prompt() -> String {
    std::future::pending().await
}

/// Completes after yielding.
#[resource("later://{id}")]
async fn later(id: String) -> String {
    tokio::task::yield_now().await;
    id
}

/// A request that stays in flight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum InFlightRequest {
    Tool(&'static str),
    Prompt,
    Resource,
    Listen,
}

impl InFlightRequest {
    pub(crate) fn completes(self) -> bool {
        !matches!(self, Self::Tool("never") | Self::Prompt | Self::Listen)
    }

    pub(crate) fn message(self, id: &Value, revision: Revision) -> Value {
        let (method, mut params) = match self {
            Self::Tool(name) => ("tools/call", json!({ "name": name })),
            Self::Prompt => ("prompts/get", json!({ "name": "pending_prompt" })),
            Self::Resource => ("resources/read", json!({ "uri": "later://x" })),
            Self::Listen => ("subscriptions/listen", json!({ "notifications": {} })),
        };
        if revision.is_modern() {
            params["_meta"] = json!({
                "io.modelcontextprotocol/protocolVersion": revision.as_str(),
                "io.modelcontextprotocol/clientCapabilities": {},
            });
        }
        json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
    }
}

#[derive(Clone, Debug)]
pub(crate) enum Step {
    Call(Value, InFlightRequest),
    Batch(Vec<(Value, InFlightRequest)>),
    Cancel(Value),
    CancelAll,
    Finish(prop::sample::Index),
    FinishHere(prop::sample::Index),
    Drop(prop::sample::Index),
}

pub(crate) fn step() -> impl Strategy<Value = Step> {
    let id = || prop::sample::select(vec![json!(1), json!("1"), json!(2)]);
    let request = || {
        let tools = ["soon", "never", "blocking", "panics"].map(InFlightRequest::Tool);
        prop_oneof![
            4 => prop::sample::select(tools.to_vec()),
            1 => prop::sample::select(vec![InFlightRequest::Prompt, InFlightRequest::Resource, InFlightRequest::Listen]),
        ]
    };
    prop_oneof![
        4 => (id(), request()).prop_map(|(id, request)| Step::Call(id, request)),
        1 => prop::collection::vec((id(), request()), 1..4).prop_map(Step::Batch),
        2 => id().prop_map(Step::Cancel),
        1 => Just(Step::CancelAll),
        2 => any::<prop::sample::Index>().prop_map(Step::Finish),
        1 => any::<prop::sample::Index>().prop_map(Step::FinishHere),
        1 => any::<prop::sample::Index>().prop_map(Step::Drop),
    ]
}
