use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, TryLockError, mpsc};
use std::thread;
use std::time::Duration;

use tokio::runtime::EnterGuard;
use tokio::sync::{Notify, Semaphore};

use super::handler_runtime::HandlerRuntime;
use super::line_reader::{Line, LineReader};
use super::message_writer::MessageWriter;
use super::options::StdioOptions;
use super::stall_monitor::{MonitoredPool, StallMonitor};
use crate::dispatch::{Connection, DispatchOutcome, Dispatcher, PendingCall};
use crate::jsonrpc::{self, ErrorObject, Frame};

/// A thread pool that follows the leader/followers pattern and runs a blocking handler on the
/// thread that read its request.
///
/// The leader is the thread that holds the lock on the input, and reads and answers messages. It
/// releases the lock before it runs a blocking handler, and acquires it again afterwards. Usually
/// no other thread has acquired the lock in the meantime, and the call needs no thread switch. If a
/// handler takes long, the [`StallMonitor`] promotes a follower to leader.
#[derive(Debug)]
pub(super) struct WorkerPool {
    lines: Mutex<LineReader<File>>,
    output: Arc<MessageWriter>,
    dispatcher: Dispatcher,
    connection: Connection,
    options: StdioOptions,
    runtime: HandlerRuntime,
    permits: Arc<Semaphore>,
    state: Mutex<PoolState>,
    wake: Condvar,
    /// Whether a thread holds the lock on the input.
    has_leader: AtomicBool,
    /// The number of blocking handlers started so far.
    handlers_started: AtomicU64,
    monitor: StallMonitor,
    /// The number of calls that have not finished.
    in_flight: AtomicUsize,
    closing: AtomicBool,
    /// Whether a task waits for the last call to finish. Only then is the task woken, because a
    /// wake-up costs more than a short call.
    draining: AtomicBool,
    changed: Notify,
}

#[derive(Debug, Default)]
struct PoolState {
    threads: usize,
    idle: usize,
    /// The number of threads that run a blocking handler.
    busy: usize,
    /// The blocking calls that wait for a thread.
    waiting: VecDeque<PendingCall>,
}

/// The time that an idle thread waits before it ends.
const IDLE_TIMEOUT: Duration = Duration::from_secs(10);

/// The maximum time for writing the last replies.
const FLUSH_TIMEOUT: Duration = Duration::from_millis(200);

impl MonitoredPool for WorkerPool {
    fn monitor(&self) -> &StallMonitor {
        &self.monitor
    }

    fn is_closing(&self) -> bool {
        self.closing.load(Ordering::Acquire)
    }

    fn has_leader(&self) -> bool {
        self.has_leader.load(Ordering::SeqCst)
    }

    fn handlers_started(&self) -> u64 {
        self.handlers_started.load(Ordering::SeqCst)
    }

    fn promote_follower(self: &Arc<Self>) {
        let has_idle_thread = self.state().idle > 0;
        if has_idle_thread {
            self.wake.notify_one();
        } else {
            self.spawn_thread();
        }
    }
}

impl WorkerPool {
    pub(super) fn start(
        lines: LineReader<File>,
        output: Arc<MessageWriter>,
        dispatcher: Dispatcher,
        connection: Connection,
        options: StdioOptions,
        runtime: HandlerRuntime,
    ) -> Arc<Self> {
        let pool = Arc::new(Self {
            lines: Mutex::new(lines),
            output,
            dispatcher,
            connection,
            runtime,
            permits: Arc::new(Semaphore::new(options.concurrency.max(1))),
            options,
            state: Mutex::default(),
            wake: Condvar::new(),
            has_leader: AtomicBool::new(false),
            handlers_started: AtomicU64::new(0),
            monitor: StallMonitor::default(),
            in_flight: AtomicUsize::new(0),
            closing: AtomicBool::new(false),
            draining: AtomicBool::new(false),
            changed: Notify::new(),
        });
        pool.spawn_thread();
        pool
    }

    /// Waits until the input has ended.
    pub(super) async fn input_ended(&self) {
        self.wait_until(|| self.is_closing()).await;
    }

    /// Waits until every call that was read is answered or cancelled.
    pub(super) async fn drained(&self) {
        self.draining.store(true, Ordering::SeqCst);
        self.wait_until(|| self.in_flight.load(Ordering::SeqCst) == 0)
            .await;
    }

