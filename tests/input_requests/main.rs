//! Elicitation, sampling and roots, and the client that answers them.

mod equivalence;
mod forms;
mod gate;
#[path = "../fixtures/header_tool.rs"]
mod header_tool;
mod hostile_servers;
mod http_client;
mod http_errors;
mod input_responses;
mod pagination;
mod reentrancy;
mod revisions;
mod scripted_server;
mod silent_servers;
mod spawned_server;
mod state_keys;
#[path = "../fixtures/input_request_tools.rs"]
mod tools;
mod unresponsive_clients;
mod unresponsive_stdio_clients;
mod unusual_tools;
