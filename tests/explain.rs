//! One test alone in its process: what others log at the same time would be heard too.

#[path = "guarded/explain.rs"]
mod explain;
#[allow(dead_code, reason = "made for more tests than this")]
#[path = "guarded/server.rs"]
mod server;
#[allow(dead_code, reason = "made for more tests than this")]
#[path = "asking/talk.rs"]
mod talk;
#[allow(dead_code, reason = "made for more tests than this")]
#[path = "guarded/tools.rs"]
mod tools;
