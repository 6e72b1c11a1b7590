//! Methods as tools.

#[path = "signatures/methods.rs"]
mod methods;
#[allow(dead_code, reason = "shared with other tests")]
#[path = "dispatch/talk.rs"]
mod talk;
