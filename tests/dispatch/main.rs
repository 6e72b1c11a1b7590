//! The dispatcher, called in this process.

mod arguments;
mod calls;
mod client_notifications;
mod custom_methods;
mod in_flight;
mod jsonrpc;
mod lifecycle;
mod results;
#[allow(dead_code, reason = "tools are called by name")]
#[path = "../fixtures/basic_tools.rs"]
mod tools;
mod tools_list;
