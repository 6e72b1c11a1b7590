use serde_json::{Value, json};

use super::InputRequestError;
use crate::protocol::{ClientCapabilities, InputRequest, JsonObject, Revision};

/// A request to the client, in the format of the client's protocol revision.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ClientRequest {
    pub(super) method: &'static str,
    pub(super) params: Value,
    pub(super) capability: RequiredCapability,
}

/// The client capability that a request requires (specification, *Client capabilities*).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RequiredCapability {
    Form,
    Url,
    Sampling,
    SamplingTools,
    Roots,
}

impl ClientRequest {
    pub(super) fn to_input_request(&self) -> InputRequest {
        InputRequest {
            method: self.method.to_owned(),
            params: Some(self.params.clone()),
        }
    }

    /// Returns a hash of the request (FNV-1a), which is the same in all processes of this program.
    pub(super) fn fingerprint(&self) -> u64 {
        let text = crate::seal::canonical(&json!([self.method, self.params]));
        text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        })
    }
}

impl RequiredCapability {
    /// Whether the client has declared the capability, by the rules of its protocol revision.
    pub(super) fn is_declared(self, client: &ClientCapabilities, revision: Revision) -> bool {
        let has = |object: &Option<JsonObject>, key: &str| {
            let object = object.as_ref();
            object.is_some_and(|object| object.get(key).is_some_and(Value::is_object))
        };
        let elicitation = client.elicitation.as_ref();
        match self {
            // A client that declares elicitation without a mode supports forms.
            Self::Form if revision < Revision::V2025_06_18 => false,
            Self::Form if revision < Revision::V2025_11_25 => elicitation.is_some(),
            Self::Form => elicitation
                .is_some_and(|modes| modes.contains_key("form") || !modes.contains_key("url")),
            Self::Url => has(&client.elicitation, "url"),
            Self::Sampling => client.sampling.is_some(),
            Self::SamplingTools => has(&client.sampling, "tools"),
            Self::Roots => client.roots.is_some(),
        }
    }

    /// Whether a sampling request may contain `includeContext`.
    pub(super) fn allows_context(client: &ClientCapabilities, revision: Revision) -> bool {
        let sampling = client.sampling.as_ref();
        revision < Revision::V2025_11_25
            || sampling.is_some_and(|sampling| sampling.contains_key("context"))
    }

    /// Returns the error for a client that has not declared the capability.
    pub(super) fn undeclared(self, key: &str) -> InputRequestError {
        let object = |value: Value| value.as_object().cloned();
        let mut required = ClientCapabilities::default();
        let capability = match self {
            Self::Form => {
                required.elicitation = object(json!({ "form": {} }));
                "elicitation"
            }
            Self::Url => {
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
        InputRequestError::Unsupported {
            key: key.to_owned(),
            reason: format!("it does not declare `{capability}`").into(),
            required: Box::new(required),
        }
    }

    /// Returns the error for a client whose protocol revision does not define the request.
    pub(super) fn unsupported(self, key: &str, reason: &'static str) -> InputRequestError {
        match self.undeclared(key) {
            InputRequestError::Unsupported { key, required, .. } => {
                InputRequestError::Unsupported {
                    key,
                    reason: reason.into(),
                    required,
                }
            }
            other => other,
        }
    }
}
