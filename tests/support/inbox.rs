use std::sync::Mutex;

use mcp_runtime::dispatch::ClientSink;

/// Collects the messages of a server that are not responses.
#[derive(Debug, Default)]
pub struct Inbox(Mutex<Vec<String>>);

impl Inbox {
    /// Takes the messages received since the last call, in order.
    ///
    /// # Panics
    /// A thread panicked while it delivered a message.
    pub fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.0.lock().unwrap())
    }
}

impl ClientSink for Inbox {
    fn send(&self, message: &[u8]) -> bool {
        let message = String::from_utf8(message.to_vec()).unwrap();
        self.0.lock().unwrap().push(message);
        true
    }
}
