use std::borrow::Cow;
use std::sync::Arc;

use serde_json::{Value, json};

use super::ServerContext;
use super::authorize::access;
use super::confirmation::{CallArguments, effective_arguments, render_message};
use super::outcome::CallOutcome;
use super::run_handler::run_handler;
use crate::audit::{AuditDecision, AuditOutcome};
use crate::context::{Context, Elicited, InputRequestError, RequestParts};
use crate::error::ToolError;
use crate::handler::PreparedCall;
use crate::registry::DefinitionMeta;

/// The key of the elicitation request. The prefix prevents a clash with the key of a handler.
const KEY: &str = "mcp-runtime/approve";

/// A consent that the user has to give before the handler runs.
///
/// A consent is valid for one call. In a session, the call waits for the consent. A stateless
/// client receives a sealed `requestState` and sends it back with the consent. This state is valid
/// for the same caller, tool and arguments, expires soon, and is
/// [consumed](super::round_trip::consume_nonce) by its first use.
pub(super) struct Consent {
    context: Arc<Context>,
    name: Cow<'static, str>,
    message: String,
    outcome: CallOutcome,
    /// Whether the handler may run if the client cannot elicit consent.
    is_optional: bool,
}

/// Returns the consent that the call needs, or `None` if the tool requires no confirmation.
pub(super) fn approve(
    server: &ServerContext,
    definition: &DefinitionMeta,
    parts: &RequestParts<'_>,
    arguments: CallArguments<'_>,
    outcome: impl FnOnce() -> CallOutcome,
) -> Option<Consent> {
    tracing::trace!("approve");
    let template = definition.policy.confirm?;
    // Ignore a response if the server has not sent the request for consent.
    parts.input_requests().drop_unrequested(KEY);
    Some(Consent {
        context: Arc::clone(parts.context()),
        name: definition.name.clone(),
        message: render_message(
            template,
            &effective_arguments(definition, arguments),
            &definition.secrets,
        ),
        outcome: outcome(),
        is_optional: server
            .access_control
            .allows_without_consent(&access(definition, parts)),
    })
}

impl Consent {
    /// Returns the message that is shown to the user.
    pub(super) fn message(&self) -> &str {
        &self.message
    }

    /// Returns a handler that requests consent and then runs `prepared`.
    pub(super) fn require_before<V: Send + 'static>(
        self,
        prepared: PreparedCall<Result<V, ToolError>>,
    ) -> PreparedCall<Result<V, ToolError>> {
        PreparedCall::future(async move {
            self.obtain().await?;
            run_handler(prepared).await
        })
    }

    /// Requests consent from the user.
    ///
    /// # Errors
    /// Returns an error if the user does not approve, or if the client cannot request consent from
    /// the user and consent is not optional.
    async fn obtain(self) -> Result<(), ToolError> {
        let schema = json!({
            "type": "object",
            "properties": { "approve": { "type": "boolean", "title": "Approve" } },
            "required": ["approve"],
        });
        let response = self.context.elicit_unchecked(KEY, self.message, &schema);
        match response.await {
            // Accepting the form is not consent: the user must also check the box `approve`.
            Ok(Elicited::Accepted(form)) if form.get("approve") == Some(&Value::Bool(true)) => {
                self.outcome.set_decision(AuditDecision::Approved);
                Ok(())
            }
            Ok(_) => {
                self.outcome.set(AuditOutcome::Declined);
                Err(ToolError::public(format!(
                    "the user was asked and did not approve, so `{}` was not run",
                    self.name
                )))
            }
            Err(InputRequestError::Unsupported { .. } | InputRequestError::Unavailable(_))
                if self.is_optional =>
            {
                self.outcome.set_decision(AuditDecision::ConsentNotRequired);
                Ok(())
            }
            Err(error) => {
                self.outcome.set(AuditOutcome::ConsentUnavailable);
                tracing::warn!("consent could not be requested: {error}");
                let message = format!(
                    "`{}` needs the consent of the user, and it could not be requested",
                    self.name
                );
                Err(ToolError::public_with_cause(message, &error))
            }
        }
    }
}
