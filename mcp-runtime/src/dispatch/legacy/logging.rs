use serde_json::value::RawValue;

use super::empty;
use crate::call::{Reply, Work};
use crate::dispatch::capability::Capability;
use crate::dispatch::table::{LEGACY, Routed, Row};
use crate::jsonrpc::ErrorObject;
use crate::protocol::LoggingLevel;

/// From which level on the session wants log messages (specification, *Logging*).
pub(super) const SET_LEVEL: Row = Row::new(
    "logging/setLevel",
    LEGACY,
    Capability::Logging,
    |_, call| Work::Ready(set_level(call)),
)
.without_bodies();

#[derive(serde::Deserialize)]
struct Params {
    level: LoggingLevel,
}

fn set_level(call: &Routed<'_>) -> Reply {
    let params = call.request.params.map_or("{}", RawValue::get);
    let params = serde_json::from_str::<Params>(params);
    let Params { level } =
        params.map_err(|_| ErrorObject::invalid_params(LoggingLevel::CHOICES))?;
    call.peer.set_log_level(level);
    Ok(empty())
}
