//! Servers with authentication, an audit log in memory, and clients with or without a principal.

use std::sync::{Arc, LazyLock, Mutex};

use mcp_runtime::audit::AuditRecord;
use mcp_runtime::auth::Principal;
use mcp_runtime::protocol::Revision;
use mcp_runtime::{Client, Server};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use crate::checked_client::{MessageLog, checked_client};

/// The runtime of tests that are not async.
pub static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| Runtime::new().unwrap());

/// A server that rejects every bearer token: tests set the principal of the connection.
pub fn server() -> Server {
    Server::new("tests", "1.0.0").authenticate(|_: String, _| async { None })
}

/// The code of an error in the form of a revision: those up to 2025-11-25 have other numbers.
pub fn error_code(code: i64, revision: Revision) -> i64 {
    match code {
        -31401 if !revision.is_modern() => -32001,
        -31403 if !revision.is_modern() => -32003,
        -31429 if !revision.is_modern() => -32000,
        code => code,
    }
}

/// The audit records of a server.
#[derive(Clone, Default)]
pub struct AuditLog(Arc<Mutex<Vec<AuditRecord>>>);

impl AuditLog {
    /// Adds an audit sink to `server` that writes to this log.
    pub fn record(&self, server: Server) -> Server {
        let records = Arc::clone(&self.0);
        server.audit(move |record: &AuditRecord| {
            records.lock().unwrap().push(record.clone());
            Ok(())
        })
    }

    /// All records so far.
    pub fn records(&self) -> Vec<AuditRecord> {
        self.0.lock().unwrap().clone()
    }

    /// The outcome of each record.
    pub fn outcomes(&self) -> Vec<&'static str> {
        let records = self.records();
        records
            .iter()
            .map(|record| record.outcome.as_str())
            .collect()
    }

    /// The consent decision of each record.
    pub fn decisions(&self) -> Vec<&'static str> {
        let records = self.records();
        records
            .iter()
            .map(|record| record.decision.as_str())
            .collect()
    }
}

/// Connects a client whose principal is `alice` with these scopes.
pub async fn alice_with_scopes(
    server: Server,
    revision: Revision,
    scopes: &[&str],
) -> (Client, MessageLog) {
    let (builder, log) = checked_client(revision);
    let alice = Principal::new("alice").with_scopes(scopes.iter().copied());
    let builder = builder.principal(alice);
    (builder.connect(server.build().unwrap()).await.unwrap(), log)
}

/// Connects a client without a principal.
pub async fn anonymous_client(server: Server, revision: Revision) -> (Client, MessageLog) {
    let (builder, log) = checked_client(revision);
    (builder.connect(server.build().unwrap()).await.unwrap(), log)
}

/// Calls a tool and returns its result, or the JSON-RPC error.
pub async fn call_tool(client: &Client, tool: &str, arguments: Value) -> Result<Value, Value> {
    let params = json!({ "name": tool, "arguments": arguments });
    match client.request("tools/call", params).await {
        Ok(result) => Ok(result),
        Err(mcp_runtime::ClientError::Protocol(error)) => Err(json!(error)),
        Err(error) => panic!("{error}"),
    }
}

/// Calls a tool and returns whether the result is an error, and its text.
pub async fn call_text(client: &Client, tool: &str, arguments: Value) -> (bool, String) {
    let result = call_tool(client, tool, arguments).await.unwrap();
    let text = result["content"][0]["text"].as_str().unwrap_or_default();
    (result["isError"] == true, text.to_owned())
}