    /// Closes the connection and drops the remaining calls.
    ///
    /// Returns `true` if the last replies were written in time. A separate thread writes the
    /// replies because a client that does not read them blocks that thread.
    pub(super) fn close(self: &Arc<Self>) -> bool {
        self.stop_reading();
        let (done, flushed) = mpsc::channel();
        let pool = Arc::clone(self);
        let flush = move || {
            pool.output.flush();
            // Standard output still refers to stderr here, which receives the text that `print!`
            // has buffered.
            let _ = io::stdout().flush();
            let _ = done.send(());
        };
        thread::spawn(flush);
        flushed.recv_timeout(FLUSH_TIMEOUT).is_ok()
    }

    /// Stops reading the input because the client can no longer receive replies.
    pub(super) fn client_gone(&self) {
        self.connection.close_input();
        self.stop_reading();
    }

    async fn wait_until(&self, done: impl Fn() -> bool) {
        loop {
            let mut changed = std::pin::pin!(self.changed.notified());
            changed.as_mut().enable();
            if done() {
                return;
            }
            changed.await;
        }
    }

    /// Ends all `subscriptions/listen` streams, because they never complete by themselves.
    pub(super) fn close_listen_streams(&self) {
        self.connection.close_listen_streams();
    }

    fn stop_reading(&self) {
        // A client that has closed its end no longer receives notifications.
        self.close_listen_streams();
        self.closing.store(true, Ordering::Release);
        self.changed.notify_waiters();
        self.wake.notify_all();
    }

    /// Starts a thread if the pool is not full. The pool has one thread more than can be busy,
    /// because one thread must always be able to read.
    fn spawn_thread(self: &Arc<Self>) {
        let mut state = self.state();
        if state.threads > self.options.concurrency {
            return;
        }
        let pool = Arc::clone(self);
        let builder = thread::Builder::new().name("mcp-stdio".to_owned());
        match builder.spawn(move || pool.run_thread()) {
            Ok(_) => state.threads += 1,
            Err(error) => tracing::warn!("a thread could not be started: {error}"),
        }
    }

    /// Runs the main loop of a pool thread.
    fn run_thread(self: Arc<Self>) {
        let mut runtime_guard = self.runtime.enter_if_started();
        loop {
            // Panics of user code are caught elsewhere. A panic here is a bug of this crate. It
            // loses one reply, but must not end the thread.
            let result = catch_unwind(AssertUnwindSafe(|| self.work(&mut runtime_guard)));
            match result {
                Ok(()) => return,
                Err(_) => tracing::error!("a message was not answered: a bug in mcp-runtime"),
            }
        }
    }

