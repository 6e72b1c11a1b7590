use std::collections::VecDeque;
use std::future::poll_fn;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;

use super::connection::Connection;
use super::event::{EventId, encode};
use super::log::Log;
use crate::context::Outgoing;
use crate::dispatch::Answer;

/// What goes to a client because of one request: one message, or events and then one.
///
/// Nothing is sent until it is known which of the two it is. A numbered stream
/// belongs to a legacy session and outlives its connection; any other ends with it.
#[derive(Debug)]
pub(super) struct Stream {
    numbering: Option<Numbering>,
    /// Whether the client reads events at all.
    takes_events: bool,
    state: Mutex<State>,
}

/// The place of a stream in its session.
#[derive(Debug)]
pub(super) struct Numbering {
    pub(super) log: Arc<Log>,
    pub(super) number: u64,
    /// Whether the first event only says where the stream can be resumed, and when.
    pub(super) primed: Option<Duration>,
}

#[derive(Debug)]
struct State {
    /// Whether the response is a stream of events.
    opened: bool,
    ended: bool,
    /// The whole answer, where nothing came before it.
    answer: Option<Answer>,
    /// The last event that was numbered, and the last that a connection took.
    sequence: u64,
    taken: u64,
    connection: Connection,
}

/// How a response begins.
#[derive(Debug)]
pub(super) enum Beginning {
    Events,
    /// `None` where nobody wants the answer any more.
    Answer(Option<Answer>),
}

impl Stream {
    /// A stream that lets so many bytes wait for its connection.
    pub(super) fn new(numbering: Option<Numbering>, limit: usize, takes_events: bool) -> Self {
        Self {
            numbering,
            takes_events,
            state: Mutex::new(State {
                opened: false,
                ended: false,
                answer: None,
                sequence: 0,
                taken: 0,
                connection: Connection::new(limit),
            }),
        }
    }

    /// A stream of a session that no request asked for; nobody is connected to it.
    pub(super) fn standing(numbering: Numbering, limit: usize) -> Self {
        let stream = Self::new(Some(numbering), limit, true);
        {
            let mut state = stream.lock();
            state.opened = true;
            state.connection.finish();
        }
        stream
    }

    /// A stream at its end, of which these events are left.
    pub(super) fn replayed(events: VecDeque<Bytes>) -> Self {
        let stream = Self::new(None, usize::MAX, true);
        {
            let mut state = stream.lock();
            (state.opened, state.ended) = (true, true);
            for event in events {
                state.connection.add(event);
            }
        }
        stream
    }

    /// Waits until it is known how the response begins.
    pub(super) async fn beginning(&self) -> Beginning {
        poll_fn(|task| {
            let mut state = self.lock();
            if state.opened {
                Poll::Ready(Beginning::Events)
            } else if state.ended {
                Poll::Ready(Beginning::Answer(state.answer.take()))
            } else {
                state.connection.wait(task);
                Poll::Pending
            }
        })
        .await
    }

    pub(super) fn is_opened(&self) -> bool {
        self.lock().opened
    }

    pub(super) fn is_connected(&self) -> bool {
        self.lock().connection.is_alive()
    }

    /// Makes the response a stream of events if the client takes one and is not answered yet.
    pub(super) fn open(&self) {
        let mut state = self.lock();
        if self.takes_events && !state.ended {
            self.begin(&mut state);
        }
        wake(state);
    }

    fn begin(&self, state: &mut State) {
        if !state.opened {
            state.opened = true;
            let primed = self.numbering.as_ref().and_then(|it| it.primed);
            self.prime(state, state.sequence, primed);
        }
    }

    /// Says where to resume before there is anything to say (2025-11-25 only:
    /// older clients choke on an event without data).
    fn prime(&self, state: &mut State, sequence: u64, retry: Option<Duration>) {
        if let (Some(numbering), Some(retry)) = (&self.numbering, retry) {
            let (id, millis) = (numbering.id(sequence), retry.as_millis());
            let event = format!("id: {id}\nretry: {millis}\ndata: \n\n");
            state.connection.push(event.into());
        }
    }

