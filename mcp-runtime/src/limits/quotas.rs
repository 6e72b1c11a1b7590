use std::collections::HashMap;
#[cfg(feature = "http")]
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::Semaphore;

use super::rate::RateLimiter;
#[cfg(feature = "http")]
use super::work_counters::WorkCounters;
use super::{ArgumentLimits, Rate};

/// The limits that a server sets for the calls of all callers.
#[derive(Debug)]
pub(crate) struct Quotas {
    /// The timeout of calls whose definition does not set its own timeout.
    pub(crate) timeout: Option<Duration>,
    /// The maximum size in bytes of a result's content, if the tool does not set its own limit.
    pub(crate) max_result_bytes: usize,
    pub(crate) arguments: ArgumentLimits,
    /// The maximum number of concurrent calls of one client.
    pub(crate) per_client: Option<usize>,
    /// The semaphore with one permit for each concurrent call of the server.
    pub(crate) calls: Option<Arc<Semaphore>>,
    /// The rate limit for each combination of a caller and a definition.
    pub(crate) rate: Option<Rate>,
    /// The rate limits that replace `rate`, by the name of a definition or a method.
    pub(crate) rates: HashMap<String, Rate>,
    limiter: RateLimiter,
    #[cfg(feature = "http")]
    work_counters: WorkCounters,
    /// The semaphores of the tools with `max_concurrency`, by tool name.
    tool_semaphores: Mutex<HashMap<Box<str>, Arc<Semaphore>>>,
}

impl Default for Quotas {
    fn default() -> Self {
        Self {
            timeout: None,
            max_result_bytes: 4 * 1024 * 1024,
            arguments: ArgumentLimits::default(),
            per_client: None,
            calls: None,
            rate: None,
            rates: HashMap::new(),
            limiter: RateLimiter::default(),
            #[cfg(feature = "http")]
            work_counters: WorkCounters::default(),
            tool_semaphores: Mutex::default(),
        }
    }
}

impl Quotas {
    /// Counts a request of `caller` towards the rate limit of `method` and `name`.
    ///
    /// # Errors
    /// Returns the time until the next request is allowed if the limit is exceeded.
    pub(crate) fn check_rate(
        &self,
        caller: Option<&str>,
        method: &str,
        name: &str,
    ) -> Result<(), Duration> {
        let Some(rate) = self.rate_of(method, name) else {
            return Ok(());
        };
        let caller = caller.unwrap_or_default();
        let target = format!("{method} {name}");
        self.limiter.try_acquire(rate, caller, &target)
    }

    /// Whether requests with this method and name have no rate limit and no concurrency limit.
    pub(crate) fn is_unlimited(&self, method: &str, name: &str) -> bool {
        let rate = self.rate_of(method, name);
        rate.is_none() && self.calls.is_none() && self.per_client.is_none()
    }

    fn rate_of(&self, method: &str, name: &str) -> Option<Rate> {
        let specific = self.rates.get(name).or_else(|| self.rates.get(method));
        specific.copied().or(self.rate)
    }

    /// The counter of the calls and tasks of a caller. One without a principal has its own,
    /// and so have all without a limit per client, which would only share a lock.
    #[cfg(feature = "http")]
    pub(crate) fn work_counter(&self, principal: Option<&str>) -> Arc<AtomicUsize> {
        let counted = principal.filter(|_| self.per_client.is_some());
        counted
            .map(|id| self.work_counters.counter(id))
            .unwrap_or_default()
    }

    /// Returns the semaphore of a tool with `max_concurrency`.
    pub(crate) fn tool_semaphore(&self, tool: &str, max_concurrency: usize) -> Arc<Semaphore> {
        // Poisoning is ignored, because no code panics while it holds the lock.
        let lock = self.tool_semaphores.lock();
        let mut semaphores = lock.unwrap_or_else(PoisonError::into_inner);
        let permits = max_concurrency.clamp(1, Semaphore::MAX_PERMITS);
        let new_semaphore = || Arc::new(Semaphore::new(permits));
        Arc::clone(semaphores.entry(tool.into()).or_insert_with(new_semaphore))
    }
}
