use serde::Deserialize;
use serde_json::{Value, json};

use super::connection::ClientConnection;
use super::message::notification;
use super::{Client, ClientError, ClientOptions};
use crate::jsonrpc::{ErrorCode, ErrorObject};
use crate::protocol::{ClientCapabilities, DiscoverResult, InitializeResult, Revision};

use std::sync::Arc;
use std::time::Duration;

/// How long the client waits for the response to `server/discover`.
const DISCOVER_TIMEOUT: Duration = Duration::from_secs(10);

impl Client {
    /// Negotiates the protocol revision. Legacy revisions use the `initialize` handshake.
    pub(super) async fn open(
        connection: Arc<ClientConnection>,
        options: ClientOptions,
        requested: Option<Revision>,
    ) -> Result<Self, ClientError> {
        let mut client = Self {
            connection,
            options: Arc::new(options),
            revision: requested.unwrap_or(Revision::NEWEST),
        };
        if requested.is_none() && !client.discover().await? {
            client.revision = Revision::NEWEST_LEGACY;
        }
        if client.revision.is_modern() {
            client.connection.set_revision(client.revision);
        } else {
            client.initialize(requested).await?;
        }
        Ok(client)
    }

    /// Checks whether the server supports the revision of this client, with `server/discover`.
    ///
    /// Returns `false` if the server responds with a protocol error, rejects the HTTP request, does
    /// not respond, or sends an unexpected response (specification of 2026-07-28, *Versioning*).
    async fn discover(&self) -> Result<bool, ClientError> {
        let is_newest = |version: &String| version == self.revision.as_str();
        match self.send_discover().await {
            Ok(result) => {
                let result = DiscoverResult::deserialize(&result);
                let versions = result.map(|it| it.supported_versions).unwrap_or_default();
                Ok(versions.iter().any(is_newest))
            }
            // The server rejected a revision that it lists as supported, so try once more.
            Err(ClientError::Protocol(error))
                if supported_versions(&error).iter().any(is_newest) =>
            {
                Ok(self.send_discover().await.is_ok())
            }
            Err(error) if is_legacy(&error) => Ok(false),
            Err(error) => Err(error),
        }
    }

    async fn send_discover(&self) -> Result<Value, ClientError> {
        let timeout = self.options.timeout.min(DISCOVER_TIMEOUT);
        self.request_within("server/discover", json!({}), timeout)
            .await
    }

    async fn initialize(&mut self, requested: Option<Revision>) -> Result<(), ClientError> {
        let params = json!({
            "protocolVersion": self.revision.as_str(),
            "capabilities": capabilities_at(self.revision, &self.options.capabilities),
            "clientInfo": self.options.info,
        });
        let result = self.request_once("initialize", params).await?;
        let offered = InitializeResult::deserialize(&result)?.protocol_version;
        let agreed = offered.parse().ok().filter(|revision: &Revision| {
            !revision.is_modern() && requested.is_none_or(|requested| requested == *revision)
        });
        let Some(agreed) = agreed else {
            let requested = self.revision;
            return Err(ClientError::UnsupportedRevision { requested, offered });
        };
        self.revision = agreed;
        self.connection.set_revision(agreed);
        let initialized = notification("notifications/initialized", Value::Null);
        let timeout = self.options.timeout;
        self.connection.send_and_wait(&initialized, timeout).await?;
        self.connection.transport()?.listen();
        Ok(())
    }
}

/// Checks whether a server that responds to `server/discover` with this error may be a legacy
/// server.
fn is_legacy(error: &ClientError) -> bool {
    match error {
        ClientError::Protocol(_) | ClientError::TimedOut(_) => true,
        // Servers of every revision use the excluded statuses, for example if the caller lacks
        // permission.
        ClientError::Http { status, .. } => {
            (400..500).contains(status) && ![401, 403, 407, 429].contains(status)
        }
        _ => false,
    }
}

/// Returns the supported revisions that the server lists in an error about an unsupported revision.
fn supported_versions(error: &ErrorObject) -> Vec<String> {
    let is_rejected = error.code == ErrorCode::UNSUPPORTED_PROTOCOL_VERSION;
    let data = error.data.as_ref().filter(|_| is_rejected);
    let supported = data.map(|data| Vec::deserialize(&data["supported"]));
    supported.and_then(Result::ok).unwrap_or_default()
}

/// Returns the declared capabilities in the format of a revision, without capabilities that the
/// revision does not define.
pub(super) fn capabilities_at(revision: Revision, declared: &ClientCapabilities) -> Value {
    let mut declared = declared.clone();
    if !revision.is_modern() {
        declared.extensions = None;
    }
    if revision < Revision::V2025_11_25 {
        let has_forms =
            |modes: &crate::protocol::JsonObject| modes.is_empty() || modes.contains_key("form");
        declared.elicitation = declared
            .elicitation
            .filter(|modes| has_forms(modes) && revision >= Revision::V2025_06_18)
            .map(|_| Default::default());
        declared.sampling = declared.sampling.map(|_| Default::default());
    }
    json!(declared)
}
