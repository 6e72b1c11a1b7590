//! What a macro makes of a function: from inputs to a body that is ready to run.

mod body;
mod borrows;
mod carrying;
mod inputs;
mod listing;

pub use body::Body;
pub use borrows::Borrows;
pub use carrying::{Carrying, Stranded};
pub use inputs::Inputs;
pub use listing::{Lender, Lister, lister};

use crate::argument::Refusal;

/// Reads the inputs of a call and readies the body, without running it.
pub type Prepare<T> = fn(&mut Inputs<'_>) -> Result<Body<T>, Refusal>;
