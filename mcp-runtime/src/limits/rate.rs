use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A rate limit: a maximum number of calls per period. All calls of a period may come in one burst.
///
/// The limit uses the generic cell rate algorithm (GCRA). After a burst of `calls` calls, one more
/// call is allowed in each interval of `per / calls`. After a pause of `per`, a full burst is
/// allowed again.
///
/// ```
/// use mcp_runtime::{Rate, Server};
///
/// let server = Server::new("example", "1.0.0").rate_limit(Rate::per_minute(60));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    calls: u32,
    per: Duration,
}

impl Rate {
    /// Creates a limit of `calls` calls per period `per`. If `calls` is `0`, every call is
    /// rejected.
    #[must_use]
    pub const fn new(calls: u32, per: Duration) -> Self {
        Self { calls, per }
    }

    /// Creates a limit of `calls` calls per second.
    #[must_use]
    pub const fn per_second(calls: u32) -> Self {
        Self::new(calls, Duration::from_secs(1))
    }

    /// Creates a limit of `calls` calls per minute.
    #[must_use]
    pub const fn per_minute(calls: u32) -> Self {
        Self::new(calls, Duration::from_secs(60))
    }

    /// Creates a limit of `calls` calls per hour.
    #[must_use]
    pub const fn per_hour(calls: u32) -> Self {
        Self::new(calls, Duration::from_secs(3600))
    }

    /// Counts a call at the time `now`.
    ///
    /// `arrival` is the theoretical arrival time of GCRA, at which all calls so far would have been
    /// made at an even pace. Both times are relative to the same instant.
    ///
    /// # Errors
    /// Returns the time until the next call is allowed if the limit is exceeded.
    fn try_acquire(self, now: Duration, arrival: &mut Duration) -> Result<(), Duration> {
        let Some(interval) = self.per.checked_div(self.calls) else {
            return Err(self.per);
        };
        let next = (*arrival).max(now).saturating_add(interval);
        let latest = now.saturating_add(interval.saturating_mul(self.calls));
        if next > latest {
            return Err(next - latest);
        }
        *arrival = next;
        Ok(())
    }
}

/// The rate limiter of a server, which counts the calls of each caller and definition separately.
///
/// The limiter uses a monotonic clock, because the system clock may be set.
#[derive(Debug)]
pub(crate) struct RateLimiter {
    start: Instant,
    arrivals: Mutex<ArrivalTimes>,
}

#[derive(Debug)]
struct ArrivalTimes {
    by_key: HashMap<Box<str>, Duration>,
    /// The number of entries at which the entries with a time in the past are removed.
    sweep_at: usize,
}

const FIRST_SWEEP: usize = 1024;

impl Default for RateLimiter {
    fn default() -> Self {
        Self {
            start: Instant::now(),
            arrivals: Mutex::new(ArrivalTimes {
                by_key: HashMap::new(),
                sweep_at: FIRST_SWEEP,
            }),
        }
    }
}

impl RateLimiter {
    /// Counts a call of `caller` to `tool`.
    ///
    /// # Errors
    /// Returns the time until the next call is allowed if the limit is exceeded.
    pub(crate) fn try_acquire(&self, rate: Rate, caller: &str, tool: &str) -> Result<(), Duration> {
        let now = self.start.elapsed();
        // Poisoning is ignored, because no code panics while it holds the lock.
        let lock = self.arrivals.lock();
        let mut arrivals = lock.unwrap_or_else(PoisonError::into_inner);
        arrivals.try_acquire(rate, now, format!("{tool}\n{caller}").into())
    }
}

