//! Moves bytes between a client and the dispatcher.
//!
//! A transport owes the dispatcher whole frames and a tokio runtime to be in,
//! and owes the client every reply exactly once. It never looks into a message.

mod memory;
mod stdio;

pub(crate) use memory::Memory;
pub use stdio::StdioOptions;
pub(crate) use stdio::serve as serve_stdio;
