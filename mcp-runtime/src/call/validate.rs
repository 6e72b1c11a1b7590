use super::Service;
use crate::argument::Refusal;
use crate::handler::{Body, Inputs};
use crate::output::Outcome;
use crate::registry::RegisteredTool;

/// Reads the arguments into the tool's own types, all violations at once.
pub(super) fn validate(
    service: &Service,
    tool: &RegisteredTool,
    inputs: &mut Inputs<'_>,
    arguments: Option<&str>,
) -> Result<Body<Outcome>, Refusal> {
    tracing::trace!("validate");
    if let Some(text) = arguments.and_then(|json| service.quotas.input.violated(json)) {
        return Err(Refusal::Arguments(text));
    }
    tool.prepare(inputs)
}
