use std::sync::Arc;

use serde_json::json;

use crate::protocol::{JsonObject, ListChanged, ResourcesCapability, Revision, ServerCapabilities};
use crate::registry::{Kind, Snapshot};
use crate::task;

/// What a method needs its server to have; without it the method does not exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Capability {
    Tools,
    Prompts,
    Resources,
    /// To tell of changed contents.
    Subscribe,
    Completions,
    Logging,
    /// To send what is no reply.
    Listening,
    /// To let work go on as a task.
    Tasks,
}

/// What is served, and how far the way to the client carries it: a capability
/// is a promise, so nothing is promised that cannot be kept.
#[derive(Debug)]
pub(crate) struct Offer {
    pub(crate) snapshot: Arc<Snapshot>,
    /// Messages about a request reach the client before the reply.
    pub(crate) carries_messages: bool,
    /// Messages reach the client that are about no request, or listened for.
    pub(crate) carries_news: bool,
    /// Log messages are sent whatever bodies do.
    pub(crate) logs: bool,
    /// Tasks were begun, whatever has become of their tools.
    pub(crate) has_begun_tasks: bool,
    /// What the server's author declares besides.
    pub(crate) extensions: Arc<JsonObject>,
}

/// MCP Apps.
const UI: &str = "io.modelcontextprotocol/ui";

impl Offer {
    pub(crate) fn has(&self, capability: Capability) -> bool {
        let snapshot = &self.snapshot;
        match capability {
            Capability::Tools => !snapshot.tools.is_empty(),
            Capability::Prompts => !snapshot.prompts.is_empty(),
            Capability::Resources => snapshot.has_resources(),
            Capability::Subscribe => self.carries_news && snapshot.subscribes(),
            Capability::Completions => snapshot.completes(),
            Capability::Logging => self.carries_messages && (self.logs || snapshot.logs()),
            Capability::Listening => self.carries_news,
            Capability::Tasks => task::AVAILABLE && (snapshot.has_tasks() || self.has_begun_tasks),
        }
    }

    /// Whether changes of that list are told.
    pub(crate) fn tells_of(&self, kind: Kind) -> bool {
        let capability = match kind {
            Kind::Tool => Capability::Tools,
            Kind::Prompt => Capability::Prompts,
            Kind::Resource | Kind::ResourceTemplate => Capability::Resources,
        };
        self.carries_news && self.has(capability)
    }

    pub(crate) fn to_protocol(&self) -> ServerCapabilities {
        let empty = |capability| self.has(capability).then(JsonObject::new);
        let list_changed = self.carries_news;
        let listed = |capability| self.has(capability).then_some(ListChanged { list_changed });
        ServerCapabilities {
            completions: empty(Capability::Completions),
            extensions: self.extensions(),
            logging: empty(Capability::Logging),
            prompts: listed(Capability::Prompts),
            resources: self
                .has(Capability::Resources)
                .then(|| ResourcesCapability {
                    list_changed,
                    subscribe: self.has(Capability::Subscribe),
                }),
            tools: listed(Capability::Tools),
        }
    }

    /// Only those that are used.
    fn extensions(&self) -> Option<JsonObject> {
        let mut extensions = JsonObject::clone(&self.extensions);
        if self.snapshot.has_apps() {
            extensions.entry(UI).or_insert_with(|| json!({}));
        }
        if self.has(Capability::Tasks) {
            extensions
                .entry(task::EXTENSION)
                .or_insert_with(|| json!({}));
        }
        (!extensions.is_empty()).then_some(extensions)
    }
}

impl super::Dispatcher {
    /// What the server promises to that client.
    pub(crate) fn offer(&self, peer: &super::Peer, revision: Revision) -> Offer {
        Offer {
            snapshot: self.core().service.registry.snapshot(),
            carries_messages: peer.carries_messages(),
            carries_news: match revision.is_modern() {
                true => peer.carries_messages(),
                false => peer.carries_news(),
            },
            logs: self.core().service.logs(),
            has_begun_tasks: self.core().tasks.have_begun(),
            extensions: Arc::clone(&self.core().extensions),
        }
    }
}
