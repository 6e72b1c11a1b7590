//! Servers to be guarded, and clients that are somebody.

use std::sync::{Arc, LazyLock, Mutex};

use mcp_runtime::audit::AuditRecord;
use mcp_runtime::auth::Principal;
use mcp_runtime::protocol::Revision;
use mcp_runtime::{Client, Server};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use crate::talk::{Log, checked};

pub(crate) static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| Runtime::new().unwrap());

/// A server that knows nobody by a token: callers are given in the test.
pub(crate) fn server() -> Server {
    Server::new("tests", "1.0.0").authenticate(|_: String, _| async { None })
}

/// Everything that is written down.
#[derive(Clone, Default)]
pub(crate) struct Book(Arc<Mutex<Vec<AuditRecord>>>);

impl Book {
    pub(crate) fn kept(&self, server: Server) -> Server {
        let records = Arc::clone(&self.0);
        server.audit(move |record: &AuditRecord| {
            records.lock().unwrap().push(record.clone());
            Ok(())
        })
    }

    pub(crate) fn records(&self) -> Vec<AuditRecord> {
        self.0.lock().unwrap().clone()
    }

    /// How the calls ended.
    pub(crate) fn outcomes(&self) -> Vec<&'static str> {
        let records = self.records();
        records
            .iter()
            .map(|record| record.outcome.as_str())
            .collect()
    }

    /// Whether the bodies were let run.
    pub(crate) fn decisions(&self) -> Vec<&'static str> {
        let records = self.records();
        records
            .iter()
            .map(|record| record.decision.as_str())
            .collect()
    }
}

/// A client that has those scopes.
pub(crate) async fn somebody(server: Server, revision: Revision, scopes: &[&str]) -> (Client, Log) {
    let (builder, log) = checked(revision);
    let alice = Principal::new("alice").with_scopes(scopes.iter().copied());
    let builder = builder.principal(alice);
    (builder.connect(server.build().unwrap()).await.unwrap(), log)
}

/// A client whom nobody knows.
pub(crate) async fn nobody(server: Server, revision: Revision) -> (Client, Log) {
    let (builder, log) = checked(revision);
    (builder.connect(server.build().unwrap()).await.unwrap(), log)
}

/// Calls, and gives the result, or the error with its code.
pub(crate) async fn call(client: &Client, tool: &str, arguments: Value) -> Result<Value, Value> {
    let params = json!({ "name": tool, "arguments": arguments });
    match client.request("tools/call", params).await {
        Ok(result) => Ok(result),
        Err(mcp_runtime::ClientError::Protocol(error)) => Err(json!(error)),
        Err(error) => panic!("{error}"),
    }
}

/// The text of a result, after whether it is an error.
pub(crate) async fn said(client: &Client, tool: &str, arguments: Value) -> (bool, String) {
    let result = call(client, tool, arguments).await.unwrap();
    let text = result["content"][0]["text"].as_str().unwrap_or_default();
    (result["isError"] == true, text.to_owned())
}
