use std::collections::VecDeque;
use std::task::{Context, Poll, Waker};

use bytes::Bytes;

/// The events that wait for the connection which reads a stream.
///
/// A stream may have several connections, one after another; only the newest is served.
#[derive(Debug)]
pub(super) struct EventQueue {
    /// Above this many queued bytes, the connection is dropped.
    limit: usize,
    /// The number of the newest connection.
    connection: u64,
    connected: bool,
    queue: VecDeque<Bytes>,
    queued: usize,
    waker: Option<Waker>,
}

/// The number of the connection that a stream is created for.
pub(super) const FIRST_CONNECTION: u64 = 1;

impl EventQueue {
    pub(super) fn new(limit: usize) -> Self {
        Self {
            limit,
            connection: FIRST_CONNECTION,
            connected: true,
            queue: VecDeque::new(),
            queued: 0,
            waker: None,
        }
    }

    pub(super) fn is_connected(&self) -> bool {
        self.connected
    }

    /// Queues an event of any length, or disconnects a client with more than the
    /// limit still unread.
    pub(super) fn push(&mut self, event: Bytes) {
        if !self.connected {
            return;
        }
        if self.queued > self.limit {
            tracing::debug!("disconnected a client that does not read its events");
            self.clear();
            return;
        }
        self.push_unbounded(event);
    }

    /// Queues an event without checking the limit, for events that are bounded otherwise.
    pub(super) fn push_unbounded(&mut self, event: Bytes) {
        self.queued += event.len();
        self.queue.push_back(event);
    }

    /// Replaces the connection and returns the number of the new one.
    pub(super) fn connect(&mut self) -> u64 {
        self.clear();
        self.connected = true;
        self.connection += 1;
        self.connection
    }

    /// Drops a connection; returns whether it was the newest.
    pub(super) fn disconnect(&mut self, connection: u64) -> bool {
        let is_newest = self.connection == connection;
        if is_newest {
            self.clear();
            // Events that are queued from now on are for the next connection.
            self.connection += 1;
        }
        is_newest
    }

    fn clear(&mut self) {
        self.connected = false;
        self.queue.clear();
        self.queued = 0;
        if let Some(waker) = self.waker.take() {
            waker.wake();
        }
    }

    /// Ends the connection once what is queued has been sent.
    pub(super) fn finish(&mut self) {
        self.connected = false;
    }

    /// Returns the queued events for a connection, or `None` at its end.
    pub(super) fn poll(
        &mut self,
        connection: u64,
        ended: bool,
        task: &mut Context<'_>,
    ) -> Poll<Option<Bytes>> {
        if self.connection != connection {
            return Poll::Ready(None);
        }
        let events = self.take();
        if events.is_some() || ended || !self.connected {
            return Poll::Ready(events);
        }
        self.register(task);
        Poll::Pending
    }

    /// Takes all events, to send them in one write.
    fn take(&mut self) -> Option<Bytes> {
        let first = self.queue.pop_front()?;
        self.queued = 0;
        if self.queue.is_empty() {
            return Some(first);
        }
        let mut all = Vec::from(first);
        for event in self.queue.drain(..) {
            all.extend_from_slice(&event);
        }
        Some(all.into())
    }

    pub(super) fn register(&mut self, task: &Context<'_>) {
        self.waker = Some(task.waker().clone());
    }

    /// Takes the registered waker, to be woken without holding a lock.
    pub(super) fn take_waker(&mut self) -> Option<Waker> {
        self.waker.take()
    }
}
