use std::sync::Arc;

use serde_json::json;

use crate::protocol::{JsonObject, ListChangedCapability, ResourcesCapability, ServerCapabilities};
use crate::registry::{DefinitionKind, Snapshot};
use crate::task;

/// A capability that a server must have to offer a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Capability {
    Tools,
    Prompts,
    Resources,
    /// Notifications about resources whose contents changed.
    Subscribe,
    Completions,
    Logging,
    /// Notifications on a `subscriptions/listen` stream.
    Listening,
    /// Calls that continue as tasks.
    Tasks,
}

/// The capabilities of the server for one connection.
///
/// The server only declares a capability if this connection can deliver its messages.
#[derive(Debug)]
pub(crate) struct ConnectionCapabilities {
    pub(crate) snapshot: Arc<Snapshot>,
    /// Whether messages about a request can reach the client before the reply.
    pub(super) delivers_request_messages: bool,
    /// Whether messages of a listen stream, or messages that belong to no request, can reach the
    /// client.
    pub(super) delivers_session_messages: bool,
    /// Whether the server sends log messages even if no handler can log.
    pub(super) always_logs: bool,
    /// Whether tasks exist. A task remains if its tool is removed.
    pub(super) has_tasks: bool,
    /// The extensions that the user of this crate declared.
    pub(super) extensions: Arc<JsonObject>,
}

/// The identifier of the extension *MCP Apps*.
const UI: &str = "io.modelcontextprotocol/ui";

impl ConnectionCapabilities {
    pub(super) fn has(&self, capability: Capability) -> bool {
        let snapshot = &self.snapshot;
        match capability {
            Capability::Tools => !snapshot.tools.is_empty(),
            Capability::Prompts => !snapshot.prompts.is_empty(),
            Capability::Resources => snapshot.has_resources(),
            Capability::Subscribe => self.delivers_session_messages && snapshot.can_subscribe(),
            Capability::Completions => snapshot.can_complete(),
            Capability::Logging => {
                self.delivers_request_messages && (self.always_logs || snapshot.can_log())
            }
            Capability::Listening => self.delivers_session_messages,
            Capability::Tasks => task::AVAILABLE && (snapshot.has_tasks() || self.has_tasks),
        }
    }

    /// Whether the server notifies the client when the list of this kind changes.
    pub(super) fn has_list_changed(&self, kind: DefinitionKind) -> bool {
        let capability = match kind {
            DefinitionKind::Tool => Capability::Tools,
            DefinitionKind::Prompt => Capability::Prompts,
            DefinitionKind::Resource | DefinitionKind::ResourceTemplate => Capability::Resources,
        };
        self.delivers_session_messages && self.has(capability)
    }

    pub(super) fn to_protocol(&self) -> ServerCapabilities {
        let empty = |capability| self.has(capability).then(JsonObject::new);
        let list_changed = self.delivers_session_messages;
        let list = |capability| {
            self.has(capability)
                .then_some(ListChangedCapability { list_changed })
        };
        let resources = || ResourcesCapability {
            list_changed,
            subscribe: self.has(Capability::Subscribe),
        };
        ServerCapabilities {
            completions: empty(Capability::Completions),
            extensions: self.extensions(),
            logging: empty(Capability::Logging),
            prompts: list(Capability::Prompts),
            resources: self.has(Capability::Resources).then(resources),
            tools: list(Capability::Tools),
        }
    }

    /// Returns the declared extensions, and the extensions of this crate that the server uses.
    fn extensions(&self) -> Option<JsonObject> {
        let mut extensions = JsonObject::clone(&self.extensions);
        let apps = self.snapshot.has_apps().then_some(UI);
        let tasks = self.has(Capability::Tasks).then_some(task::EXTENSION);
        for extension in apps.into_iter().chain(tasks) {
            extensions.entry(extension).or_insert_with(|| json!({}));
        }
        (!extensions.is_empty()).then_some(extensions)
    }
}
