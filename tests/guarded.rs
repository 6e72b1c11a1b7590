//! Who may call what, how much, and what is written down of it.

#[path = "guarded/added.rs"]
mod added;
#[path = "guarded/agreement.rs"]
mod agreement;
#[path = "guarded/approve.rs"]
mod approve;
#[path = "guarded/authorize.rs"]
mod authorize;
#[path = "guarded/behaviours.rs"]
mod behaviours;
#[path = "guarded/broken.rs"]
mod broken;
#[path = "guarded/clock.rs"]
mod clock;
#[path = "guarded/consent.rs"]
mod consent;
#[path = "guarded/edge.rs"]
mod edge;
#[path = "guarded/faults.rs"]
mod faults;
#[path = "guarded/forgotten.rs"]
mod forgotten;
#[path = "guarded/http.rs"]
mod http;
#[path = "guarded/keys.rs"]
mod keys;
#[path = "guarded/limits.rs"]
mod limits;
#[allow(dead_code, reason = "made for more tests than these")]
#[path = "http/line.rs"]
mod line;
#[path = "guarded/records.rs"]
mod records;
#[path = "guarded/revoked.rs"]
mod revoked;
#[path = "guarded/secrets.rs"]
mod secrets;
#[path = "guarded/server.rs"]
mod server;
#[path = "guarded/stuck.rs"]
mod stuck;
#[allow(dead_code, reason = "made for more tests than these")]
#[path = "asking/talk.rs"]
mod talk;
#[path = "guarded/tools.rs"]
mod tools;
#[path = "guarded/torture.rs"]
mod torture;
#[path = "guarded/unasked.rs"]
mod unasked;
#[path = "guarded/waiting.rs"]
mod waiting;
