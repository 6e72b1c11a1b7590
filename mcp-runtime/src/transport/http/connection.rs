use std::collections::VecDeque;
use std::task::{Context, Poll, Waker};

use bytes::Bytes;

/// The connection that a stream is sent on, and what waits for it.
///
/// A stream may have several of them after one another; only the newest is served.
#[derive(Debug)]
pub(super) struct Connection {
    /// With more bytes than this waiting, no event is taken.
    limit: usize,
    number: u64,
    alive: bool,
    queue: VecDeque<Bytes>,
    queued: usize,
    waker: Option<Waker>,
}

/// The connection that a stream is made for.
pub(super) const FIRST: u64 = 1;

impl Connection {
    pub(super) fn new(limit: usize) -> Self {
        Self {
            limit,
            number: FIRST,
            alive: true,
            queue: VecDeque::new(),
            queued: 0,
            waker: None,
        }
    }

    pub(super) fn is_alive(&self) -> bool {
        self.alive
    }

    /// Adds an event, however long; a client that has let too much pile up before
    /// it counts as gone.
    pub(super) fn push(&mut self, event: Bytes) {
        if !self.alive {
            return;
        }
        if self.queued > self.limit {
            tracing::debug!("a client that does not read its events was disconnected");
            self.lose();
            return;
        }
        self.add(event);
    }

    /// Adds an event however much waits or was too much, since it was kept within bounds.
    pub(super) fn add(&mut self, event: Bytes) {
        self.queued += event.len();
        self.queue.push_back(event);
    }

    /// Makes place for a newer connection, which gets this number.
    pub(super) fn replace(&mut self) -> u64 {
        self.lose();
        self.alive = true;
        self.number += 1;
        self.number
    }

    /// Takes notice that a connection has gone; tells whether it was the newest.
    pub(super) fn lost(&mut self, number: u64) -> bool {
        let newest = self.number == number;
        if newest {
            self.lose();
            // What is sent from now on is for whoever comes next.
            self.number += 1;
        }
        newest
    }

    fn lose(&mut self) {
        self.alive = false;
        self.queue.clear();
        self.queued = 0;
        if let Some(waker) = self.waker.take() {
            waker.wake();
        }
    }

    /// Sends what waits and nothing more.
    pub(super) fn finish(&mut self) {
        self.alive = false;
    }

    /// What there is to send; `None` at the end.
    pub(super) fn poll(
        &mut self,
        number: u64,
        ended: bool,
        task: &mut Context<'_>,
    ) -> Poll<Option<Bytes>> {
        if self.number != number {
            return Poll::Ready(None);
        }
        let events = self.take();
        if events.is_some() || ended || !self.alive {
            return Poll::Ready(events);
        }
        self.wait(task);
        Poll::Pending
    }

    /// All that waits, for one write.
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

    pub(super) fn wait(&mut self, task: &Context<'_>) {
        self.waker = Some(task.waker().clone());
    }

    /// Who waits, to be woken once no lock is held.
    pub(super) fn waker(&mut self) -> Option<Waker> {
        self.waker.take()
    }
}
