//! A server with tasks, which are stored in the file that `TASK_DATABASE` names.

#[path = "../../examples/everything/tasks.rs"]
mod tools;

use mcp_runtime::task::SqliteTaskStore;

mcp_runtime::main!(|server| match std::env::var_os("TASK_DATABASE") {
    Some(path) => server.task_store(SqliteTaskStore::open(path)?),
    None => server,
});
