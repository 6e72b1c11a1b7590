use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hash};
use std::net::IpAddr;
use std::num::NonZeroU64;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

/// Divides a limit among callers: none can hold more than three times what is free.
///
/// One caller gets three quarters of the limit at most, the next one three quarters of
/// the rest, and so on: a caller that takes all it gets leaves room for others.
#[derive(Debug)]
pub(crate) struct Shares {
    limit: usize,
    used: Mutex<UsedShares>,
}

#[derive(Debug, Default)]
struct UsedShares {
    all: usize,
    by_caller: HashMap<CallerKey, usize>,
}

/// What one caller holds of a limit, until it is dropped.
#[derive(Debug)]
pub(crate) struct Share {
    shares: Arc<Shares>,
    caller: Option<CallerKey>,
    amount: usize,
}

/// The keyed hash of what identifies a caller, so that counting needs no copies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct CallerKey(NonZeroU64);

static HASHER: LazyLock<RandomState> = LazyLock::new(RandomState::new);

impl CallerKey {
    pub(crate) fn principal(id: &str) -> Self {
        Self::of(id)
    }

    fn of(value: impl Hash) -> Self {
        Self(NonZeroU64::new(HASHER.hash_one(value)).unwrap_or(NonZeroU64::MIN))
    }

    /// The key of an address; of IPv6 addresses, a site has all with the same 64 bits.
    pub(crate) fn address(address: IpAddr) -> Self {
        match address.to_canonical() {
            IpAddr::V4(address) => Self::of(address.to_bits()),
            IpAddr::V6(address) => Self::of(address.to_bits() >> 64),
        }
    }
}

/// Whether a caller that holds `own` may have `amount` more while `free` are free.
pub(crate) fn is_within_share(own: usize, free: usize, amount: usize) -> bool {
    amount <= free && own.saturating_add(amount) <= free.saturating_mul(3)
}

impl Shares {
    pub(crate) fn new(limit: usize) -> Arc<Self> {
        let used = Mutex::default();
        Arc::new(Self { limit, used })
    }

    /// Takes `amount` until the share is dropped; `None` if the caller or all callers
    /// hold too much. Only the limit itself applies to callers that nothing identifies.
    pub(crate) fn acquire(
        self: &Arc<Self>,
        caller: Option<CallerKey>,
        amount: usize,
    ) -> Option<Share> {
        let mut used = self.lock();
        let free = self.limit.saturating_sub(used.all);
        if amount > free {
            return None;
        }
        if let Some(caller) = caller {
            let own = used.by_caller.get(&caller).copied().unwrap_or_default();
            if !is_within_share(own, free, amount) {
                return None;
            }
            used.by_caller.insert(caller, own + amount);
        }
        used.all += amount;
        drop(used);
        let shares = Arc::clone(self);
        Some(Share {
            shares,
            caller,
            amount,
        })
    }

    /// How much of the limit all callers hold.
    pub(crate) fn used(&self) -> usize {
        self.lock().all
    }

    /// Poisoning is ignored, because no code panics while it holds the lock.
    fn lock(&self) -> MutexGuard<'_, UsedShares> {
        self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        let mut used = self.shares.lock();
        used.all -= self.amount;
        let Some(caller) = self.caller else { return };
        if let Some(own) = used.by_caller.get_mut(&caller) {
            *own -= self.amount;
            if *own == 0 {
                used.by_caller.remove(&caller);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::iter::from_fn;

    use super::*;

    fn take_all(shares: &Arc<Shares>, caller: Option<CallerKey>) -> Vec<Share> {
        from_fn(|| shares.acquire(caller, 1)).collect()
    }

    #[test]
    fn greedy_callers_leave_room_for_others() {
        let shares = Shares::new(4096);
        let mut held = Vec::new();
        for number in 0..5 {
            let free = shares.limit - shares.used();
            let caller = CallerKey::principal(&number.to_string());
            let taken = take_all(&shares, Some(caller));
            assert_eq!(taken.len(), free * 3 / 4, "{number}");
            held.push(taken);
        }
        drop(held);
        assert_eq!(shares.used(), 0);
        assert!(shares.lock().by_caller.is_empty());
    }

    #[test]
    fn small_limits_are_used_up() {
        for (limit, expected) in [(0, 0), (1, 1), (2, 2), (4, 3), (1365, 1024)] {
            let shares = Shares::new(limit);
            let caller = CallerKey::principal("alice");
            assert_eq!(take_all(&shares, Some(caller)).len(), expected, "{limit}");
            assert_eq!(take_all(&shares, None).len(), limit);
        }
        let shares = Shares::new(100);
        assert!(shares.acquire(None, 101).is_none());
        let _half = shares.acquire(None, 50).unwrap();
        assert!(shares.acquire(None, usize::MAX).is_none());
        assert_eq!(shares.used(), 50);
    }

    #[test]
    fn addresses_of_a_site_are_one_caller() {
        let key = |text: &str| CallerKey::address(text.parse().unwrap());
        assert_eq!(key("2001:db8::1"), key("2001:db8::ffff:1"));
        assert_ne!(key("2001:db8::1"), key("2001:db8:0:1::1"));
        assert_eq!(key("::ffff:192.0.2.1"), key("192.0.2.1"));
        assert_ne!(key("192.0.2.1"), key("192.0.2.2"));
    }
}
