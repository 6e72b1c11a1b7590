use std::mem::take;

/// The fields of one event that a client of MCP needs.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Event {
    /// What to resume after, where the event says so.
    pub(super) id: Option<String>,
    /// How many milliseconds to wait before coming back.
    pub(super) retry: Option<u64>,
    /// The message, if it is one.
    pub(super) message: Option<String>,
}

/// More than this without an end of line or event is no stream of messages.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TooLong;

/// Reads a stream of events piece by piece (HTML, *Server-sent events*,
/// *Parsing an event stream*).
#[derive(Debug)]
pub(super) struct Reader {
    limit: usize,
    /// What came after the last end of line.
    unread: Vec<u8>,
    /// Whether the last line ended with CR, whose LF may still come.
    after_cr: bool,
    begun: bool,
    data: Vec<String>,
    size: usize,
    name: String,
    event: Event,
}

impl Reader {
    /// A reader of events of at most `limit` bytes.
    pub(super) fn new(limit: usize) -> Self {
        Self {
            limit,
            unread: Vec::new(),
            after_cr: false,
            begun: false,
            data: Vec::new(),
            size: 0,
            name: String::new(),
            event: Event::default(),
        }
    }

    /// Takes what came and gives the events that are whole.
    pub(super) fn read(&mut self, mut bytes: &[u8]) -> Result<Vec<Event>, TooLong> {
        let mut events = Vec::new();
        if take(&mut self.after_cr) && bytes.first() == Some(&b'\n') {
            bytes = &bytes[1..];
        }
        while let Some(end) = memchr::memchr2(b'\r', b'\n', bytes) {
            self.unread.extend_from_slice(&bytes[..end]);
            let cr = bytes[end] == b'\r';
            bytes = &bytes[end + 1..];
            match bytes.first() {
                Some(b'\n') if cr => bytes = &bytes[1..],
                None => self.after_cr = cr,
                _ => {}
            }
            let line = take(&mut self.unread);
            events.extend(self.line(&String::from_utf8_lossy(&line)));
            self.within(0)?;
        }
        self.unread.extend_from_slice(bytes);
        self.within(self.unread.len())?;
        Ok(events)
    }

    fn within(&self, unread: usize) -> Result<(), TooLong> {
        if self.size + unread > self.limit {
            return Err(TooLong);
        }
        Ok(())
    }

    fn line(&mut self, mut line: &str) -> Option<Event> {
        if !self.begun {
            self.begun = true;
            line = line.trim_start_matches('\u{feff}');
        }
        if line.is_empty() {
            return self.dispatch();
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "data" => {
                self.size += value.len() + 1;
                self.data.push(value.to_owned());
            }
            "event" => value.clone_into(&mut self.name),
            "id" if !value.contains('\0') => self.event.id = Some(value.to_owned()),
            "retry" if value.bytes().all(|byte| byte.is_ascii_digit()) => {
                self.event.retry = value.parse().ok();
            }
            _ => {}
        }
        None
    }

    /// The event that an empty line ends; one that says nothing is none.
    fn dispatch(&mut self) -> Option<Event> {
        let (name, data) = (take(&mut self.name), take(&mut self.data));
        self.size = 0;
        let mut event = take(&mut self.event);
        let data = data.join("\n");
        if !data.is_empty() && (name.is_empty() || name == "message") {
            event.message = Some(data);
        }
        (event != Event::default()).then_some(event)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(id: Option<&str>, retry: Option<u64>, message: Option<&str>) -> Event {
        Event {
            id: id.map(ToOwned::to_owned),
            retry,
            message: message.map(ToOwned::to_owned),
        }
    }

    #[test]
    fn events_are_read_as_html_wants_however_they_are_cut() {
        let check = |text: &str, expected: &[Event]| {
            for step in 1..=text.len() {
                let mut reader = Reader::new(1000);
                let mut events = Vec::new();
                for piece in text.as_bytes().chunks(step) {
                    events.extend(reader.read(piece).unwrap());
                }
                assert_eq!(events, expected, "{text:?} in steps of {step}");
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
    fn what_never_ends_is_not_kept() {
        let mut reader = Reader::new(10);
        assert_eq!(reader.read(b"data: 1234567890"), Err(TooLong));
        let mut reader = Reader::new(10);
        assert_eq!(reader.read(b"data: 12345\n"), Ok(Vec::new()));
        assert_eq!(reader.read(b"data: 67890\n"), Err(TooLong));
        let mut reader = Reader::new(10);
        for _ in 0..100 {
            assert_eq!(reader.read(b": 12345\n"), Ok(Vec::new()));
        }
    }
}
