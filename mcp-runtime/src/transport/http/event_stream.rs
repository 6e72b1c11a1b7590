use std::collections::VecDeque;
use std::future::poll_fn;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;

use super::event_queue::EventQueue;
use super::event_store::EventStore;
use super::sse::{self, EventId};
use crate::context::ClientSink;
use crate::dispatch::DispatchReply;

/// The stream of messages to a client about one request. It holds a single reply, or events and
/// then the reply.
///
/// The server sends no message before it knows which of the two forms the response has. A resumable
/// stream belongs to a legacy session and continues after its connection ends. Any other stream
/// ends with its connection.
#[derive(Debug)]
pub(super) struct EventStream {
    resumption: Option<Resumption>,
    accepts_events: bool,
    state: Mutex<SseState>,
}

/// The stream number of a resumable stream and the store that keeps its events.
#[derive(Debug)]
pub(super) struct Resumption {
    pub(super) store: Arc<EventStore<EventStream>>,
    pub(super) number: u64,
    /// The reconnection delay that the first event of the stream states. `None` sends no such
    /// event.
    pub(super) retry: Option<Duration>,
}

#[derive(Debug)]
struct SseState {
    /// Whether the response has the form of a stream of events.
    opened: bool,
    ended: bool,
    /// Whether the session ended before the reply.
    session_ended: bool,
    /// The reply, if the call sent no event before it.
    reply: Option<DispatchReply>,
    /// The number of the last event of the stream.
    sequence: u64,
    /// The number of the last event that was passed to a connection.
    delivered: u64,
    queue: EventQueue,
}

/// The start of a response.
#[derive(Debug)]
pub(super) enum ResponseStart {
    Events,
    SessionEnded,
    /// The response is a single reply, or `None` if the call was cancelled.
    Reply(Option<DispatchReply>),
}

impl EventStream {
    /// Creates a stream. `limit` is the limit of its event queue in bytes.
    pub(super) fn new(resumption: Option<Resumption>, limit: usize, accepts_events: bool) -> Self {
        Self {
            resumption,
            accepts_events,
            state: Mutex::new(SseState {
                opened: false,
                ended: false,
                session_ended: false,
                reply: None,
                sequence: 0,
                delivered: 0,
                queue: EventQueue::new(limit),
            }),
        }
    }

    /// Creates a stream of a session for messages that do not belong to a request. The stream has
    /// no connection yet.
    pub(super) fn server_stream(resumption: Resumption, limit: usize) -> Self {
        let stream = Self::new(Some(resumption), limit, true);
        let mut state = stream.lock();
        state.opened = true;
        state.queue.finish();
        drop(state);
        stream
    }

    /// Creates a stream that sends `events` and then ends.
    pub(super) fn replay(events: VecDeque<Bytes>) -> Self {
        let stream = Self::new(None, usize::MAX, true);
        let mut state = stream.lock();
        (state.opened, state.ended) = (true, true);
        for event in events {
            state.queue.push_unbounded(event);
        }
        drop(state);
        stream
    }

    /// Waits until the stream is open for events or the call has ended.
    pub(super) async fn response_start(&self) -> ResponseStart {
        poll_fn(|task| {
            let mut state = self.lock();
            if state.opened {
                Poll::Ready(ResponseStart::Events)
            } else if state.session_ended {
                Poll::Ready(ResponseStart::SessionEnded)
            } else if state.ended {
                Poll::Ready(ResponseStart::Reply(state.reply.take()))
            } else {
                state.queue.register(task);
                Poll::Pending
            }
        })
        .await
    }

    pub(super) fn is_opened(&self) -> bool {
        self.lock().opened
    }

    pub(super) fn is_connected(&self) -> bool {
        self.lock().queue.is_connected()
    }

    /// Opens the stream for events if the client accepts events and the stream has not ended.
    pub(super) fn open(&self) {
        let mut state = self.lock();
        if self.accepts_events && !state.ended {
            self.begin(&mut state);
        }
        wake(state);
    }

    fn begin(&self, state: &mut SseState) {
        if !state.opened {
            state.opened = true;
            let retry = self.resumption.as_ref().and_then(|it| it.retry);
            self.push_resume_event(state, state.sequence, retry);
        }
    }

    /// Queues an event without data that states the position to resume from. The event is sent only
    /// to clients of protocol version 2025-11-25, because older clients reject an event without
    /// data.
    fn push_resume_event(&self, state: &mut SseState, sequence: u64, retry: Option<Duration>) {
        if let (Some(resumption), Some(retry)) = (&self.resumption, retry) {
            let event = sse::resume_event(resumption.id(sequence), retry);
            state.queue.push(event);
        }
    }

    /// Sends the URI to which the client must POST its messages (specification of 2024-11-05, *HTTP
    /// with SSE*).
    pub(super) fn send_endpoint(&self, uri: &str) {
        let mut state = self.lock();
        state.queue.push(sse::endpoint_event(uri));
        wake(state);
    }

