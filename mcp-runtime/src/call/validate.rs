use super::{Call, Prepared};
use crate::argument::{self, Coercion, Explained, Fill, Refusal};
use crate::registry::RegisteredTool;
use crate::schema::Trust;

/// Reads the arguments into the tool's own types, all violations at once.
pub(super) fn validate(call: &mut Call<'_>) -> Result<Prepared, Refusal> {
    tracing::trace!("validate");
    (call.tool().descriptor().prepare)(call)
}

/// The happy path reads the text as it came; only what it refuses is looked at
/// twice. `others` is all that the request says, should `arguments` be missing.
pub(super) fn read(
    tool: &RegisteredTool,
    json: Option<&str>,
    others: &str,
    slots: &mut [&mut dyn Fill],
    coercions: &mut Vec<Coercion>,
) -> Result<(), Refusal> {
    let parameters = tool.descriptor().parameters;
    let text = json.filter(|json| *json != "null").unwrap_or("{}");
    if tool.trust() != Trust::Partial && argument::read(text, parameters, slots).is_ok() {
        return Ok(());
    }
    let explained = Explained {
        tool: tool.descriptor().name,
        schema: tool.input_schema(),
        parameters,
        others,
    };
    *coercions = argument::explain(&explained, json, slots)?;
    Ok(())
}
