//! How much a caller may use: how often, how many at once, how long, how big.

mod input;
mod quotas;
mod rate;

pub(crate) use input::InputLimits;
pub(crate) use quotas::Quotas;
pub use rate::Rate;
