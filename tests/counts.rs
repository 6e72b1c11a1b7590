//! How much a message takes: counts that hold on every machine.
//!
//! Each number is the one that was reached; a change that needs more has to say why.

#[path = "counts/allocations.rs"]
mod allocations;
#[path = "counts/kept.rs"]
mod kept;
#[cfg(target_os = "linux")]
#[path = "counts/writes.rs"]
mod writes;
