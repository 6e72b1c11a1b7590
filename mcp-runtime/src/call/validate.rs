use super::{Call, Prepared};
use crate::argument::{self, Coercion, Fill, Refusal};
use crate::registry::RegisteredTool;

/// Reads the arguments into the tool's own types, all violations at once.
pub(super) fn validate(call: &mut Call<'_>) -> Result<Prepared, Refusal> {
    tracing::trace!("validate");
    (call.tool().descriptor().prepare)(call)
}

/// The happy path reads the text as it came; only what it refuses is looked at twice.
pub(super) fn read(
    tool: &RegisteredTool,
    json: Option<&str>,
    slots: &mut [&mut dyn Fill],
    coercions: &mut Vec<Coercion>,
) -> Result<(), Refusal> {
    let parameters = tool.descriptor().parameters;
    if let Some(json) = json
        && argument::read(json, parameters, slots).is_ok()
    {
        return Ok(());
    }
    let name = tool.descriptor().name;
    let repaired = argument::repaired(name, tool.input_schema(), json)?;
    let text = repaired.arguments.to_string();
    *coercions = repaired.coercions;
    argument::read_explained(name, &text, parameters, slots)
}
