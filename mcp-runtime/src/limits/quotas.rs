use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::Semaphore;

use super::rate::RateLimiter;
use super::{ArgumentLimits, Rate};

/// The limits that a server sets for all its callers.
#[derive(Debug)]
pub(crate) struct Quotas {
    /// The timeout of tools that do not set their own.
    pub(crate) timeout: Option<Duration>,
    /// The most bytes of content in the result of a tool that does not set its own limit.
    pub(crate) max_result_bytes: usize,
    pub(crate) arguments: ArgumentLimits,
    /// The most concurrent calls of one client.
    pub(crate) per_client: Option<usize>,
    /// One permit for each concurrent call.
    pub(crate) calls: Option<Arc<Semaphore>>,
    /// The rate for each caller and definition.
    pub(crate) rate: Option<Rate>,
    /// Rates that replace `rate`, by the name of a definition or a method.
    pub(crate) rates: HashMap<String, Rate>,
    limiter: RateLimiter,
    /// The permits of tools with `max_concurrency`, by tool name.
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
            tool_semaphores: Mutex::default(),
        }
    }
}

impl Quotas {
    /// Counts a request of `caller` against the rate limit of `method` and `name`; the
    /// error is the time until the next request is allowed.
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

    /// Whether neither a rate nor a concurrency limit applies to this method and name.
    pub(crate) fn is_unlimited(&self, method: &str, name: &str) -> bool {
        let rate = self.rate_of(method, name);
        rate.is_none() && self.calls.is_none() && self.per_client.is_none()
    }

    fn rate_of(&self, method: &str, name: &str) -> Option<Rate> {
        let specific = self.rates.get(name).or_else(|| self.rates.get(method));
        specific.copied().or(self.rate)
    }

    /// The permits of a tool with `max_concurrency`.
    pub(crate) fn tool_semaphore(&self, tool: &str, max_concurrency: usize) -> Arc<Semaphore> {
        // Nothing panics under the lock, and the map would stay consistent if it did.
        let lock = self.tool_semaphores.lock();
        let mut semaphores = lock.unwrap_or_else(PoisonError::into_inner);
        let permits = max_concurrency.clamp(1, Semaphore::MAX_PERMITS);
        let new_semaphore = || Arc::new(Semaphore::new(permits));
        Arc::clone(semaphores.entry(tool.into()).or_insert_with(new_semaphore))
    }
}
