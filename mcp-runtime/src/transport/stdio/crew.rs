use std::collections::VecDeque;
use std::fs::File;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, TryLockError};
use std::thread;
use std::time::Duration;

use tokio::runtime::EnterGuard;
use tokio::sync::{Notify, Semaphore};

use super::StdioOptions;
use super::lines::{Line, Lines};
use super::output::Output;
use super::watch::Watch;
use super::workers::Workers;
use crate::dispatch::{Dispatched, Dispatcher, Peer, Pending};
use crate::jsonrpc::{self, ErrorObject, Frame};

/// Threads that take turns at reading, so that a body that blocks can run where
/// it was read.
///
/// One thread leads: it reads and answers. Before a blocking body it lets go of
/// the input, and after it takes the input back — usually nobody else wanted
/// it, and the call cost no change of threads. Where a body takes long, the
/// [`Watch`] wakes another thread, which leads on.
#[derive(Debug)]
pub(super) struct Crew {
    lines: Mutex<Lines<File>>,
    output: Arc<Output>,
    dispatcher: Dispatcher,
    peer: Peer,
    options: StdioOptions,
    workers: Workers,
    permits: Arc<Semaphore>,
    roster: Mutex<Roster>,
    wake: Condvar,
    /// Whether somebody holds the input.
    pub(super) led: AtomicBool,
    /// Counts the blocking bodies that were begun.
    pub(super) turns: AtomicU64,
    watch: Watch,
    outstanding: AtomicUsize,
    closing: AtomicBool,
    /// Whether somebody waits for the last call, whom to wake costs more than a call.
    draining: AtomicBool,
    changed: Notify,
}

#[derive(Debug, Default)]
struct Roster {
    threads: usize,
    resting: usize,
    busy: usize,
    waiting: VecDeque<Pending>,
}

/// How long a thread rests before it leaves the crew.
const REST: Duration = Duration::from_secs(10);

impl Crew {
    pub(super) fn start(
        lines: Lines<File>,
        output: Arc<Output>,
        dispatcher: Dispatcher,
        peer: Peer,
        options: StdioOptions,
        workers: Workers,
    ) -> Arc<Self> {
        let crew = Arc::new(Self {
            lines: Mutex::new(lines),
            output,
            dispatcher,
            peer,
            workers,
            permits: Arc::new(Semaphore::new(options.concurrency.max(1))),
            options,
            roster: Mutex::default(),
            wake: Condvar::new(),
            led: AtomicBool::new(false),
            turns: AtomicU64::new(0),
            watch: Watch::default(),
            outstanding: AtomicUsize::new(0),
            closing: AtomicBool::new(false),
            draining: AtomicBool::new(false),
            changed: Notify::new(),
        });
        crew.enlist();
        crew
    }

    /// Completes when the input has ended.
    pub(super) async fn ended(&self) {
        self.until(|| self.is_closing()).await;
    }

    /// Completes when every call that was read is answered or cancelled.
    pub(super) async fn drained(&self) {
        self.draining.store(true, Ordering::SeqCst);
        self.until(|| self.outstanding.load(Ordering::SeqCst) == 0)
            .await;
    }

    /// Ends the conversation: what is left is dropped.
    pub(super) fn close(&self) {
        self.stop_reading();
        self.output.flush();
    }

    pub(super) fn is_closing(&self) -> bool {
        self.closing.load(Ordering::Acquire)
    }

    pub(super) fn watch(&self) -> &Watch {
        &self.watch
    }

    async fn until(&self, done: impl Fn() -> bool) {
        loop {
            let mut changed = std::pin::pin!(self.changed.notified());
            changed.as_mut().enable();
            if done() {
                return;
            }
            changed.await;
        }
    }

    /// Ends the listen streams, which would outlast everything else.
    pub(super) fn end_streams(&self) {
        self.peer.stop_listening();
    }

    fn stop_reading(&self) {
        // Whoever has closed its end listens no more, so nothing waits for that.
        self.end_streams();
        self.closing.store(true, Ordering::Release);
        self.changed.notify_waiters();
        self.wake.notify_all();
    }

    /// Has somebody lead who is not busy: one who rests, or a new thread.
    pub(super) fn relieve(self: &Arc<Self>) {
        let resting = self.roster().resting > 0;
        if resting {
            self.wake.notify_one();
        } else {
            self.enlist();
        }
    }

    /// One thread more than may be busy, so that somebody can always read.
    fn enlist(self: &Arc<Self>) {
        let mut roster = self.roster();
        if roster.threads > self.options.concurrency {
            return;
        }
        let crew = Arc::clone(self);
        let named = thread::Builder::new().name("mcp-stdio".to_owned());
        match named.spawn(move || crew.serve()) {
            Ok(_) => roster.threads += 1,
            Err(error) => tracing::warn!("no thread could be started: {error}"),
        }
    }

    /// The life of a thread.
    fn serve(self: Arc<Self>) {
        let mut inside = self.workers.enter_if_started();
        loop {
            // All that a user wrote is contained: a panic here is a fault of this crate,
            // which costs one reply, and must not cost the one who reads.
            let turn = catch_unwind(AssertUnwindSafe(|| self.take_turns(&mut inside)));
            match turn {
                Ok(()) => return,
                Err(_) => tracing::error!("a message was not answered: a fault of mcp-runtime"),
            }
        }
    }

