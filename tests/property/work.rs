//! What stays in flight for a while, and what can happen to it.

use mcp_runtime::Value;
use mcp_runtime::prelude::*;
use mcp_runtime::protocol::Revision;
use proptest::prelude::*;
use serde_json::json;

/// Ends after a while.
#[tool]
async fn soon() -> String {
    tokio::task::yield_now().await;
    "soon".to_owned()
}

/// Never ends.
#[tool]
async fn never() -> String {
    std::future::pending().await
}

/// Runs on a thread.
#[tool]
fn blocking() -> String {
    "blocked".to_owned()
}

/// Panics after a while.
#[tool]
async fn panics() -> String {
    tokio::task::yield_now().await;
    panic!("on purpose")
}

/// Never gives its text.
#[prompt]
async fn withheld() -> String {
    std::future::pending().await
}

/// Takes a while.
#[resource("later://{id}")]
async fn later(id: String) -> String {
    tokio::task::yield_now().await;
    id
}

/// What stays in flight for a while, by what it does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Work {
    Tool(&'static str),
    Prompt,
    Resource,
    Listen,
}

impl Work {
    pub(crate) fn ends(self) -> bool {
        !matches!(self, Self::Tool("never") | Self::Prompt | Self::Listen)
    }

    pub(crate) fn request(self, id: &Value, revision: Revision) -> Value {
        let (method, mut params) = match self {
            Self::Tool(name) => ("tools/call", json!({ "name": name })),
            Self::Prompt => ("prompts/get", json!({ "name": "withheld" })),
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
    Call(Value, Work),
    Batch(Vec<(Value, Work)>),
    Cancel(Value),
    CancelAll,
    Finish(prop::sample::Index),
    FinishHere(prop::sample::Index),
    Drop(prop::sample::Index),
}

pub(crate) fn step() -> impl Strategy<Value = Step> {
    let id = || prop::sample::select(vec![json!(1), json!("1"), json!(2)]);
    let work = || {
        let tools = ["soon", "never", "blocking", "panics"].map(Work::Tool);
        prop_oneof![
            4 => prop::sample::select(tools.to_vec()),
            1 => prop::sample::select(vec![Work::Prompt, Work::Resource, Work::Listen]),
        ]
    };
    prop_oneof![
        4 => (id(), work()).prop_map(|(id, work)| Step::Call(id, work)),
        1 => prop::collection::vec((id(), work()), 1..4).prop_map(Step::Batch),
        2 => id().prop_map(Step::Cancel),
        1 => Just(Step::CancelAll),
        2 => any::<prop::sample::Index>().prop_map(Step::Finish),
        1 => any::<prop::sample::Index>().prop_map(Step::FinishHere),
        1 => any::<prop::sample::Index>().prop_map(Step::Drop),
    ]
}
