//! Work that outlives its request.

#[allow(dead_code, reason = "made for more tests than these")]
#[path = "stdio/child.rs"]
mod child;
#[path = "tasks/followed.rs"]
mod followed;
#[path = "tasks/guarded.rs"]
mod guarded;
#[path = "tasks/guarded_tools.rs"]
mod guarded_tools;
#[path = "tasks/http.rs"]
mod http;
#[path = "tasks/kept.rs"]
mod kept;
#[path = "tasks/life.rs"]
mod life;
#[allow(dead_code, reason = "made for more tests than these")]
#[path = "http/line.rs"]
mod line;
#[path = "tasks/listening.rs"]
mod listening;
#[path = "tasks/process.rs"]
mod process;
#[path = "tasks/requests.rs"]
mod requests;
#[path = "tasks/silent.rs"]
mod silent;
#[allow(dead_code, reason = "made for more tests than these")]
#[path = "asking/talk.rs"]
mod talk;
#[path = "../examples/everything/tasks.rs"]
mod tools;