    /// Does whatever is to be done, until this thread is not needed any more.
    fn take_turns<'a>(self: &'a Arc<Self>, inside: &mut Option<EnterGuard<'a>>) {
        let mut reply = Vec::new();
        loop {
            if let Some(pending) = self.next_waiting() {
                self.run(pending, &mut reply);
                self.output.flush();
            } else if let Some(lines) = self.take_lead() {
                self.lead(lines, inside, &mut reply);
            } else if !self.rest() {
                return;
            }
        }
    }

    /// Reads and answers until the input ends or somebody else leads.
    fn lead<'a>(
        self: &'a Arc<Self>,
        mut lines: MutexGuard<'a, Lines<File>>,
        inside: &mut Option<EnterGuard<'a>>,
        reply: &mut Vec<u8>,
    ) {
        loop {
            reply.clear();
            let dispatched = match lines.next(|| self.output.flush()) {
                _ if self.is_closing() => return,
                Line::Message(line) => {
                    let frame = Frame::parse(line);
                    if inside.is_none() && self.dispatcher.runs_bodies(&frame) {
                        *inside = Some(self.workers.handle().enter());
                    }
                    self.dispatcher.dispatch_frame(frame, &self.peer, reply)
                }
                Line::Oversized => {
                    jsonrpc::write_error(reply, None, &self.oversized());
                    self.output.push(reply);
                    continue;
                }
                Line::End => {
                    self.peer.hang_up();
                    self.output.flush();
                    return self.stop_reading();
                }
            };
            match dispatched {
                Dispatched::Silent => {}
                Dispatched::Replied(_) => self.output.push(reply),
                Dispatched::Pending(pending) if !pending.is_blocking() => self.spawn(pending),
                Dispatched::Pending(pending) => {
                    let Some(pending) = self.admit(pending) else {
                        continue;
                    };
                    self.led.store(false, Ordering::SeqCst);
                    drop(lines);
                    self.run(pending, reply);
                    match self.take_lead() {
                        Some(retaken) => lines = retaken,
                        None => return self.output.flush(),
                    }
                }
            }
        }
    }

    fn take_lead(&self) -> Option<MutexGuard<'_, Lines<File>>> {
        if self.is_closing() {
            return None;
        }
        let lines = match self.lines.try_lock() {
            Ok(lines) => lines,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return None,
        };
        self.led.store(true, Ordering::SeqCst);
        Some(lines)
    }

    /// Counts a blocking call as busy; if too many are, it waits for a thread.
    fn admit(&self, pending: Pending) -> Option<Pending> {
        self.outstanding.fetch_add(1, Ordering::AcqRel);
        let mut roster = self.roster();
        if roster.busy >= self.options.concurrency {
            roster.waiting.push_back(pending);
            return None;
        }
        roster.busy += 1;
        Some(pending)
    }

    fn next_waiting(&self) -> Option<Pending> {
        let mut roster = self.roster();
        if roster.busy >= self.options.concurrency {
            return None;
        }
        let pending = roster.waiting.pop_front()?;
        roster.busy += 1;
        Some(pending)
    }

    /// Runs an admitted call on this thread.
    fn run(self: &Arc<Self>, pending: Pending, reply: &mut Vec<u8>) {
        reply.clear();
        self.turns.fetch_add(1, Ordering::SeqCst);
        self.watch.begin(self);
        match pending.run_here(reply) {
            Dispatched::Silent => {}
            Dispatched::Replied(_) => self.output.push(reply),
            Dispatched::Pending(pending) => self.spawn(pending),
        }
        self.roster().busy -= 1;
        self.settled();
    }

    /// Runs a call that awaits on the runtime.
    fn spawn(self: &Arc<Self>, pending: Pending) {
        self.outstanding.fetch_add(1, Ordering::AcqRel);
        let crew = Arc::clone(self);
        self.workers.handle().spawn(async move {
            // A stream that is listened to does nothing most of the time.
            let permit = (!pending.is_long_lived()).then(|| crew.permits.acquire());
            let _permit = match permit {
                Some(permit) => permit.await.ok(),
                None => None,
            };
            let farewell = pending.farewell();
            if let Some(mut answer) = pending.answer().await {
                crew.output.push(&mut answer.bytes);
                // A stream that was refused has nothing to end.
                if let (Some(mut farewell), None) = (farewell, answer.status.error) {
                    crew.output.push(&mut farewell);
                }
                crew.output.flush();
            }
            crew.settled();
        });
    }

    /// One call less; its reply is with the output already.
    fn settled(&self) {
        let last = self.outstanding.fetch_sub(1, Ordering::SeqCst) == 1;
        if last && self.draining.load(Ordering::SeqCst) {
            self.changed.notify_waiters();
        }
    }

    /// Waits to be needed; `false` ends the thread.
    fn rest(&self) -> bool {
        let mut roster = self.roster();
        if !self.is_closing() {
            roster.resting += 1;
            let (woken, timeout) = self
                .wake
                .wait_timeout(roster, REST)
                .unwrap_or_else(|poisoned| poisoned.into_inner());
            roster = woken;
            roster.resting -= 1;
            if !timeout.timed_out() && !self.is_closing() {
                return true;
            }
        }
        // Calls that wait are still to be run, also while draining; where as many run as
        // may, one of those threads comes for the next.
        if !roster.waiting.is_empty() && roster.busy < self.options.concurrency {
            return true;
        }
        roster.threads -= 1;
        false
    }

    fn oversized(&self) -> ErrorObject {
        let limit = self.options.max_line;
        ErrorObject::invalid_request(format!("a message is at most {limit} bytes long"))
    }

    fn roster(&self) -> MutexGuard<'_, Roster> {
        // Only counters and a queue change under the lock, and nothing there panics.
        self.roster
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}