impl ArrivalTimes {
    fn try_acquire(&mut self, rate: Rate, now: Duration, key: Box<str>) -> Result<(), Duration> {
        if self.by_key.len() >= self.sweep_at {
            self.by_key.retain(|_, arrival| *arrival > now);
            self.sweep_at = FIRST_SWEEP.max(2 * self.by_key.len());
        }
        rate.try_acquire(now, self.by_key.entry(key).or_default())
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    const fn millis(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    /// Returns the times of the allowed calls. `gaps` are the times between the calls.
    fn allowed(rate: Rate, gaps: &[u64]) -> Vec<Duration> {
        let (mut now, mut arrival) = (Duration::ZERO, Duration::ZERO);
        let mut allowed = Vec::new();
        for gap in gaps {
            now += millis(*gap);
            if rate.try_acquire(now, &mut arrival).is_ok() {
                allowed.push(now);
            }
        }
        allowed
    }

    proptest! {
        #[test]
        fn every_interval_allows_at_most_a_burst_plus_the_steady_rate(
            calls in 1..20_u32, per in 1..5000_u64, gaps in vec(0..400_u64, 0..200),
        ) {
            let rate = Rate::new(calls, millis(per));
            let allowed = allowed(rate, &gaps);
            let interval = (millis(per) / calls).as_nanos();
            for (first, start) in allowed.iter().enumerate() {
                for (last, end) in allowed.iter().enumerate().skip(first) {
                    let steady = (*end - *start).as_nanos() / interval;
                    prop_assert!(((last - first + 1) as u128) <= u128::from(calls) + steady);
                }
            }
        }

        #[test]
        fn waiting_the_returned_time_allows_a_call_and_less_does_not(
            calls in 1..20_u32, per in 1..5000_u64, gaps in vec(0..400_u64, 0..60),
        ) {
            let rate = Rate::new(calls, millis(per));
            let (mut now, mut arrival) = (Duration::ZERO, Duration::ZERO);
            for gap in gaps {
                now += millis(gap);
                if let Err(wait) = rate.try_acquire(now, &mut arrival) {
                    let almost = wait - Duration::from_nanos(1);
                    prop_assert!(rate.try_acquire(now + almost, &mut arrival.clone()).is_err());
                    prop_assert!(rate.try_acquire(now + wait, &mut arrival.clone()).is_ok());
                }
            }
        }

        #[test]
        fn after_a_pause_a_full_burst_is_allowed(
            calls in 1..20_u32, per in 1..5000_u64, gaps in vec(0..400_u64, 0..60),
        ) {
            let rate = Rate::new(calls, millis(per));
            let (mut now, mut arrival) = (Duration::ZERO, Duration::ZERO);
            for gap in gaps {
                now += millis(gap);
                let _ = rate.try_acquire(now, &mut arrival);
            }
            now += millis(per);
            for _ in 0..calls {
                prop_assert_eq!(rate.try_acquire(now, &mut arrival), Ok(()));
            }
            prop_assert!(rate.try_acquire(now, &mut arrival).is_err());
        }
    }

    #[test]
    fn callers_and_tools_are_counted_separately() {
        let limiter = RateLimiter::default();
        let rate = Rate::per_hour(1);
        for (caller, tool) in [("a", "x"), ("b", "x"), ("a", "y"), ("", "x")] {
            assert_eq!(limiter.try_acquire(rate, caller, tool), Ok(()));
            assert!(limiter.try_acquire(rate, caller, tool).is_err());
        }
    }

    #[test]
    fn a_rate_of_zero_allows_no_call() {
        let limiter = RateLimiter::default();
        let wait = limiter.try_acquire(Rate::per_minute(0), "a", "x");
        assert_eq!(wait, Err(Duration::from_secs(60)));
    }

    #[test]
    fn entries_in_the_past_are_removed() {
        let mut arrivals = ArrivalTimes {
            by_key: HashMap::new(),
            sweep_at: FIRST_SWEEP,
        };
        for caller in 0..10 * FIRST_SWEEP as u64 {
            let now = Duration::from_secs(caller);
            let key = caller.to_string().into();
            assert_eq!(arrivals.try_acquire(Rate::per_second(1), now, key), Ok(()));
            assert!(arrivals.by_key.len() <= FIRST_SWEEP);
        }
    }
}
