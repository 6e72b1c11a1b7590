use std::sync::Arc;

use super::list_changes::ListChangeTracker;
use super::listen_stream::ListenStream;
use super::subscribers::{Subscriber, Subscribers};
use super::update_throttle::{UpdateThrottle, notify_throttled};
use crate::context::ClientSink;
use crate::dispatch::capabilities::ConnectionCapabilities;
use crate::dispatch::connection::Connection;
use crate::dispatch::session::Session;
use crate::error::Error;
use crate::jsonrpc::RequestId;
use crate::protocol::{SubscriptionFilter, Task};
use crate::registry::{DynamicDefinition, Registry, Snapshot};

/// A handle that adds and removes definitions of a running server and notifies its clients.
///
/// Clones refer to the same server. A handler can borrow the handle as `&ServerHandle`. Other code
/// gets it from [`Server::handle`](crate::Server::handle) or
/// [`Dispatcher::handle`](crate::Dispatcher::handle).
///
/// A change applies to requests that arrive after it. Requests in flight keep the definitions that
/// they use. The server notifies a client once for each list whose visible entries changed.
///
/// ```
/// use mcp_runtime::dispatch::DynamicDefinition;
/// use mcp_runtime::{Server, protocol::Tool};
/// use serde_json::json;
///
/// let server = Server::new("example", "1.0.0");
/// let handle = server.handle();
/// let tool = Tool {
///     name: "now".to_owned(),
///     description: Some("Returns the time.".to_owned()),
///     input_schema: json!({ "type": "object" }),
///     ..Tool::default()
/// };
/// handle.add(DynamicDefinition::tool(tool, |_, _| async { Ok("noon") }))?;
/// assert!(handle.disable_tool("now"));
/// # Ok::<(), mcp_runtime::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct ServerHandle {
    registry: Arc<Registry>,
    subscribers: Arc<Subscribers>,
    updates: Arc<UpdateThrottle>,
}

macro_rules! by_key {
    ($map:ident, $key:ident, $remove:ident, $enable:ident, $disable:ident, $word:literal) => {
        #[doc = concat!("Removes a ", $word, "; returns whether it existed.")]
        pub fn $remove(&self, $key: &str) -> bool {
            self.change(|snapshot| snapshot.$map.remove($key))
        }

        #[doc = concat!("Enables a disabled ", $word, "; returns whether it exists.")]
        pub fn $enable(&self, $key: &str) -> bool {
            self.change(|snapshot| snapshot.$map.set_enabled($key, true))
        }

        #[doc = concat!("Disables a ", $word, ", so that it is neither listed nor found; ")]
        #[doc = "returns whether it exists."]
        pub fn $disable(&self, $key: &str) -> bool {
            self.change(|snapshot| snapshot.$map.set_enabled($key, false))
        }
    };
}

impl ServerHandle {
    /// Adds a tool, a prompt, a resource or a resource template.
    ///
    /// # Errors
    /// Returns [`Error::Duplicate`] if another definition has the same name or URI.
    pub fn add(&self, definition: DynamicDefinition) -> Result<(), Error> {
        self.add_all([definition])
    }

    /// Adds several definitions and notifies each client once. Adds no definition if it returns an
    /// error.
    ///
    /// # Errors
    /// Returns [`Error::Duplicate`] if another definition has the same name or URI.
    pub fn add_all(
        &self,
        definitions: impl IntoIterator<Item = DynamicDefinition>,
    ) -> Result<(), Error> {
        // Collect the definitions first, because the iterator of the user may itself use this
        // handle.
        let mut definitions = Vec::from_iter(definitions).into_iter();
        let added = self
            .registry
            .edit(|snapshot| definitions.try_for_each(|it| it.add_to(snapshot)));
        self.notify_list_changes();
        added
    }

    by_key!(tools, name, remove_tool, enable_tool, disable_tool, "tool");
    by_key!(
        prompts,
        name,
        remove_prompt,
        enable_prompt,
        disable_prompt,
        "prompt"
    );
    by_key!(
        resources,
        uri,
        remove_resource,
        enable_resource,
        disable_resource,
        "resource"
    );
    by_key!(
        templates,
        template,
        remove_resource_template,
        enable_resource_template,
        disable_resource_template,
        "resource template"
    );

    /// Notifies the subscribers of a resource that the contents of the resource changed.
    ///
    /// The server combines updates of the same resource within 100 milliseconds into one
    /// notification.
    pub fn resource_updated(&self, uri: &str) {
        notify_throttled(&self.subscribers, &self.updates, uri);
    }

    /// Closes all listen streams gracefully. Call it before the server stops.
    pub fn close_listen_streams(&self) {
        self.subscribers.close_streams();
    }

    /// Sends the current state of a task to the listen streams that subscribed to it.
    pub(crate) fn notify_task(&self, task: &Task) {
        self.subscribers.notify_task(task);
    }

    pub(crate) fn registry(&self) -> &Arc<Registry> {
        &self.registry
    }

    fn change(&self, change: impl FnOnce(&mut Snapshot) -> bool) -> bool {
        let changed = self.registry.edit(|snapshot| Ok(change(snapshot)));
        self.notify_list_changes();
        // These changes never fail.
        changed.unwrap_or_default()
    }

    fn notify_list_changes(&self) {
        self.subscribers.notify_list_changes(&self.registry);
    }

    /// Registers the session of a client, which received `capabilities` in its handshake.
    pub(in crate::dispatch) fn register_session(
        &self,
        connection: &Connection,
        capabilities: &ConnectionCapabilities,
    ) {
        let session = connection.session();
        session.set_known_lists(ListChangeTracker::new(capabilities, [true; 3]));
        let subscriber: Arc<dyn Subscriber> = Arc::<Session>::clone(session);
        self.subscribers
            .add_session(Arc::downgrade(&subscriber), &session.registration);
        // The lists may have changed since the server took the snapshot of the capabilities.
        session.list_changed(&self.registry);
    }

    /// Opens a listen stream and acknowledges it. Returns `None` if too many streams are open.
    pub(in crate::dispatch) fn open_stream(
        &self,
        id: RequestId,
        sink: Arc<dyn ClientSink>,
        requested: SubscriptionFilter,
        capabilities: &ConnectionCapabilities,
    ) -> Option<Arc<ListenStream>> {
        let lists = [
            requested.tools_list_changed,
            requested.prompts_list_changed,
            requested.resources_list_changed,
        ];
        let lists = ListChangeTracker::new(capabilities, lists);
        let [tools, prompts, resources] = lists.enabled();
        let filter = SubscriptionFilter {
            tools_list_changed: tools,
            prompts_list_changed: prompts,
            resources_list_changed: resources,
            ..requested
        };
        let stream = Arc::new(ListenStream::new(id, sink, &filter, lists));
        if !self.subscribers.add_stream(&stream) {
            return None;
        }
        stream.acknowledge(&filter);
        // The lists may have changed since the server took the snapshot of the capabilities.
        stream.list_changed(&self.registry);
        Some(stream)
    }

    pub(in crate::dispatch) fn close_stream(&self, stream: &Arc<ListenStream>) {
        stream.close();
        self.subscribers.remove_stream(stream);
    }
}
