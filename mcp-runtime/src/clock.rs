//! The clock for sealed request states and audit records, which tests can replace.
//!
//! Timeouts, rate limits and session lifetimes use a monotonic clock instead. JSON Web Tokens and
//! finished tasks expire by the real system clock.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

/// A clock that returns the system time by default, or the time that a test sets.
#[derive(Clone)]
pub(crate) struct Clock(Arc<dyn Fn() -> SystemTime + Send + Sync>);

impl Clock {
    pub(crate) fn new(now: impl Fn() -> SystemTime + Send + Sync + 'static) -> Self {
        Self(Arc::new(now))
    }

    /// Returns the time since the Unix epoch, or `None` if the clock is set to an earlier time.
    pub(crate) fn since_epoch(&self) -> Option<Duration> {
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
