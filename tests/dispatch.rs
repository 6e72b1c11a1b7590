//! Messages in, messages out: no process, no socket.

#[path = "dispatch/arguments.rs"]
mod arguments;
#[path = "dispatch/calls.rs"]
mod calls;
#[path = "dispatch/corners.rs"]
mod corners;
#[path = "dispatch/flight.rs"]
mod flight;
#[path = "dispatch/lifecycle.rs"]
mod lifecycle;
#[path = "dispatch/listing.rs"]
mod listing;
#[path = "dispatch/methods.rs"]
mod methods;
#[path = "dispatch/returns.rs"]
mod returns;
#[path = "dispatch/talk.rs"]
mod talk;
#[allow(dead_code, reason = "tools are called by name")]
#[path = "server/tools.rs"]
mod tools;
