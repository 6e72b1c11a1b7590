//! A server of tasks, which survive it where `TASK_DATABASE` names a file.

#[path = "../../examples/everything/tasks.rs"]
mod tools;

use mcp_runtime::SqliteTaskStore;

mcp_runtime::main!(|server| match std::env::var_os("TASK_DATABASE") {
    Some(path) => server.task_store(SqliteTaskStore::open(path)?),
    None => server,
});
