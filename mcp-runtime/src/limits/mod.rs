//! The limits on the calls of a server: rate, concurrency, duration and size.

mod arguments;
mod quotas;
mod rate;

pub(crate) use arguments::ArgumentLimits;
pub(crate) use quotas::Quotas;
pub use rate::Rate;
