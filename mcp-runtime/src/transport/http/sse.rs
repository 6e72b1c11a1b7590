//! The text format of server-sent events (HTML standard, *Server-sent events*).

use std::fmt;
use std::time::Duration;

use bytes::Bytes;

/// A comment that keeps a connection open. Clients ignore it.
pub(super) const KEEP_ALIVE: &[u8] = b": keep-alive\n\n";

/// The id of an event within its session. It also identifies the stream of the event (specification
/// of 2025-11-25, *Resumability and Redelivery*).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct EventId {
    pub(super) stream: u64,
    pub(super) sequence: u64,
}

impl EventId {
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (stream, sequence) = text.split_once('-')?;
        Some(Self {
            stream: stream.parse().ok()?,
            sequence: sequence.parse().ok()?,
        })
    }
}

impl fmt::Display for EventId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}-{}", self.stream, self.sequence)
    }
}

/// Writes a message as one event. The message must not contain line breaks.
pub(super) fn message_event(id: Option<EventId>, message: &[u8]) -> Bytes {
    let mut event = Vec::with_capacity(message.len() + 48);
    if let Some(id) = id {
        event.extend_from_slice(format!("id: {id}\n").as_bytes());
    }
    event.extend_from_slice(b"event: message\ndata: ");
    event.extend_from_slice(message);
    event.extend_from_slice(b"\n\n");
    event.into()
}

/// Writes an event without data that states the event id to resume from and the delay before the
/// client reconnects.
pub(super) fn resume_event(id: EventId, retry: Duration) -> Bytes {
    let millis = retry.as_millis();
    format!("id: {id}\nretry: {millis}\ndata: \n\n").into()
}

/// Writes the event that states the URI to which the client must POST its messages (specification
/// of 2024-11-05, *HTTP with SSE*).
pub(super) fn endpoint_event(uri: &str) -> Bytes {
    format!("event: endpoint\ndata: {uri}\n\n").into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn event_ids_round_trip() {
        let check = |text: &str, expected: Option<(u64, u64)>| {
            let id = EventId::parse(text);
            assert_eq!(id.map(|id| (id.stream, id.sequence)), expected, "{text}");
            if let Some(id) = id {
                assert_eq!(id.to_string(), text);
            }
        };
        check("0-0", Some((0, 0)));
        check("3-17", Some((3, 17)));
        check("", None);
        check("3", None);
        check("3-", None);
        check("-3", None);
        check("3-1-7", None);
        check("99999999999999999999-1", None);
    }
}
