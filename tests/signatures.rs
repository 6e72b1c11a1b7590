//! What the keys of the macros do to lists and calls.

#[path = "signatures/keys.rs"]
mod keys;
#[path = "signatures/limits.rs"]
mod limits;
#[allow(dead_code, reason = "shared with other tests")]
#[path = "dispatch/talk.rs"]
mod talk;
#[path = "signatures/types.rs"]
mod types;
