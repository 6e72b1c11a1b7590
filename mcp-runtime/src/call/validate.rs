use super::Service;
use super::target::{Outcome, Target};
use crate::argument::Refusal;
use crate::handler::{Body, Inputs};

/// Reads the arguments into the function's own types, all violations at once.
pub(super) fn validate<T: Target>(
    service: &Service,
    target: &T,
    inputs: &mut Inputs<'_>,
    arguments: Option<&str>,
    depth: usize,
) -> Result<Body<Outcome<T>>, Refusal> {
    tracing::trace!("validate");
    if let Some(text) = arguments.and_then(|json| service.quotas.input.violated(json, depth)) {
        return Err(Refusal::Arguments(text));
    }
    target.handler().prepare(inputs)
}
