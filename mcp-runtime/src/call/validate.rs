use crate::argument::Refusal;
use crate::handler::{Body, Inputs};
use crate::output::Outcome;
use crate::registry::RegisteredTool;

/// Reads the arguments into the tool's own types, all violations at once.
pub(super) fn validate(
    tool: &RegisteredTool,
    inputs: &mut Inputs<'_>,
) -> Result<Body<Outcome>, Refusal> {
    tracing::trace!("validate");
    tool.prepare(inputs)
}
