use std::sync::{Arc, Weak};

use super::connection::Connection;
use crate::context::Outgoing;

/// Where a transport brings what the server says; it keeps no connection alive.
#[derive(Clone, Debug)]
pub(super) struct Inbox(Weak<Connection>);

impl Inbox {
    pub(super) fn of(connection: &Arc<Connection>) -> Self {
        Self(Arc::downgrade(connection))
    }

    /// The server will say nothing more.
    pub(super) fn end(&self) {
        if let Some(connection) = self.0.upgrade() {
            connection.end();
        }
    }
}

impl Outgoing for Inbox {
    fn send(&self, message: &[u8]) -> bool {
        let connection = self.0.upgrade();
        if let Some(connection) = &connection {
            connection.receive(message);
        }
        connection.is_some()
    }
}
