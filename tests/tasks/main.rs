//! The tasks extension.

mod client_polling;
mod http;
mod lifecycle;
mod notifications;
mod pipeline;
mod pipeline_tools;
mod process;
mod retention;
mod task_client;
#[path = "../../examples/everything/tasks.rs"]
mod tools;
mod unanswered;
