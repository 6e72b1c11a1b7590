//! Streamable HTTP over real sockets, every message of which is checked.

#[path = "http/blocking.rs"]
mod blocking;
#[path = "http/caller.rs"]
mod caller;
#[path = "http/doors.rs"]
mod doors;
#[path = "http/ending.rs"]
mod ending;
#[path = "http/eras.rs"]
mod eras;
#[path = "http/host.rs"]
mod host;
#[path = "http/limits.rs"]
mod limits;
#[path = "http/line.rs"]
mod line;
#[path = "http/listening.rs"]
mod listening;
#[path = "http/logs.rs"]
mod logs;
#[path = "http/mirror.rs"]
mod mirror;
#[path = "http/mounted.rs"]
mod mounted;
#[path = "http/old.rs"]
mod old;
#[path = "http/pieces.rs"]
mod pieces;
#[path = "http/place.rs"]
mod place;
#[path = "http/resuming.rs"]
mod resuming;
#[path = "http/sessions.rs"]
mod sessions;
#[path = "http/status.rs"]
mod status;
#[path = "http/streams.rs"]
mod streams;
#[path = "http/tools.rs"]
mod talkative;
#[allow(dead_code, reason = "tools are called by name")]
#[path = "server/tools.rs"]
mod tools;