    /// Runs waiting calls, reads the input as the leader or waits, until this thread is no longer
    /// needed.
    fn work<'a>(self: &'a Arc<Self>, runtime_guard: &mut Option<EnterGuard<'a>>) {
        let mut reply = Vec::new();
        loop {
            if let Some(pending) = self.next_waiting() {
                self.run(pending, &mut reply);
                self.output.flush();
            } else if let Some(lines) = self.take_lead() {
                self.lead(lines, runtime_guard, &mut reply);
            } else if !self.wait_for_work() {
                return;
            }
        }
    }

    /// Reads and answers messages until the input ends or another thread becomes the leader.
    fn lead<'a>(
        self: &'a Arc<Self>,
        mut lines: MutexGuard<'a, LineReader<File>>,
        runtime_guard: &mut Option<EnterGuard<'a>>,
        reply: &mut Vec<u8>,
    ) {
        loop {
            reply.clear();
            let outcome = match lines.next(|| self.output.flush()) {
                _ if self.is_closing() => return,
                Line::Message(line) => {
                    let frame = Frame::parse(line);
                    if runtime_guard.is_none() && self.dispatcher.runs_handlers(&frame) {
                        *runtime_guard = Some(self.runtime.handle().enter());
                    }
                    self.dispatcher
                        .dispatch_frame(frame, &self.connection, reply)
                }
                Line::Oversized => {
                    jsonrpc::write_error(reply, None, &self.oversized_error());
                    self.output.push(reply);
                    continue;
                }
                Line::End => {
                    self.connection.close_input();
                    self.output.flush();
                    return self.stop_reading();
                }
            };
            match outcome {
                DispatchOutcome::Silent => {}
                DispatchOutcome::Replied(_) => self.output.push(reply),
                DispatchOutcome::Pending(pending) if !pending.is_blocking() => self.spawn(pending),
                DispatchOutcome::Pending(pending) => {
                    let Some(pending) = self.admit(pending) else {
                        continue;
                    };
                    self.has_leader.store(false, Ordering::SeqCst);
                    drop(lines);
                    self.run(pending, reply);
                    match self.take_lead() {
                        Some(input) => lines = input,
                        None => return self.output.flush(),
                    }
                }
            }
        }
    }

    fn take_lead(&self) -> Option<MutexGuard<'_, LineReader<File>>> {
        if self.is_closing() {
            return None;
        }
        let lines = match self.lines.try_lock() {
            Ok(lines) => lines,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return None,
        };
        self.has_leader.store(true, Ordering::SeqCst);
        Some(lines)
    }

    /// Reserves this thread for a blocking call, or queues the call and returns `None` if the limit
    /// is reached.
    fn admit(&self, pending: PendingCall) -> Option<PendingCall> {
        self.in_flight.fetch_add(1, Ordering::AcqRel);
        let mut state = self.state();
        if state.busy >= self.options.concurrency {
            state.waiting.push_back(pending);
            return None;
        }
        state.busy += 1;
        Some(pending)
    }

    fn next_waiting(&self) -> Option<PendingCall> {
        let mut state = self.state();
        if state.busy >= self.options.concurrency {
            return None;
        }
        let pending = state.waiting.pop_front()?;
        state.busy += 1;
        Some(pending)
    }

    /// Runs a call on this thread, which `busy` already counts.
    fn run(self: &Arc<Self>, pending: PendingCall, reply: &mut Vec<u8>) {
        reply.clear();
        self.handlers_started.fetch_add(1, Ordering::SeqCst);
        self.monitor.handler_started(self);
        match pending.run_blocking(reply) {
            DispatchOutcome::Silent => {}
            DispatchOutcome::Replied(_) => self.output.push(reply),
            DispatchOutcome::Pending(pending) => self.spawn(pending),
        }
        self.state().busy -= 1;
        self.call_finished();
    }

    /// Runs an async call on the handler runtime.
    fn spawn(self: &Arc<Self>, pending: PendingCall) {
        self.in_flight.fetch_add(1, Ordering::AcqRel);
        let pool = Arc::clone(self);
        self.runtime.handle().spawn(async move {
            // A long-lived stream takes no permit because it is idle most of the time.
            let permit = (!pending.is_long_lived()).then(|| pool.permits.acquire());
            let _permit = match permit {
                Some(permit) => permit.await.ok(),
                None => None,
            };
            let closing = pending.closing_notification();
            if let Some(mut reply) = pending.run_to_reply().await {
                pool.output.push(&mut reply.bytes);
                // A rejected stream has no closing notification.
                if let (Some(mut closing), None) = (closing, reply.status.error) {
                    pool.output.push(&mut closing);
                }
                pool.output.flush();
            }
            pool.call_finished();
        });
    }

    /// Counts a call as finished. This function is called after the reply is buffered.
    fn call_finished(&self) {
        let last = self.in_flight.fetch_sub(1, Ordering::SeqCst) == 1;
        if last && self.draining.load(Ordering::SeqCst) {
            self.changed.notify_waiters();
        }
    }

    /// Waits for work. Returns `false` if the thread should end.
    fn wait_for_work(&self) -> bool {
        let mut state = self.state();
        if !self.is_closing() {
            state.idle += 1;
            let (woken, timeout) = self
                .wake
                .wait_timeout(state, IDLE_TIMEOUT)
                .unwrap_or_else(|poisoned| poisoned.into_inner());
            state = woken;
            state.idle -= 1;
            if !timeout.timed_out() && !self.is_closing() {
                return true;
            }
        }
        // Waiting calls run during shutdown too. If the concurrency limit is reached, a busy thread
        // runs the next waiting call.
        if !state.waiting.is_empty() && state.busy < self.options.concurrency {
            return true;
        }
        state.threads -= 1;
        false
    }

    fn oversized_error(&self) -> ErrorObject {
        let limit = self.options.max_line_bytes;
        ErrorObject::invalid_request(format!("a message is at most {limit} bytes long"))
    }

    fn state(&self) -> MutexGuard<'_, PoolState> {
        // Poisoning is ignored, because no code panics while it holds the lock.
        self.state
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}
