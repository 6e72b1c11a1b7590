use std::fmt;

use bytes::Bytes;

/// Names an event within its session, and the stream that it belongs to
/// (specification of 2025-11-25, *Resumability and redelivery*).
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

/// One message as one event; a message has no line breaks.
pub(super) fn encode(id: Option<EventId>, message: &[u8]) -> Bytes {
    let mut event = Vec::with_capacity(message.len() + 48);
    if let Some(id) = id {
        event.extend_from_slice(format!("id: {id}\n").as_bytes());
    }
    event.extend_from_slice(b"event: message\ndata: ");
    event.extend_from_slice(message);
    event.extend_from_slice(b"\n\n");
    event.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_read_as_it_was_written() {
        let check = |text: &str, expected: Option<(u64, u64)>| {
            let read = EventId::parse(text);
            assert_eq!(read.map(|id| (id.stream, id.sequence)), expected, "{text}");
            if let Some(id) = read {
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
