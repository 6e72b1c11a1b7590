//! Standard input and output of a server process.

mod command_line;
mod conversation;
mod minimal_server;
mod panics;
mod shutdown;
#[cfg(unix)]
mod stuck_client;
#[cfg(unix)]
mod unread_stderr;
