//! Every method in every revision over every transport, and the page that lists them.

#[allow(dead_code, reason = "shared with other tests")]
#[path = "../fixtures/definitions.rs"]
mod definitions;
mod features;
mod methods;
mod page;
#[path = "../fixtures/removal_tools.rs"]
mod removal_tools;
mod specification;
mod transports;
