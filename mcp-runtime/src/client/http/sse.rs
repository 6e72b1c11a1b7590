use std::mem::take;

/// The fields of a server-sent event that MCP uses.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct SseEvent {
    /// The id of the event, from which the client can resume the stream.
    pub(super) id: Option<String>,
    /// The delay before reconnecting, in milliseconds.
    pub(super) retry: Option<u64>,
    /// The data of a `message` event.
    pub(super) message: Option<String>,
}

/// The error for a line or an event that exceeds the limit.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct EventTooLong;

/// An incremental parser of an event stream (HTML, *Server-sent events*, *Parsing an event
/// stream*).
#[derive(Debug)]
pub(super) struct SseParser {
    limit: usize,
    /// The incomplete last line.
    line: Vec<u8>,
    /// Whether the last line ended with CR. An LF directly after it belongs to the same line end.
    after_cr: bool,
    started: bool,
    /// The data of the current event. A line feed follows each line.
    data: String,
    event_type: String,
    event: SseEvent,
}

impl SseParser {
    /// Creates a parser that accepts events of up to `limit` bytes.
    pub(super) fn new(limit: usize) -> Self {
        Self {
            limit,
            line: Vec::new(),
            after_cr: false,
            started: false,
            data: String::new(),
            event_type: String::new(),
            event: SseEvent::default(),
        }
    }

    /// Parses the next bytes and returns the completed events.
    pub(super) fn parse(&mut self, mut bytes: &[u8]) -> Result<Vec<SseEvent>, EventTooLong> {
        let mut events = Vec::new();
        if take(&mut self.after_cr) && bytes.first() == Some(&b'\n') {
            bytes = &bytes[1..];
        }
        while let Some(end) = memchr::memchr2(b'\r', b'\n', bytes) {
            self.line.extend_from_slice(&bytes[..end]);
            let cr = bytes[end] == b'\r';
            bytes = &bytes[end + 1..];
            match bytes.first() {
                Some(b'\n') if cr => bytes = &bytes[1..],
                None => self.after_cr = cr,
                _ => {}
            }
            let line = take(&mut self.line);
            events.extend(self.parse_line(&String::from_utf8_lossy(&line)));
            self.check_size(0)?;
        }
        self.line.extend_from_slice(bytes);
        self.check_size(self.line.len())?;
        Ok(events)
    }

    fn check_size(&self, line: usize) -> Result<(), EventTooLong> {
        let id = self.event.id.as_ref().map_or(0, String::len);
        if line + self.data.len() + self.event_type.len() + id > self.limit {
            return Err(EventTooLong);
        }
        Ok(())
    }

    fn parse_line(&mut self, mut line: &str) -> Option<SseEvent> {
        if !self.started {
            self.started = true;
            line = line.trim_start_matches('\u{feff}');
        }
        if line.is_empty() {
            return self.finish_event();
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "data" => {
                self.data.push_str(value);
                self.data.push('\n');
            }
            "event" => value.clone_into(&mut self.event_type),
            "id" if !value.contains('\0') => self.event.id = Some(value.to_owned()),
            "retry" if value.bytes().all(|byte| byte.is_ascii_digit()) => {
                self.event.retry = value.parse().ok();
            }
            _ => {}
        }
        None
    }

    /// Ends the current event at an empty line. Returns `None` if the event has no fields.
    fn finish_event(&mut self) -> Option<SseEvent> {
        let (event_type, data) = (take(&mut self.event_type), take(&mut self.data));
        let mut event = take(&mut self.event);
        let data = data.strip_suffix('\n').unwrap_or_default();
        if !data.is_empty() && (event_type.is_empty() || event_type == "message") {
            event.message = Some(data.to_owned());
        }
        (event != SseEvent::default()).then_some(event)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(id: Option<&str>, retry: Option<u64>, message: Option<&str>) -> SseEvent {
        SseEvent {
            id: id.map(ToOwned::to_owned),
            retry,
            message: message.map(ToOwned::to_owned),
        }
    }

    #[test]
    fn events_are_parsed_however_the_bytes_are_split() {
        let check = |text: &str, expected: &[SseEvent]| {
            for step in 1..=text.len() {
                let mut parser = SseParser::new(1000);
                let mut events = Vec::new();
                for chunk in text.as_bytes().chunks(step) {
                    events.extend(parser.parse(chunk).unwrap());
                }
                assert_eq!(events, expected, "{text:?} in chunks of {step}");
            }
        };
        check("data: {}\n\n", &[event(None, None, Some("{}"))]);
        check("data:{}\r\n\r\n", &[event(None, None, Some("{}"))]);
        check("data: a\rdata: b\r\r", &[event(None, None, Some("a\nb"))]);
        check("\u{feff}data: ü\n\n", &[event(None, None, Some("ü"))]);
        check(": keep-alive\n\n", &[]);
        check("data: not ended\n", &[]);
        check("data\n\ndata:\n\n", &[]);
        check("event: endpoint\ndata: /old\n\n", &[]);
        check(
            "id: 1-0\nretry: 500\ndata: \n\nid: 1-1\nevent: message\ndata: {}\n\n",
            &[
                event(Some("1-0"), Some(500), None),
                event(Some("1-1"), None, Some("{}")),
            ],
        );
        check("id: a\0b\ndata: x\n\n", &[event(None, None, Some("x"))]);
        check(
            "retry: 5s\nretry: 99999999999999999999\nunknown: x\n\n",
            &[],
        );
        check(
            "data:  two spaces\n\n",
            &[event(None, None, Some(" two spaces"))],
        );
    }

    #[test]
    fn endless_lines_and_events_are_rejected() {
        // The limit also counts the memory of lines without data.
        let mut parser = SseParser::new(1000);
        assert_eq!(parser.parse(&b"data\n".repeat(1000)), Ok(Vec::new()));
        assert!(parser.data.capacity() < 3000);
        assert_eq!(parser.parse(b"data\n"), Err(EventTooLong));
        let mut parser = SseParser::new(10);
        assert_eq!(parser.parse(b"id: 1234567\n"), Ok(Vec::new()));
        assert_eq!(parser.parse(b"event: 1234\n"), Err(EventTooLong));
        let mut parser = SseParser::new(10);
        assert_eq!(parser.parse(b"data: 1234567890"), Err(EventTooLong));
        let mut parser = SseParser::new(10);
        assert_eq!(parser.parse(b"data: 12345\n"), Ok(Vec::new()));
        assert_eq!(parser.parse(b"data: 67890\n"), Err(EventTooLong));
        let mut parser = SseParser::new(10);
        for _ in 0..100 {
            assert_eq!(parser.parse(b": 12345\n"), Ok(Vec::new()));
        }
    }
}