    /// Sends the reply and ends the stream. `reply` is `None` if the call was cancelled.
    pub(super) fn finish(&self, reply: Option<DispatchReply>) {
        let mut state = self.lock();
        if state.ended {
            return;
        }
        if !state.opened {
            state.reply = reply;
        } else if let Some(reply) = reply {
            // Queued notifications must not cause the loss of the reply.
            let event = self.event(&mut state, &reply.bytes);
            state.queue.push_unbounded(event);
        }
        state.ended = true;
        wake(state);
    }

    /// Ends the stream without a reply. This function is called when the session ends.
    pub(super) fn end(&self) {
        let mut state = self.lock();
        state.session_ended = !state.ended;
        state.ended = true;
        wake(state);
    }

    /// Writes a message as an event. A resumable stream also numbers and stores the event.
    fn event(&self, state: &mut SseState, message: &[u8]) -> Bytes {
        let Some(resumption) = &self.resumption else {
            return sse::message_event(None, message);
        };
        state.sequence += 1;
        let id = resumption.id(state.sequence);
        let event = sse::message_event(Some(id), message);
        resumption.store.append(id, &event);
        event
    }

    /// Connects a client and queues the stored events that were not passed to a connection. Returns
    /// the number of the new connection.
    pub(super) fn connect(&self) -> u64 {
        let mut state = self.lock();
        let connection = state.queue.connect();
        if let Some(resumption) = &self.resumption {
            let delivered = state.delivered;
            self.push_resume_event(&mut state, delivered, resumption.retry);
            for event in resumption.store.events_after(resumption.id(delivered)) {
                state.queue.push_unbounded(event);
            }
        }
        connection
    }

    /// Connects a client that has received the events up to number `after`. Returns `None` if the
    /// stream never sent that event, or has ended and no event follows.
    pub(super) fn resume(&self, after: u64) -> Option<u64> {
        let resumption = self.resumption.as_ref()?;
        let mut state = self.lock();
        let events = resumption.store.events_after(resumption.id(after));
        if after > state.sequence || (state.ended && events.is_empty()) {
            return None;
        }
        let connection = state.queue.connect();
        for event in events {
            state.queue.push_unbounded(event);
        }
        Some(connection)
    }

    /// Drops a connection. A stream that is not resumable also ends.
    pub(super) fn disconnect(&self, connection: u64) {
        let mut state = self.lock();
        if state.queue.disconnect(connection) {
            state.ended |= self.resumption.is_none();
        }
    }

    /// Returns the bytes to send to a connection, or `None` if the connection has ended.
    pub(super) fn poll_events(
        &self,
        connection: u64,
        task: &mut Context<'_>,
    ) -> Poll<Option<Bytes>> {
        let mut state = self.lock();
        let ended = state.ended;
        let polled = state.queue.poll(connection, ended, task);
        if let Poll::Ready(Some(_)) = polled {
            state.delivered = state.sequence;
        }
        polled
    }

    /// Locks the state. Poisoning is ignored, because no code panics while it holds the lock.
    fn lock(&self) -> MutexGuard<'_, SseState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ClientSink for EventStream {
    fn send(&self, message: &[u8]) -> bool {
        let mut state = self.lock();
        if state.ended || !self.accepts_events {
            return false;
        }
        self.begin(&mut state);
        let event = self.event(&mut state, message);
        state.queue.push(event);
        let sent = self.resumption.is_some() || state.queue.is_connected();
        wake(state);
        sent
    }

    fn delivers(&self) -> bool {
        self.accepts_events
    }

    /// Asks the client to reconnect after `retry` and closes the connection. The client then
    /// requests the remaining events with `Last-Event-ID` (specification of 2025-11-25, *Sending
    /// Messages to the Server*).
    fn close_stream(&self, retry: Duration) -> bool {
        let mut state = self.lock();
        let resumes = self.resumption.as_ref().and_then(|it| it.retry).is_some();
        let open = state.queue.is_connected() && !state.ended && self.accepts_events;
        if !resumes || !open {
            return false;
        }
        state.opened = true;
        let sequence = state.sequence;
        self.push_resume_event(&mut state, sequence, Some(retry));
        state.queue.finish();
        wake(state);
        true
    }
}

impl Drop for EventStream {
    fn drop(&mut self) {
        if let Some(resumption) = &self.resumption {
            resumption.store.remove_stream(resumption.number);
        }
    }
}

impl Resumption {
    fn id(&self, sequence: u64) -> EventId {
        EventId {
            stream: self.number,
            sequence,
        }
    }
}

/// Releases the lock and then wakes the waiting task.
fn wake(mut state: MutexGuard<'_, SseState>) {
    let waker = state.queue.take_waker();
    drop(state);
    if let Some(waker) = waker {
        waker.wake();
    }
}

#[cfg(test)]
mod tests;
