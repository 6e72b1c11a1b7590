use std::sync::Mutex;

use mcp_runtime::Outgoing;

/// What a server told a client besides its replies.
#[derive(Debug, Default)]
pub struct Inbox(Mutex<Vec<String>>);

impl Inbox {
    /// What came since it was last looked into, in its order.
    ///
    /// # Panics
    /// A thread has panicked while it was sent something.
    pub fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.0.lock().unwrap())
    }
}

impl Outgoing for Inbox {
    fn send(&self, message: &[u8]) -> bool {
        let message = String::from_utf8(message.to_vec()).unwrap();
        self.0.lock().unwrap().push(message);
        true
    }
}
