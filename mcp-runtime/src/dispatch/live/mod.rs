//! A server that changes while it serves: what is added and removed, and who is
//! told of it.

mod audience;
mod handle;
mod made;
mod news;
mod stream;
mod updates;

pub(super) use audience::{Audience, Place};
pub use handle::ServerHandle;
pub use made::Added;
pub(super) use news::News;
pub(super) use stream::Stream;
