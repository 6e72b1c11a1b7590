//! The transport on standard input and output, against a real process.

#[path = "stdio/behaviour.rs"]
mod behaviour;
#[path = "stdio/child.rs"]
mod child;
#[path = "stdio/ending.rs"]
mod ending;
#[path = "stdio/plain.rs"]
mod plain;
#[path = "stdio/start.rs"]
mod start;
