use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use crate::context::Outgoing;

/// Messages that wait for a client inside this process.
///
/// ```
/// use std::sync::Arc;
/// use mcp_runtime::{Channel, Inbox, Outgoing, Peer};
///
/// let inbox = Arc::new(Inbox::default());
/// let peer = Peer::through(Channel::Memory, inbox.clone());
/// inbox.send(b"{}");
/// assert_eq!(inbox.take().as_deref(), Some(b"{}".as_slice()));
/// assert_eq!(inbox.take(), None);
/// ```
#[derive(Debug, Default)]
pub struct Inbox {
    messages: Mutex<VecDeque<Vec<u8>>>,
    arrived: Notify,
}

impl Inbox {
    /// The oldest message that was not taken yet.
    pub fn take(&self) -> Option<Vec<u8>> {
        self.messages().pop_front()
    }

    /// Waits for a message, and takes it.
    pub async fn next(&self) -> Vec<u8> {
        loop {
            let mut arrived = std::pin::pin!(self.arrived.notified());
            // Registered before the look, so that no message is missed between the two.
            arrived.as_mut().enable();
            if let Some(message) = self.take() {
                return message;
            }
            arrived.await;
        }
    }

    fn messages(&self) -> MutexGuard<'_, VecDeque<Vec<u8>>> {
        // Nothing panics under the lock.
        self.messages.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Outgoing for Inbox {
    fn send(&self, message: &[u8]) -> bool {
        self.messages().push_back(message.to_vec());
        self.arrived.notify_one();
        true
    }
}
