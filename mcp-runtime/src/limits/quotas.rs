use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::Semaphore;

use super::rate::RateLimiter;
use super::{InputLimits, Rate};

/// What a server allows its callers.
#[derive(Debug)]
pub(crate) struct Quotas {
    /// How long a body may take that says nothing of its own.
    pub(crate) timeout: Option<Duration>,
    /// How many bytes of content a result may have that says nothing of its own.
    pub(crate) result: usize,
    pub(crate) input: InputLimits,
    /// How many calls of one client may run at the same time.
    pub(crate) per_client: Option<usize>,
    /// One permit for each call that may run at the same time.
    pub(crate) calls: Option<Arc<Semaphore>>,
    /// How often each caller may call each tool.
    pub(crate) rate: Option<Rate>,
    /// The same for what has that name, or comes by that method.
    pub(crate) rates: HashMap<String, Rate>,
    limiter: RateLimiter,
    slots: Mutex<HashMap<Box<str>, Arc<Semaphore>>>,
}

impl Default for Quotas {
    fn default() -> Self {
        Self {
            timeout: None,
            result: 4 * 1024 * 1024,
            input: InputLimits::default(),
            per_client: None,
            calls: None,
            rate: None,
            rates: HashMap::new(),
            limiter: RateLimiter::default(),
            slots: Mutex::default(),
        }
    }
}

impl Quotas {
    /// Takes a request of `caller` about `name`, or tells how long to wait; every
    /// method counts for itself.
    pub(crate) fn take(
        &self,
        caller: Option<&str>,
        method: &str,
        name: &str,
    ) -> Result<(), Duration> {
        let own = self.rates.get(name).or_else(|| self.rates.get(method));
        let Some(rate) = own.copied().or(self.rate) else {
            return Ok(());
        };
        let caller = caller.unwrap_or_default();
        self.limiter.take(rate, caller, &format!("{method} {name}"))
    }

    /// Whether no count of requests of that method can stand in the way of `name`.
    pub(crate) fn is_free(&self, method: &str, name: &str) -> bool {
        let own = self.rates.get(name).or_else(|| self.rates.get(method));
        let rate = own.or(self.rate.as_ref());
        rate.is_none() && self.calls.is_none() && self.per_client.is_none()
    }

    /// The permits of a tool of which `most` calls may run at the same time.
    pub(crate) fn slots(&self, tool: &str, most: usize) -> Arc<Semaphore> {
        // A panic cannot happen under the lock; if it did, the map would still be whole.
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        let made = || Arc::new(Semaphore::new(most.clamp(1, Semaphore::MAX_PERMITS)));
        Arc::clone(slots.entry(tool.into()).or_insert_with(made))
    }
}
