//! Every method in every revision over every transport, and the page that lists them.

mod features;
mod methods;
mod page;
mod specification;
mod transports;
#[allow(dead_code, reason = "shared with other tests")]
#[path = "../fixtures/definitions.rs"]
mod definitions;
#[path = "../fixtures/removal_tools.rs"]
mod removal_tools;
