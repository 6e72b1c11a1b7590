use super::ServerContext;
use crate::argument::Rejection;
use crate::handler::{Inputs, PreparedCall};
use crate::registry::{Definition, HandlerResult};

/// Reads the arguments into the parameter types of the handler function.
///
/// # Errors
/// Returns a rejection that lists all violations if the arguments are invalid.
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
