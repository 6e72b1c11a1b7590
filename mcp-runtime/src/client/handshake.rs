use serde::Deserialize;
use serde_json::{Value, json};

use super::connection::{Connection, notification};
use super::{Client, ClientError, Options};
use crate::jsonrpc::{ErrorCode, ErrorObject};
use crate::protocol::{ClientCapabilities, DiscoverResult, InitializeResult, Revision};

use std::sync::Arc;
use std::time::Duration;

/// How long a server may be silent when it is asked for the newest revision.
const PROBE: Duration = Duration::from_secs(10);

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
        if client.revision.is_modern() {
            client.connection.speak(client.revision);
        } else {
            client.initialize(wanted).await?;
        }
        Ok(client)
    }

    /// Looks for a stateless server that knows the newest revision.
    ///
    /// A protocol error, a refusal, silence, or an answer that is none says that
    /// there is none (specification of 2026-07-28, *Versioning*).
    async fn discover(&self) -> Result<Option<()>, ClientError> {
        let knows = |version: &String| version == self.revision.as_str();
        match self.probe().await {
            Ok(result) => {
                let result = DiscoverResult::deserialize(&result);
                let versions = result.map(|it| it.supported_versions).unwrap_or_default();
                Ok(versions.iter().any(knows).then_some(()))
            }
            // It says that it speaks what was refused, so the revision is settled.
            Err(ClientError::Protocol(error)) if supported(&error).iter().any(knows) => {
                Ok(self.probe().await.is_ok().then_some(()))
            }
            Err(error) if is_legacy(&error) => Ok(None),
            Err(error) => Err(error),
        }
    }

    async fn probe(&self) -> Result<Value, ClientError> {
        let timeout = self.options.timeout.min(PROBE);
        self.exchange_within("server/discover", json!({}), timeout)
            .await
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
        self.connection.speak(agreed);
        let told = notification("notifications/initialized", Value::Null);
        self.connection.tell(&told, self.options.timeout).await?;
        self.connection.link()?.listen();
        Ok(())
    }
}

/// Whether a server that answers so to `server/discover` may know sessions.
fn is_legacy(error: &ClientError) -> bool {
    match error {
        ClientError::Protocol(_) | ClientError::TimedOut(_) => true,
        // A caller who is not let in is no sign of age.
        ClientError::Http { status, .. } => {
            (400..500).contains(status) && ![401, 403, 407, 429].contains(status)
        }
        _ => false,
    }
}

/// What a server says that it speaks, when it refuses a revision.
fn supported(error: &ErrorObject) -> Vec<String> {
    let refused = error.code == ErrorCode::UNSUPPORTED_PROTOCOL_VERSION;
    let data = error.data.as_ref().filter(|_| refused);
    let supported = data.map(|data| Vec::deserialize(&data["supported"]));
    supported.and_then(Result::ok).unwrap_or_default()
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
