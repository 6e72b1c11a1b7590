//! Who may call what, how much, and what is written down of it.

#[path = "guarded/approve.rs"]
mod approve;
#[path = "guarded/authorize.rs"]
mod authorize;
#[path = "guarded/explain.rs"]
mod explain;
#[path = "guarded/faults.rs"]
mod faults;
#[path = "guarded/limits.rs"]
mod limits;
#[path = "guarded/records.rs"]
mod records;
#[path = "guarded/secrets.rs"]
mod secrets;
#[path = "guarded/server.rs"]
mod server;
#[allow(dead_code, reason = "made for the tests of asking")]
#[path = "asking/talk.rs"]
mod talk;
#[path = "guarded/tools.rs"]
mod tools;
