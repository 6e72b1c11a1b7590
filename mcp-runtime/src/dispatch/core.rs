use std::sync::Arc;
use std::time::Duration;

use serde::de::DeserializeOwned;

use super::capabilities::ConnectionCapabilities;
use super::connection::Connection;
use super::subscriptions::server_handle::ServerHandle;
use crate::call::ServerContext;
use crate::codec::{Codec, Payload};
use crate::jsonrpc::ErrorObject;
use crate::protocol::{Implementation, JsonObject, Revision};
use crate::task::Tasks;

/// The parts of a server that all its methods share.
#[derive(Debug)]
pub(crate) struct Core {
    pub(crate) server: ServerContext,
    pub(crate) tasks: Arc<Tasks>,
    pub(crate) codec: Codec,
    pub(crate) handle: ServerHandle,
    pub(crate) info: Implementation,
    pub(crate) instructions: Option<String>,
    /// The extensions that the user of this crate declared.
    pub(crate) extensions: Arc<JsonObject>,
    /// The maximum number of entries on one page of a list.
    pub(crate) page_size: usize,
    /// The interval of progress notifications for a handler that reports no progress.
    pub(crate) heartbeat: Option<Duration>,
}

impl Core {
    /// Returns the capabilities of the server for a connection.
    pub(super) fn capabilities(
        &self,
        connection: &Connection,
        revision: Revision,
    ) -> ConnectionCapabilities {
        ConnectionCapabilities {
            snapshot: self.server.registry.snapshot(),
            delivers_request_messages: connection.delivers_request_messages(),
            delivers_session_messages: match revision.is_modern() {
                true => connection.delivers_request_messages(),
                false => connection.delivers_session_messages(),
            },
            always_logs: self.server.logs(),
            has_tasks: self.tasks.has_created_tasks(),
            extensions: Arc::clone(&self.extensions),
        }
    }

    /// Encodes a result in a protocol revision, and deserializes the JSON into `T`.
    pub(super) fn to_json<T: DeserializeOwned>(
        &self,
        revision: Revision,
        payload: &Payload,
    ) -> Result<T, ErrorObject> {
        let mut json = Vec::new();
        self.codec.write(&mut json, revision, payload);
        serde_json::from_slice(&json).map_err(|_| ErrorObject::internal())
    }
}
