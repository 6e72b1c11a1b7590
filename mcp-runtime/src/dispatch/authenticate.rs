use std::future::poll_fn;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use super::dispatcher::Dispatcher;
use crate::audit::{AuditDecision, AuditOutcome, AuditRecord, now, with_redacted_panics};
use crate::auth::{Challenge, Principal, ResourceMetadata, TokenValidator};
use crate::call::{self, correlation_id};
use crate::context::TransportKind;
use crate::error::Error;

/// The timeout of a token validator.
const VALIDATOR_TIMEOUT: Duration = Duration::from_secs(30);

/// The environment variable that holds the token of the local user.
const TOKEN: &str = "MCP_TOKEN";

impl Dispatcher {
    /// Returns the principal of `token`, or `None` if the server has no token validator.
    ///
    /// A transport calls this for each message before it reads the body. The server writes an audit
    /// record for each rejected token.
    ///
    /// ```
    /// # use mcp_runtime::Dispatcher;
    /// use mcp_runtime::dispatch::{Connection, TransportKind};
    ///
    /// # async fn example(dispatcher: Dispatcher) -> Option<Connection> {
    /// let caller = dispatcher.authenticate(Some("token"), None, TransportKind::Memory).await;
    /// let connection = Connection::new();
    /// match caller {
    ///     Ok(Some(principal)) => Some(connection.with_principal(principal)),
    ///     Ok(None) => Some(connection),
    ///     Err(_challenge) => None,
    /// }
    /// # }
    /// ```
    ///
    /// # Errors
    /// Returns a challenge if the token is missing or invalid. The transport sends it with HTTP
    /// status 401.
    pub async fn authenticate(
        &self,
        token: Option<&str>,
        address: Option<SocketAddr>,
        transport: TransportKind,
    ) -> Result<Option<Arc<Principal>>, Challenge> {
        let access_control = &self.core().server.access_control;
        let Some(validator) = &access_control.validator else {
            return Ok(None);
        };
        let Some(token) = token else {
            return Err(self.with_resource_metadata(Challenge::no_token()));
        };
        let principal = validate(validator.as_ref(), token, address).await;
        match principal.filter(|principal| !principal.id.is_empty()) {
            Some(principal) => Ok(Some(Arc::new(principal))),
            None => {
                self.record_rejected_token(address, transport);
                Err(self.with_resource_metadata(Challenge::invalid_token()))
            }
        }
    }

    /// Returns the protected resource metadata of the server (RFC 9728), if it is configured.
    #[must_use]
    pub fn resource_metadata(&self) -> Option<&ResourceMetadata> {
        self.core().server.access_control.resource_metadata.as_ref()
    }

    /// Adds the protected resource metadata of this server to a challenge.
    pub(crate) fn with_resource_metadata(&self, challenge: Challenge) -> Challenge {
        match self.resource_metadata() {
            Some(metadata) => challenge.metadata(metadata),
            None => challenge,
        }
    }

    /// Returns the principal of the token in the environment variable `MCP_TOKEN`, if it is set.
    pub(crate) async fn authenticate_local_user(
        &self,
        transport: TransportKind,
    ) -> Result<Option<Arc<Principal>>, Error> {
        let Ok(token) = std::env::var(TOKEN) else {
            return Ok(None);
        };
        let principal = self.authenticate(Some(&token), None, transport).await;
        principal.map_err(|_| Error::InvalidLocalToken(TOKEN))
    }

    fn record_rejected_token(&self, address: Option<SocketAddr>, transport: TransportKind) {
        let audit = &self.core().server.audit;
        let Some(omitted) = audit.admit_rejected_token() else {
            return;
        };
        let correlation_id = correlation_id();
        let mut detail = match address {
            Some(address) => format!("from {address}"),
            None => String::new(),
        };
        if omitted > 0 {
            detail.push_str(&format!("; {omitted} more were not recorded"));
        }
        tracing::warn!(
            target: "mcp_runtime::audit",
            outcome = AuditOutcome::BadToken.as_str(), correlation_id,
            "a token was rejected {detail}"
        );
        if !audit.has_sinks() {
            return;
        }
        audit.write(&AuditRecord {
            version: 1,
            time: now(&self.core().server.clock),
            correlation_id,
            request_id: None,
            method: "",
            name: String::new(),
            principal: None,
            transport,
            revision: None,
            arguments: Value::Null,
            digest: None,
            coerced: Vec::new(),
            decision: AuditDecision::Withheld,
            outcome: AuditOutcome::BadToken,
            duration_micros: 0,
            bytes: None,
            detail,
        });
    }
}

/// Validates a token. If the validator panics or exceeds its timeout, the token is rejected.
async fn validate(
    validator: &dyn TokenValidator,
    token: &str,
    address: Option<SocketAddr>,
) -> Option<Principal> {
    let guarded = async {
        let validated = call::catch_panic_async(|| {
            let mut validating = with_redacted_panics(|| validator.validate(token, address));
            poll_fn(move |task| with_redacted_panics(|| validating.as_mut().poll(task)))
        });
        validated.await.unwrap_or_else(|_| {
            tracing::error!("the token validator panicked");
            None
        })
    };
    let validated = tokio::time::timeout(VALIDATOR_TIMEOUT, guarded).await;
    validated
        .inspect_err(|_| {
            tracing::error!("the token validator took more than {VALIDATOR_TIMEOUT:?}");
        })
        .ok()
        .flatten()
}
