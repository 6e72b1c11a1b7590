//! Work that outlives its request.

#[path = "tasks/kept.rs"]
mod kept;
#[path = "tasks/life.rs"]
mod life;
#[path = "tasks/listening.rs"]
mod listening;
#[path = "tasks/requests.rs"]
mod requests;
#[allow(dead_code, reason = "made for more tests than these")]
#[path = "asking/talk.rs"]
mod talk;
#[path = "../examples/everything/tasks.rs"]
mod tools;
