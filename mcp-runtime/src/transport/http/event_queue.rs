use std::collections::VecDeque;
use std::task::{Context, Poll, Waker};

use bytes::Bytes;

/// The queue of events that wait for the client connection that reads a stream.
///
/// A client may connect to the same stream several times. Only the newest connection receives
/// events.
#[derive(Debug)]
pub(super) struct EventQueue {
    /// The limit of the queue in bytes. If more bytes than this are queued, the next event
    /// disconnects the client.
    limit: usize,
    /// The number of the newest connection.
    connection: u64,
    connected: bool,
    queue: VecDeque<Bytes>,
    queued: usize,
    waker: Option<Waker>,
}

/// The number of the first connection of a stream.
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

    /// Queues an event of any length. If more bytes than the limit are already queued, the function
    /// disconnects the client instead.
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

    /// Queues an event without checking the limit. Use this only for events whose size is limited
    /// elsewhere.
    pub(super) fn push_unbounded(&mut self, event: Bytes) {
        self.queued += event.len();
        self.queue.push_back(event);
    }

    /// Replaces the connection and returns the number of the new connection.
    pub(super) fn connect(&mut self) -> u64 {
        self.clear();
        self.connected = true;
        self.connection += 1;
        self.connection
    }

    /// Drops a connection. Returns `true` if it was the newest one.
    pub(super) fn disconnect(&mut self, connection: u64) -> bool {
        let is_newest = self.connection == connection;
        if is_newest {
            self.clear();
            // Counting the connection here prevents the client that has disconnected from reading
            // the queue.
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

    /// Ends the connection after the queued events have been sent.
    pub(super) fn finish(&mut self) {
        self.connected = false;
    }

    /// Returns the queued events for a connection, or `None` if the connection has ended.
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

    /// Takes all queued events as one buffer, because one write is faster than several.
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

    /// Takes the registered waker, which the caller should wake after releasing its lock.
    pub(super) fn take_waker(&mut self) -> Option<Waker> {
        self.waker.take()
    }
}
