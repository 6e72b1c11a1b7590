use std::future::poll_fn;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use super::Dispatcher;
use crate::audit::{AuditDecision, AuditOutcome, AuditRecord, discreetly, now};
use crate::auth::{Challenge, Principal, ResourceMetadata, TokenValidator};
use crate::call::{self, correlation_id};
use crate::context::Channel;
use crate::error::Error;

/// How long a validator may take.
const PATIENCE: Duration = Duration::from_secs(30);

/// Where the local user keeps a token.
const TOKEN: &str = "MCP_TOKEN";

impl Dispatcher {
    /// Who sent `token`, for transports; `None` where the server knows nobody.
    ///
    /// To be asked for every message, before its body is read. A token that is
    /// refused is written down in the audit log.
    ///
    /// # Errors
    /// What to answer with status 401 where the token is missing or not good.
    pub async fn authenticate(
        &self,
        token: Option<&str>,
        address: Option<SocketAddr>,
        channel: Channel,
    ) -> Result<Option<Arc<Principal>>, Challenge> {
        let guards = &self.core().service.guards;
        let Some(validator) = &guards.validator else {
            return Ok(None);
        };
        let Some(token) = token else {
            return Err(self.challenge(Challenge::no_token()));
        };
        match validated(validator.as_ref(), token, address).await {
            Some(principal) => Ok(Some(Arc::new(principal))),
            None => {
                self.write_bad_token(channel);
                Err(self.challenge(Challenge::invalid_token()))
            }
        }
    }

    /// What the server tells about itself as a protected resource, if it does.
    #[must_use]
    pub fn resource_metadata(&self) -> Option<&ResourceMetadata> {
        self.core().service.guards.metadata.as_ref()
    }

    /// The challenge with what this server says in all of them.
    pub(crate) fn challenge(&self, challenge: Challenge) -> Challenge {
        match self.resource_metadata() {
            Some(metadata) => challenge.metadata(metadata),
            None => challenge,
        }
    }

    /// Who the local user is, by the token in the environment.
    pub(crate) async fn local_user(
        &self,
        channel: Channel,
    ) -> Result<Option<Arc<Principal>>, Error> {
        let Ok(token) = std::env::var(TOKEN) else {
            return Ok(None);
        };
        let known = self.authenticate(Some(&token), None, channel).await;
        known.map_err(|_| Error::BadToken(TOKEN))
    }

    fn write_bad_token(&self, channel: Channel) {
        let correlation_id = correlation_id();
        tracing::warn!(
            target: "mcp_runtime::audit",
            outcome = AuditOutcome::BadToken.as_str(), correlation_id,
            "a token was refused"
        );
        let audit = &self.core().service.audit;
        if !audit.is_used() {
            return;
        }
        audit.write(&AuditRecord {
            version: 1,
            time: now(&self.core().service.clock),
            correlation_id,
            request_id: None,
            method: "",
            name: String::new(),
            principal: None,
            channel,
            revision: None,
            arguments: Value::Null,
            digest: None,
            coerced: Vec::new(),
            decision: AuditDecision::Withheld,
            outcome: AuditOutcome::BadToken,
            duration_micros: 0,
            bytes: None,
            detail: String::new(),
        });
    }
}

/// A validator that panics or hangs refuses.
async fn validated(
    validator: &dyn TokenValidator,
    token: &str,
    address: Option<SocketAddr>,
) -> Option<Principal> {
    let guarded = async {
        let validated = call::awaited(|| {
            let mut validating = discreetly(|| validator.validate(token, address));
            poll_fn(move |task| discreetly(|| validating.as_mut().poll(task)))
        });
        validated.await.unwrap_or_else(|_| {
            tracing::error!("the validator of tokens panicked");
            None
        })
    };
    let validated = tokio::time::timeout(PATIENCE, guarded).await;
    validated
        .inspect_err(|_| tracing::error!("the validator of tokens took more than {PATIENCE:?}"))
        .ok()
        .flatten()
}
