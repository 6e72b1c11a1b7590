use std::sync::{Arc, Weak};

use super::connection::ClientConnection;
use crate::context::ClientSink;

/// A weak reference to a connection, through which a transport passes messages of the server.
#[derive(Clone, Debug)]
pub(super) struct Inbox(Weak<ClientConnection>);

impl Inbox {
    pub(super) fn new(connection: &Arc<ClientConnection>) -> Self {
        Self(Arc::downgrade(connection))
    }

    /// Reports that the server has disconnected.
    pub(super) fn close(&self) {
        if let Some(connection) = self.0.upgrade() {
            connection.close();
        }
    }

    /// Reports that the server sent a message that is too long. The transport then stops reading.
    pub(super) fn reject_long_message(&self) {
        if let Some(connection) = self.0.upgrade() {
            connection.close_after_long_message();
        }
    }
}

impl ClientSink for Inbox {
    fn send(&self, message: &[u8]) -> bool {
        let connection = self.0.upgrade();
        if let Some(connection) = &connection {
            connection.receive(message);
        }
        connection.is_some()
    }
}
