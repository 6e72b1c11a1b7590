//! The limits on the calls of a server: rate, concurrency, duration and size.

mod arguments;
mod quotas;
mod rate;
#[cfg(feature = "http")]
mod shares;
#[cfg(feature = "http")]
mod work_counters;

pub(crate) use arguments::ArgumentLimits;
pub(crate) use quotas::Quotas;
pub use rate::Rate;
#[cfg(feature = "http")]
pub(crate) use shares::{CallerKey, Share, Shares, is_within_share};
