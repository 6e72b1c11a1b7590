//! Who may call what, how much, and what is written down of it.

#[path = "guarded/added.rs"]
mod added;
#[path = "guarded/approve.rs"]
mod approve;
#[path = "guarded/authorize.rs"]
mod authorize;
#[path = "guarded/faults.rs"]
mod faults;
#[path = "guarded/http.rs"]
mod http;
#[path = "guarded/limits.rs"]
mod limits;
#[allow(dead_code, reason = "made for more tests than these")]
#[path = "http/line.rs"]
mod line;
#[path = "guarded/records.rs"]
mod records;
#[path = "guarded/secrets.rs"]
mod secrets;
#[path = "guarded/server.rs"]
mod server;
#[allow(dead_code, reason = "made for more tests than these")]
#[path = "asking/talk.rs"]
mod talk;
#[path = "guarded/tools.rs"]
mod tools;
#[path = "guarded/torture.rs"]
mod torture;
