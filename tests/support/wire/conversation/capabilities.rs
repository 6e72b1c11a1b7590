use serde_json::Value;

use crate::wire::{
    Revision,
    table::{Object, capability},
};

/// The capabilities declared so far; `None` means unknown, not empty.
#[derive(Clone, Debug, Default)]
pub(super) struct Capabilities {
    pub(super) client: Option<Value>,
    pub(super) server: Option<Value>,
    /// The result of `server/discover`.
    pub(super) discovered: Option<Value>,
}

impl Capabilities {
    pub(super) fn server_lacks(&self, capability: &str, revision: Revision) -> bool {
        let declared = match revision.is_legacy() {
            true => &self.server,
            false => &self.discovered,
        };
        declared
            .as_ref()
            .is_some_and(|declared| lacks(declared, &capability::SERVER, capability, revision))
    }
}

/// A capability that the revision does not know is no condition.
pub(super) fn lacks(
    declared: &Value,
    table: &Object,
    capability: &str,
    revision: Revision,
) -> bool {
    let top = capability.split('.').next().unwrap_or_default();
    if !table.declares(top, revision) {
        return false;
    }
    let found = capability
        .split('.')
        .try_fold(declared, |value, key| value.get(key));
    matches!(found, None | Some(Value::Bool(false) | Value::Null))
}

/// What a client must have declared so that it can be asked this.
pub(super) fn missing_for(
    method: &str,
    params: &Value,
    declared: &Value,
    revision: Revision,
) -> Option<&'static str> {
    let lacks =
        |capability: &&'static str| lacks(declared, &capability::CLIENT, capability, revision);
    let tools = ["tools", "toolChoice"]
        .iter()
        .any(|key| params.get(key).is_some());
    let required: &[&'static str] = match method {
        "roots/list" => &["roots"],
        "sampling/createMessage" if tools => &["sampling", "sampling.tools"],
        "sampling/createMessage" => &["sampling"],
        "elicitation/create" if params.get("url").is_some() => &["elicitation", "elicitation.url"],
        "elicitation/create" if declared.pointer("/elicitation/url").is_some() => {
            &["elicitation.form"]
        }
        "elicitation/create" => &["elicitation"],
        _ => &[],
    };
    required
        .iter()
        .find(|capability| lacks(capability))
        .copied()
}
