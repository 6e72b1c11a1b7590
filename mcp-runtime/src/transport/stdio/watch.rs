use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread::{self, Thread};
use std::time::Duration;

use super::crew::Crew;

/// How often the watch looks; a body that lasts over one or two of these loses the lead.
const TICK: Duration = Duration::from_micros(500);
/// After this many quiet looks the watch sleeps until it is woken.
const QUIET: u32 = 40;

/// Notices when nobody reads because a body takes long.
#[derive(Debug, Default)]
pub(super) struct Watch {
    awake: AtomicBool,
    thread: OnceLock<Option<Thread>>,
}

impl Watch {
    /// Called when a blocking body begins; cheap while the watch is awake.
    pub(super) fn begin(&self, crew: &Arc<Crew>) {
        if self.awake.load(Ordering::SeqCst) || self.awake.swap(true, Ordering::SeqCst) {
            return;
        }
        match self.thread.get_or_init(|| self.start(crew)) {
            Some(thread) => thread.unpark(),
            // Without a watch, every blocking body gives the lead away at once.
            None => crew.relieve(),
        }
    }

    fn start(&self, crew: &Arc<Crew>) -> Option<Thread> {
        let crew = Arc::clone(crew);
        let named = thread::Builder::new().name("mcp-stdio-watch".to_owned());
        let started = named.spawn(move || look_on(&crew)).ok()?;
        Some(started.thread().clone())
    }
}

fn look_on(crew: &Arc<Crew>) {
    let (mut last, mut quiet) = (None, 0);
    while !crew.is_closing() {
        thread::sleep(TICK);
        let turn = crew.turns.load(Ordering::SeqCst);
        let unled = (!crew.led.load(Ordering::SeqCst)).then_some(turn);
        if unled.is_some() && unled == last {
            crew.relieve();
        }
        quiet = if unled.is_none() { quiet + 1 } else { 0 };
        last = unled;
        if quiet >= QUIET {
            crew.watch().sleep(crew);
            quiet = 0;
        }
    }
}

impl Watch {
    /// Sleeps unless a body began in the meantime.
    fn sleep(&self, crew: &Crew) {
        self.awake.store(false, Ordering::SeqCst);
        if crew.led.load(Ordering::SeqCst) {
            thread::park();
        } else {
            self.awake.store(true, Ordering::SeqCst);
        }
    }
}
