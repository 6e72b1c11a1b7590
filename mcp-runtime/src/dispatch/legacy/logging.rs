use crate::call::{Execution, Reply};
use crate::dispatch::builtin_method::{BuiltinMethod, LEGACY, RoutedRequest, empty_result};
use crate::dispatch::capabilities::Capability;
use crate::jsonrpc::ErrorObject;
use crate::protocol::LoggingLevel;

/// The method that sets the minimum level of log messages for the session (specification,
/// *Logging*).
pub(super) const SET_LEVEL: BuiltinMethod = BuiltinMethod::new(
    "logging/setLevel",
    LEGACY,
    Capability::Logging,
    |_, routed| Execution::Ready(set_level(routed)),
)
.without_handlers();

#[derive(serde::Deserialize)]
struct SetLevelParams {
    level: LoggingLevel,
}

fn set_level(routed: &RoutedRequest<'_>) -> Reply {
    let params = serde_json::from_str::<SetLevelParams>(routed.params())
        .map_err(|_| ErrorObject::invalid_params(LoggingLevel::CHOICES))?;
    routed.connection.set_log_level(params.level);
    Ok(empty_result())
}
