use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread::{self, Thread};
use std::time::Duration;

/// The interval of the monitor's checks. If a handler takes longer than one or two intervals,
/// another thread becomes the leader.
const TICK: Duration = Duration::from_micros(500);
/// The number of consecutive checks without a blocked handler after which the monitor sleeps.
const IDLE_TICKS: u32 = 40;

/// A thread pool that a [`StallMonitor`] observes.
pub(super) trait MonitoredPool: Send + Sync + 'static {
    fn monitor(&self) -> &StallMonitor;
    fn is_closing(&self) -> bool;
    /// Whether a thread reads the input.
    fn has_leader(&self) -> bool;
    /// The number of blocking handlers that were started so far.
    fn handlers_started(&self) -> u64;
    /// Wakes an idle thread, or starts a new one, to become the leader.
    fn promote_follower(self: &Arc<Self>);
}

/// A monitor that promotes another thread to leader when a blocking handler keeps the leader from
/// reading.
#[derive(Debug, Default)]
pub(super) struct StallMonitor {
    awake: AtomicBool,
    thread: OnceLock<Option<Thread>>,
}

impl StallMonitor {
    /// Wakes the monitor when a blocking handler starts. This is cheap while the monitor is already
    /// awake.
    pub(super) fn handler_started(&self, pool: &Arc<impl MonitoredPool>) {
        if self.awake.load(Ordering::SeqCst) || self.awake.swap(true, Ordering::SeqCst) {
            return;
        }
        match self.thread.get_or_init(|| self.start(pool)) {
            Some(thread) => thread.unpark(),
            // If the monitor thread cannot start, a follower becomes the leader at once.
            None => pool.promote_follower(),
        }
    }

    fn start(&self, pool: &Arc<impl MonitoredPool>) -> Option<Thread> {
        let pool = Arc::clone(pool);
        let named = thread::Builder::new().name("mcp-stdio-monitor".to_owned());
        let started = named.spawn(move || monitor(&pool)).ok()?;
        Some(started.thread().clone())
    }
}

fn monitor(pool: &Arc<impl MonitoredPool>) {
    let (mut last, mut idle_ticks) = (None, 0);
    while !pool.is_closing() {
        thread::sleep(TICK);
        let started = pool.handlers_started();
        let without_leader = (!pool.has_leader()).then_some(started);
        if without_leader.is_some() && without_leader == last {
            pool.promote_follower();
        }
        idle_ticks = if without_leader.is_none() {
            idle_ticks + 1
        } else {
            0
        };
        last = without_leader;
        if idle_ticks >= IDLE_TICKS {
            pool.monitor().sleep(&**pool);
            idle_ticks = 0;
        }
    }
}

impl StallMonitor {
    /// Parks the monitor thread, unless a handler started since the last check.
    fn sleep(&self, pool: &impl MonitoredPool) {
        self.awake.store(false, Ordering::SeqCst);
        if pool.has_leader() {
            thread::park();
        } else {
            self.awake.store(true, Ordering::SeqCst);
        }
    }
}
