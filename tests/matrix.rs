//! Every method in every revision over every transport, and the page that says so.

#[allow(dead_code, reason = "shared with the tests of HTTP")]
#[path = "http/caller.rs"]
mod caller;
#[allow(
    dead_code,
    reason = "shared with the tests of standard input and output"
)]
#[path = "stdio/child.rs"]
mod child;
#[path = "features/definitions.rs"]
mod definitions;
#[path = "matrix/doors.rs"]
mod doors;
#[path = "matrix/features.rs"]
mod features;
#[allow(dead_code, reason = "shared with the tests of HTTP")]
#[path = "http/host.rs"]
mod host;
#[allow(dead_code, reason = "shared with the tests of HTTP")]
#[path = "http/line.rs"]
mod line;
#[path = "matrix/methods.rs"]
mod methods;
#[path = "matrix/page.rs"]
mod page;
#[path = "matrix/taking.rs"]
mod taking;
#[allow(dead_code, reason = "shared with the other tests of the dispatcher")]
#[path = "dispatch/talk.rs"]
mod talk;
#[path = "matrix/traps.rs"]
mod traps;
