//! How much a caller may use: how often, how many at once, how long, how big.

mod input;
mod rate;

pub(crate) use input::InputLimits;
pub use rate::Rate;
pub(crate) use rate::RateLimiter;