    /// Says where to send messages (2024-11-05, *HTTP with SSE*).
    pub(super) fn announce(&self, endpoint: &str) {
        let mut state = self.lock();
        let event = format!("event: endpoint\ndata: {endpoint}\n\n");
        state.connection.push(event.into());
        wake(state);
    }

    /// Takes the answer, after which nothing is sent; `None` where nobody wants it.
    pub(super) fn finish(&self, answer: Option<Answer>) {
        let mut state = self.lock();
        if state.ended {
            return;
        }
        if !state.opened {
            state.answer = answer;
        } else if let Some(answer) = answer {
            // Bounded by itself, and nothing that was told before may cost it.
            let event = self.event(&mut state, &answer.bytes);
            state.connection.add(event);
        }
        state.ended = true;
        wake(state);
    }

    /// Ends the stream without an answer.
    pub(super) fn end(&self) {
        let mut state = self.lock();
        state.ended = true;
        wake(state);
    }

    /// A message as an event, which is numbered and kept for later in a session.
    fn event(&self, state: &mut State, message: &[u8]) -> Bytes {
        let Some(numbering) = &self.numbering else {
            return encode(None, message);
        };
        state.sequence += 1;
        let id = numbering.id(state.sequence);
        let event = encode(Some(id), message);
        numbering.log.append(id, &event);
        event
    }

    /// Connects a client that comes back, or comes for what was not asked for.
    ///
    /// It gets the events after `after`, or those that nobody took yet.
    pub(super) fn connect(&self, after: Option<u64>) -> u64 {
        let mut state = self.lock();
        let connection = state.connection.replace();
        if let Some(numbering) = &self.numbering {
            let taken = state.taken;
            if after.is_none() {
                self.prime(&mut state, taken, numbering.primed);
            }
            for event in numbering.log.after(numbering.id(after.unwrap_or(taken))) {
                state.connection.add(event);
            }
        }
        connection
    }

    /// Lets go of a connection; the stream itself goes on if it is numbered.
    pub(super) fn disconnected(&self, connection: u64) {
        let mut state = self.lock();
        if state.connection.lost(connection) {
            state.ended |= self.numbering.is_none();
        }
    }

    /// What there is to send to a connection; `None` at its end.
    pub(super) fn poll_events(
        &self,
        connection: u64,
        task: &mut Context<'_>,
    ) -> Poll<Option<Bytes>> {
        let mut state = self.lock();
        let ended = state.ended;
        let polled = state.connection.poll(connection, ended, task);
        if let Poll::Ready(Some(_)) = polled {
            state.taken = state.sequence;
        }
        polled
    }

    /// A panic cannot happen under the lock; if it did, the state would still be whole.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Outgoing for Stream {
    fn send(&self, message: &[u8]) -> bool {
        let mut state = self.lock();
        if state.ended || !self.takes_events {
            return false;
        }
        self.begin(&mut state);
        let event = self.event(&mut state, message);
        state.connection.push(event);
        let sent = self.numbering.is_some() || state.connection.is_alive();
        wake(state);
        sent
    }

    fn delivers(&self) -> bool {
        self.takes_events
    }

    /// The client comes back with `Last-Event-ID` for the rest
    /// (specification of 2025-11-25, *Sending Messages to the Server*).
    fn close_stream(&self, retry: Duration) -> bool {
        let mut state = self.lock();
        let primed = self.numbering.as_ref().and_then(|it| it.primed);
        let open = state.connection.is_alive() && !state.ended && self.takes_events;
        if primed.is_none() || !open {
            return false;
        }
        state.opened = true;
        let sequence = state.sequence;
        self.prime(&mut state, sequence, Some(retry));
        state.connection.finish();
        wake(state);
        true
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        if let Some(numbering) = &self.numbering {
            numbering.log.end(numbering.number);
        }
    }
}

impl Numbering {
    fn id(&self, sequence: u64) -> EventId {
        EventId {
            stream: self.number,
            sequence,
        }
    }
}

/// Wakes whoever waits, once the lock is free.
fn wake(mut state: MutexGuard<'_, State>) {
    let waker = state.connection.waker();
    drop(state);
    if let Some(waker) = waker {
        waker.wake();
    }
}

#[cfg(test)]
mod tests;
