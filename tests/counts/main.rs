//! Allocations, memory and writes of a message: counts that hold on every machine.
//!
//! Each limit is the current value; a change that needs more must explain why.

mod allocations;
mod http_memory;
#[cfg(target_os = "linux")]
mod writes;
