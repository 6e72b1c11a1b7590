use std::borrow::Cow;
use std::sync::Arc;

use serde_json::{Value, json};

use super::Service;
use super::authorize::access;
use super::bound::{Returned, run};
use super::fate::Fate;
use crate::audit::{AuditDecision, AuditOutcome};
use crate::context::{AskError, Context, Elicited, RequestScope};
use crate::error::ToolError;
use crate::handler::Body;
use crate::protocol::JsonObject;
use crate::registry::Defined;
use crate::text::shortened;

/// The key of the question, which no body can use by accident.
const KEY: &str = "mcp-runtime/approve";

/// The longest value of an argument that a question shows, in characters.
const LONGEST: usize = 200;

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
    arguments: Option<&str>,
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
        question: question(template, arguments, &common.secrets),
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

/// The template with the values of arguments for `{name}`; `{{` is a brace.
fn question(template: &str, arguments: Option<&str>, secrets: &[&str]) -> String {
    let arguments = arguments.and_then(|json| serde_json::from_str(json).ok());
    let arguments: JsonObject = arguments.unwrap_or_default();
    let mut text = String::new();
    let mut rest = template;
    while let Some(brace) = rest.find(['{', '}']) {
        text.push_str(&rest[..brace]);
        rest = &rest[brace..];
        let name = rest.strip_prefix('{').and_then(|name| name.split_once('}'));
        match name {
            Some((name, after)) if !name.starts_with('{') => {
                text.push_str(&shown(name, arguments.get(name), secrets));
                rest = after;
            }
            _ => {
                text.push_str(&rest[..1]);
                let doubled = rest.starts_with("{{") || rest.starts_with("}}");
                rest = &rest[if doubled { 2 } else { 1 }..];
            }
        }
    }
    text + rest
}

/// A value on one line, so that it cannot pass for words of the server.
fn shown(name: &str, value: Option<&Value>, secrets: &[&str]) -> String {
    if secrets.contains(&name) {
        return "[redacted]".to_owned();
    }
    let text = match value {
        None | Some(Value::Null) => "nothing".to_owned(),
        Some(Value::String(text)) => text.clone(),
        Some(value) => value.to_string(),
    };
    let line = text.chars().flat_map(|letter| {
        let escaped = letter.is_control().then(|| letter.escape_default());
        let plain = escaped.is_none().then_some(letter);
        escaped.into_iter().flatten().chain(plain)
    });
    shortened(&line.collect::<String>(), LONGEST).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(template: &str, arguments: &Value, expected: &str) {
        let arguments = arguments.to_string();
        assert_eq!(question(template, Some(&arguments), &["pin"]), expected);
    }

    #[test]
    fn names_stand_for_values() {
        let arguments = json!({ "path": "a/b", "count": 2, "all": true, "pin": "planted" });
        check("Delete {path}?", &arguments, "Delete a/b?");
        check("{count} of {all}{gone}", &arguments, "2 of truenothing");
        check("With {pin}?", &arguments, "With [redacted]?");
    }

    #[test]
    fn braces_can_be_written() {
        let arguments = json!({ "path": "{path}" });
        check("{{path}} {path}", &arguments, "{path} {path}");
        check("{", &arguments, "{");
        check("a } b {path", &arguments, "a } b {path");
        check("{}", &arguments, "nothing");
    }

    #[test]
    fn a_value_stays_on_its_line_and_short() {
        let arguments = json!({ "path": "a\nApproved: yes\u{1b}[0m" });
        check(
            "Delete {path}?",
            &arguments,
            "Delete a\\nApproved: yes\\u{1b}[0m?",
        );
        let long = json!({ "path": "ä".repeat(LONGEST + 1) });
        let short = "ä".repeat(LONGEST - 1) + "…";
        check("{path}", &long, &short);
    }
}
