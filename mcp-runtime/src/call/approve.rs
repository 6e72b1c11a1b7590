use std::borrow::Cow;
use std::sync::Arc;

use serde_json::{Value, json};

use super::Service;
use super::authorize::access;
use super::bound::{Returned, run};
use super::fate::Fate;
use super::question::{Given, question, values};
use crate::audit::{AuditDecision, AuditOutcome};
use crate::context::{AskError, Context, Elicited, RequestScope};
use crate::error::ToolError;
use crate::handler::Body;
use crate::registry::Defined;

/// The key of the question, which no body can use by accident.
const KEY: &str = "mcp-runtime/approve";

/// A person who has to agree before a body runs.
///
/// The answer is good for this call alone: in a session it is awaited in place,
/// and between stateless requests it travels in a state that is sealed for the
/// caller, the tool and the arguments, is soon too old, and is
/// [spent](super::ask::spend) with its first use.
pub(super) struct Consent {
    context: Arc<Context>,
    name: Cow<'static, str>,
    question: String,
    fate: Fate,
    /// Whether the body may run where nobody can be asked.
    excused: bool,
}

/// Whom a call has to ask first, if anybody.
pub(super) fn approve(
    service: &Service,
    definition: &dyn Defined,
    scope: &RequestScope<'_>,
    given: Given<'_>,
    fate: impl FnOnce() -> Fate,
) -> Option<Consent> {
    tracing::trace!("approve");
    let common = definition.common();
    let template = common.policy.confirm?;
    // Consent to a question that nobody was asked is none.
    scope.asking().drop_unasked(KEY);
    Some(Consent {
        context: Arc::clone(scope.context()),
        name: common.name.clone(),
        question: question(template, &values(common, given), &common.secrets),
        fate: fate(),
        excused: service.guards.excuses(&access(definition, scope)),
    })
}

impl Consent {
    /// What the person is asked.
    pub(super) fn question(&self) -> &str {
        &self.question
    }

    /// The body, run once a person has agreed.
    pub(super) fn before<V: Send + 'static>(self, body: Body<Returned<V>>) -> Body<Returned<V>> {
        Body::future(async move {
            self.given().await?;
            run(body).await
        })
    }

    /// Fails where a person did not agree, or could not be asked.
    async fn given(self) -> Result<(), ToolError> {
        let requested = json!({
            "type": "object",
            "properties": { "approve": { "type": "boolean", "title": "Approve" } },
            "required": ["approve"],
        });
        let asked = self
            .context
            .elicit_unchecked(KEY, self.question, &requested);
        match asked.await {
            // To accept the form is not to agree: the box must be ticked.
            Ok(Elicited::Accepted(form)) if form.get("approve") == Some(&Value::Bool(true)) => {
                self.fate.decided(AuditDecision::Approved);
                Ok(())
            }
            Ok(_) => {
                self.fate.is(AuditOutcome::Refused);
                Err(ToolError::public(format!(
                    "a person was asked and did not agree, so `{}` was not run",
                    self.name
                )))
            }
            Err(AskError::Unsupported { .. } | AskError::Unavailable(_)) if self.excused => {
                self.fate.decided(AuditDecision::Excused);
                Ok(())
            }
            Err(error) => {
                self.fate.is(AuditOutcome::Unconfirmed);
                tracing::warn!("nobody could be asked: {error}");
                let message = format!(
                    "`{}` needs the consent of a person, and nobody could be asked",
                    self.name
                );
                Err(ToolError::caused(message, &error))
            }
        }
    }
}
