use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How many calls in what time; unused ones are kept up to that number.
///
/// Calls are spread by the generic cell rate algorithm: after a burst of `calls`
/// the next is free after `per / calls`, and after a pause of `per` all are.
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
    /// So many calls in that time; with 0 there are none at all.
    #[must_use]
    pub const fn new(calls: u32, per: Duration) -> Self {
        Self { calls, per }
    }

    /// So many calls a second.
    #[must_use]
    pub const fn per_second(calls: u32) -> Self {
        Self::new(calls, Duration::from_secs(1))
    }

    /// So many calls a minute.
    #[must_use]
    pub const fn per_minute(calls: u32) -> Self {
        Self::new(calls, Duration::from_secs(60))
    }

    /// So many calls an hour.
    #[must_use]
    pub const fn per_hour(calls: u32) -> Self {
        Self::new(calls, Duration::from_secs(3600))
    }

    /// Takes a call at `now`, or tells how long it is until the next is free.
    ///
    /// `due` is the time at which all calls taken so far would be paid for at an
    /// even pace; both are counted from one beginning.
    fn take(self, now: Duration, due: &mut Duration) -> Result<(), Duration> {
        let Some(pace) = self.per.checked_div(self.calls) else {
            return Err(self.per);
        };
        let next = (*due).max(now).saturating_add(pace);
        let latest = now.saturating_add(pace.saturating_mul(self.calls));
        if next > latest {
            return Err(next - latest);
        }
        *due = next;
        Ok(())
    }
}

/// Counts the calls of every caller and tool.
///
/// Time is that of a monotonic clock, so that setting the clock frees nobody.
#[derive(Debug)]
pub(crate) struct RateLimiter {
    beginning: Instant,
    table: Mutex<Table>,
}

#[derive(Debug)]
struct Table {
    due: HashMap<Box<str>, Duration>,
    /// How many entries there may be before those that are paid for are dropped.
    sweep_at: usize,
}

const FIRST_SWEEP: usize = 1024;

impl Default for RateLimiter {
    fn default() -> Self {
        Self {
            beginning: Instant::now(),
            table: Mutex::new(Table {
                due: HashMap::new(),
                sweep_at: FIRST_SWEEP,
            }),
        }
    }
}

impl RateLimiter {
    /// Takes a call of `caller` to `tool`, or tells how long to wait.
    pub(crate) fn take(&self, rate: Rate, caller: &str, tool: &str) -> Result<(), Duration> {
        let now = self.beginning.elapsed();
        // A panic cannot happen under the lock; if it did, the table would still be whole.
        let mut table = self.table.lock().unwrap_or_else(PoisonError::into_inner);
        table.take(rate, now, format!("{tool}\n{caller}").into())
    }
}

impl Table {
    fn take(&mut self, rate: Rate, now: Duration, key: Box<str>) -> Result<(), Duration> {
        if self.due.len() >= self.sweep_at {
            self.due.retain(|_, due| *due > now);
            self.sweep_at = FIRST_SWEEP.max(2 * self.due.len());
        }
        rate.take(now, self.due.entry(key).or_default())
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

    /// The times at which calls were taken, of those at which they were wanted.
    fn taken(rate: Rate, gaps: &[u64]) -> Vec<Duration> {
        let (mut now, mut due) = (Duration::ZERO, Duration::ZERO);
        let mut taken = Vec::new();
        for gap in gaps {
            now += millis(*gap);
            if rate.take(now, &mut due).is_ok() {
                taken.push(now);
            }
        }
        taken
    }

    proptest! {
        #[test]
        fn no_span_has_more_than_a_burst_and_the_pace(
            calls in 1..20_u32, per in 1..5000_u64, gaps in vec(0..400_u64, 0..200),
        ) {
            let rate = Rate::new(calls, millis(per));
            let taken = taken(rate, &gaps);
            let pace = (millis(per) / calls).as_nanos();
            for (first, start) in taken.iter().enumerate() {
                for (last, end) in taken.iter().enumerate().skip(first) {
                    let paced = (*end - *start).as_nanos() / pace;
                    prop_assert!(((last - first + 1) as u128) <= u128::from(calls) + paced);
                }
            }
        }

        #[test]
        fn waiting_as_told_frees_a_call_and_less_does_not(
            calls in 1..20_u32, per in 1..5000_u64, gaps in vec(0..400_u64, 0..60),
        ) {
            let rate = Rate::new(calls, millis(per));
            let (mut now, mut due) = (Duration::ZERO, Duration::ZERO);
            for gap in gaps {
                now += millis(gap);
                if let Err(wait) = rate.take(now, &mut due) {
                    let almost = wait - Duration::from_nanos(1);
                    prop_assert!(rate.take(now + almost, &mut due.clone()).is_err());
                    prop_assert!(rate.take(now + wait, &mut due.clone()).is_ok());
                }
            }
        }

        #[test]
        fn after_a_pause_a_whole_burst_is_free(
            calls in 1..20_u32, per in 1..5000_u64, gaps in vec(0..400_u64, 0..60),
        ) {
            let rate = Rate::new(calls, millis(per));
            let (mut now, mut due) = (Duration::ZERO, Duration::ZERO);
            for gap in gaps {
                now += millis(gap);
                let _ = rate.take(now, &mut due);
            }
            now += millis(per);
            for _ in 0..calls {
                prop_assert_eq!(rate.take(now, &mut due), Ok(()));
            }
            prop_assert!(rate.take(now, &mut due).is_err());
        }
    }

    #[test]
    fn callers_and_tools_are_counted_apart() {
        let limiter = RateLimiter::default();
        let rate = Rate::per_hour(1);
        for (caller, tool) in [("a", "x"), ("b", "x"), ("a", "y"), ("", "x")] {
            assert_eq!(limiter.take(rate, caller, tool), Ok(()));
            assert!(limiter.take(rate, caller, tool).is_err());
        }
    }

    #[test]
    fn none_are_free_at_a_rate_of_none() {
        let limiter = RateLimiter::default();
        let wait = limiter.take(Rate::per_minute(0), "a", "x");
        assert_eq!(wait, Err(Duration::from_secs(60)));
    }

    #[test]
    fn callers_who_have_left_are_forgotten() {
        let mut table = Table {
            due: HashMap::new(),
            sweep_at: FIRST_SWEEP,
        };
        for caller in 0..10 * FIRST_SWEEP as u64 {
            let now = Duration::from_secs(caller);
            let key = caller.to_string().into();
            assert_eq!(table.take(Rate::per_second(1), now, key), Ok(()));
            assert!(table.due.len() <= FIRST_SWEEP);
        }
    }
}
