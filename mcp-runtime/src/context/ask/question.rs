use serde_json::{Value, json};

use super::AskError;
use crate::protocol::{ClientCapabilities, InputRequest, JsonObject, Revision};

/// A question in the shape of the client's revision.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Question {
    pub(super) method: &'static str,
    pub(super) params: Value,
    pub(super) needs: Need,
}

/// What a client must have declared (specification, *Client capabilities*).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Need {
    Form,
    Page,
    Sampling,
    SamplingTools,
    Roots,
}

impl Question {
    pub(super) fn request(&self) -> InputRequest {
        InputRequest {
            method: self.method.to_owned(),
            params: Some(self.params.clone()),
        }
    }

    /// Equal for equal questions, in every process that runs this program (FNV-1a).
    pub(super) fn fingerprint(&self) -> u64 {
        let text = crate::seal::canonical(&json!([self.method, self.params]));
        text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        })
    }
}

impl Need {
    /// Whether the client has declared it, as its revision words it.
    pub(super) fn is_met(self, client: &ClientCapabilities, revision: Revision) -> bool {
        let has = |object: &Option<JsonObject>, key: &str| {
            let object = object.as_ref();
            object.is_some_and(|object| object.get(key).is_some_and(Value::is_object))
        };
        let asks = client.elicitation.as_ref();
        match self {
            // A client that names no mode means forms.
            Self::Form if revision < Revision::V2025_06_18 => false,
            Self::Form if revision < Revision::V2025_11_25 => asks.is_some(),
            Self::Form => {
                asks.is_some_and(|modes| modes.contains_key("form") || !modes.contains_key("url"))
            }
            Self::Page => has(&client.elicitation, "url"),
            Self::Sampling => client.sampling.is_some(),
            Self::SamplingTools => has(&client.sampling, "tools"),
            Self::Roots => client.roots.is_some(),
        }
    }

    /// Whether a model may be asked with the context of servers.
    pub(super) fn allows_context(client: &ClientCapabilities, revision: Revision) -> bool {
        let sampling = client.sampling.as_ref();
        revision < Revision::V2025_11_25
            || sampling.is_some_and(|sampling| sampling.contains_key("context"))
    }

    /// The error where it is not met.
    pub(super) fn unmet(self, key: &str) -> AskError {
        let object = |value: Value| value.as_object().cloned();
        let mut required = ClientCapabilities::default();
        let capability = match self {
            Self::Form => {
                required.elicitation = object(json!({ "form": {} }));
                "elicitation"
            }
            Self::Page => {
                required.elicitation = object(json!({ "url": {} }));
                "elicitation.url"
            }
            Self::Sampling => {
                required.sampling = object(json!({}));
                "sampling"
            }
            Self::SamplingTools => {
                required.sampling = object(json!({ "tools": {} }));
                "sampling.tools"
            }
            Self::Roots => {
                required.roots = object(json!({}));
                "roots"
            }
        };
        AskError::Unsupported {
            key: key.to_owned(),
            lacks: format!("it does not declare `{capability}`").into(),
            required: Box::new(required),
        }
    }

    /// The error where the revision of the client has no such question.
    pub(super) fn without(self, key: &str, missing: &'static str) -> AskError {
        match self.unmet(key) {
            AskError::Unsupported { key, required, .. } => AskError::Unsupported {
                key,
                lacks: missing.into(),
                required,
            },
            other => other,
        }
    }
}
