use super::ServerContext;
use crate::argument::Rejection;
use crate::handler::{Inputs, PreparedCall};
use crate::registry::{Definition, HandlerResult};

/// Reads the arguments into the types of the function; the error has all violations.
pub(super) fn validate<T: Definition>(
    server: &ServerContext,
    definition: &T,
    inputs: &mut Inputs<'_>,
    arguments: Option<&str>,
    depth: usize,
) -> Result<PreparedCall<HandlerResult<T>>, Rejection> {
    tracing::trace!("validate");
    if let Some(text) = arguments.and_then(|json| server.quotas.arguments.violation(json, depth)) {
        return Err(Rejection::Arguments(text));
    }
    definition.handler().prepare(inputs)
}
