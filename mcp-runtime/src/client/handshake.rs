use serde::Deserialize;
use serde_json::{Value, json};

use super::connection::Connection;
use super::{Client, ClientError, Options};
use crate::protocol::{ClientCapabilities, DiscoverResult, InitializeResult, Revision};

use std::sync::Arc;

impl Client {
    /// Agrees on a revision, and shakes hands where it has a handshake.
    pub(super) async fn open(
        connection: Arc<Connection>,
        options: Options,
        wanted: Option<Revision>,
    ) -> Result<Self, ClientError> {
        let mut client = Self {
            connection,
            options: Arc::new(options),
            revision: wanted.unwrap_or(Revision::NEWEST),
        };
        if wanted.is_none() && client.discover().await?.is_none() {
            client.revision = Revision::NEWEST_LEGACY;
        }
        if !client.revision.is_modern() {
            client.initialize(wanted).await?;
        }
        client.connection.speak(client.revision);
        Ok(client)
    }

    /// Looks for a stateless server that knows the newest revision.
    ///
    /// A protocol error, or silence, says that there is none
    /// (specification of 2026-07-28, *Versioning*).
    async fn discover(&self) -> Result<Option<()>, ClientError> {
        match self.exchange("server/discover", json!({})).await {
            Ok(result) => {
                let result: DiscoverResult = serde_json::from_value(result)?;
                let knows = |version: &String| version == self.revision.as_str();
                Ok(result.supported_versions.iter().any(knows).then_some(()))
            }
            Err(ClientError::Protocol(_) | ClientError::TimedOut(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    async fn initialize(&mut self, wanted: Option<Revision>) -> Result<(), ClientError> {
        let params = json!({
            "protocolVersion": self.revision.as_str(),
            "capabilities": capabilities_at(self.revision, &self.options.capabilities),
            "clientInfo": self.options.info,
        });
        let result = self.exchange("initialize", params).await?;
        let offered = InitializeResult::deserialize(&result)?.protocol_version;
        let agreed = offered.parse().ok().filter(|revision: &Revision| {
            !revision.is_modern() && wanted.is_none_or(|wanted| wanted == *revision)
        });
        let Some(agreed) = agreed else {
            let asked = self.revision;
            return Err(ClientError::Revision { asked, offered });
        };
        self.revision = agreed;
        self.connection
            .send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }))
    }
}

/// What a revision lets a client declare.
pub(super) fn capabilities_at(revision: Revision, declared: &ClientCapabilities) -> Value {
    let mut declared = declared.clone();
    if !revision.is_modern() {
        declared.extensions = None;
    }
    if revision < Revision::V2025_11_25 {
        let forms =
            |modes: &crate::protocol::JsonObject| modes.is_empty() || modes.contains_key("form");
        declared.elicitation = declared
            .elicitation
            .filter(|modes| forms(modes) && revision >= Revision::V2025_06_18)
            .map(|_| Default::default());
        declared.sampling = declared.sampling.map(|_| Default::default());
    }
    json!(declared)
}
