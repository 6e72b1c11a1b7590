//! A tool whose arguments a client mirrors into headers.

use mcp_runtime::prelude::*;

/// Where something is done.
#[json]
pub(crate) struct Place {
    /// For the gateway.
    #[schemars(extend("x-mcp-header" = "Region"))]
    region: String,
    /// How many.
    #[schemars(extend("x-mcp-header" = "Count"))]
    count: Option<u32>,
    /// Whether at once.
    #[schemars(extend("x-mcp-header" = "Now"))]
    now: Option<bool>,
}

/// Does something at a place.
#[tool(inline)]
pub(crate) fn go(place: Place) -> String {
    let Place { region, count, now } = place;
    format!("{region} {count:?} {now:?}")
}
