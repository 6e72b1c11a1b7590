use super::target::{Outcome, Target};
use crate::argument::Refusal;
use crate::handler::{Body, Inputs};

/// Reads the arguments into the function's own types, all violations at once.
pub(super) fn validate<T: Target>(
    target: &T,
    inputs: &mut Inputs<'_>,
) -> Result<Body<Outcome<T>>, Refusal> {
    tracing::trace!("validate");
    target.handler().prepare(inputs)
}
