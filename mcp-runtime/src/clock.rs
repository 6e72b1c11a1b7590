//! The time of day, for what is compared with times elsewhere.
//!
//! Everything else — timeouts, rates, the life of sessions — is counted on a
//! monotonic clock, so that setting this one frees nobody and ends nothing. JSON Web
//! Tokens, and tasks that have ended, expire by the system's own clock.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

/// Tells the time; that of the system unless somebody gives another.
#[derive(Clone)]
pub(crate) struct Clock(Arc<dyn Fn() -> SystemTime + Send + Sync>);

impl Clock {
    pub(crate) fn new(now: impl Fn() -> SystemTime + Send + Sync + 'static) -> Self {
        Self(Arc::new(now))
    }

    /// Since 1970; nothing where the clock stands before that, which is set wrongly.
    pub(crate) fn since_1970(&self) -> Option<Duration> {
        (self.0)().duration_since(SystemTime::UNIX_EPOCH).ok()
    }
}

impl Default for Clock {
    fn default() -> Self {
        Self::new(SystemTime::now)
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Clock")
    }
}
