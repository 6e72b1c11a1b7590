use std::sync::Arc;

use super::updates::{self, Updates};
use super::{Added, Audience, News, Stream};
use crate::context::Outgoing;
use crate::dispatch::Peer;
use crate::dispatch::capability::Offer;
use crate::error::Error;
use crate::jsonrpc::RequestId;
use crate::protocol::{SubscriptionFilter, Task};
use crate::registry::{Registry, Snapshot};

/// Changes what a server serves while it serves, and tells its clients.
///
/// Clones are the same server. Handlers borrow one as `&ServerHandle`;
/// elsewhere it comes from [`Server::handle`](crate::Server::handle) or
/// [`Dispatcher::handle`](crate::Dispatcher::handle).
/// A change is seen by requests that come after it; those under way go on with
/// what they found. A client hears once of each list that looks different to it.
///
/// ```
/// use mcp_runtime::{Added, Server, protocol::Tool};
/// use serde_json::json;
///
/// let server = Server::new("example", "1.0.0");
/// let handle = server.handle();
/// let tool = Tool {
///     name: "now".to_owned(),
///     description: Some("Tells the time.".to_owned()),
///     input_schema: json!({ "type": "object" }),
///     ..Tool::default()
/// };
/// handle.add(Added::tool(tool, |_, _| async { Ok("noon") }))?;
/// assert!(handle.disable_tool("now"));
/// # Ok::<(), mcp_runtime::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct ServerHandle {
    registry: Arc<Registry>,
    audience: Arc<Audience>,
    updates: Arc<Updates>,
}

macro_rules! by_key {
    ($shelf:ident, $key:ident, $remove:ident, $enable:ident, $disable:ident, $word:literal) => {
        #[doc = concat!("Removes a ", $word, "; tells whether there was one.")]
        pub fn $remove(&self, $key: &str) -> bool {
            self.change(|snapshot| snapshot.$shelf.remove($key))
        }

        #[doc = concat!("Serves a ", $word, " again; tells whether there is one.")]
        pub fn $enable(&self, $key: &str) -> bool {
            self.change(|snapshot| snapshot.$shelf.set_enabled($key, true))
        }

        #[doc = concat!("Neither lists nor runs a ", $word, " any more; tells whether there is one.")]
        pub fn $disable(&self, $key: &str) -> bool {
            self.change(|snapshot| snapshot.$shelf.set_enabled($key, false))
        }
    };
}

impl ServerHandle {
    /// Adds a tool, a prompt or a resource.
    ///
    /// # Errors
    /// [`Error::Duplicate`] if there is one of that name already.
    pub fn add(&self, added: Added) -> Result<(), Error> {
        self.add_all([added])
    }

    /// Adds several at once, so that clients hear of it once; all or none.
    ///
    /// # Errors
    /// [`Error::Duplicate`] if there is one of that name already.
    pub fn add_all(&self, added: impl IntoIterator<Item = Added>) -> Result<(), Error> {
        // What makes them is the user's, and may itself change what is served.
        let mut added = Vec::from_iter(added).into_iter();
        let changed = self
            .registry
            .edit(|snapshot| added.try_for_each(|added| added.add_to(snapshot)));
        self.announce();
        changed
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

    /// Tells those who subscribed to a resource that its contents are others.
    ///
    /// Changes within a tenth of a second are told together.
    pub fn resource_updated(&self, uri: &str) {
        updates::tell(&self.audience, &self.updates, uri);
    }

    /// Ends all listen streams gracefully, as before the server stops.
    pub fn end_streams(&self) {
        self.audience.end();
    }

    /// Tells those who listen for a task that it is another one.
    pub(crate) fn task_changed(&self, task: &Task) {
        self.audience.tell_task(task);
    }

    pub(crate) fn registry(&self) -> &Arc<Registry> {
        &self.registry
    }

    fn change(&self, change: impl FnOnce(&mut Snapshot) -> bool) -> bool {
        let changed = self.registry.edit(|snapshot| Ok(change(snapshot)));
        self.announce();
        // The change itself has no error.
        changed.unwrap_or_default()
    }

    fn announce(&self) {
        self.audience.tell_news(&self.registry);
    }

    /// Remembers a session and what it is told of the lists in its handshake.
    pub(in crate::dispatch) fn meet(&self, peer: &Peer, offer: &Offer) {
        let session = peer.session();
        if let Some(session) = session.upgrade() {
            session.learn(News::of(&offer.snapshot).promised(offer, [true; 3]));
            self.audience.admit_session(&session);
            // What changed between the look at the lists and now.
            session.tell_news(Some(&self.registry));
        }
    }

    /// Opens a listen stream with its acknowledgement; `None` if there are too many.
    pub(in crate::dispatch) fn listen(
        &self,
        id: RequestId,
        outgoing: Arc<dyn Outgoing>,
        asked: SubscriptionFilter,
        offer: &Offer,
    ) -> Option<Arc<Stream>> {
        let lists = [
            asked.tools_list_changed,
            asked.prompts_list_changed,
            asked.resources_list_changed,
        ];
        let news = News::of(&offer.snapshot).promised(offer, lists);
        let [tools, prompts, resources] = news.wanted();
        let honoured = SubscriptionFilter {
            tools_list_changed: tools,
            prompts_list_changed: prompts,
            resources_list_changed: resources,
            resource_subscriptions: asked.resource_subscriptions,
            task_ids: asked.task_ids,
        };
        let stream = Arc::new(Stream::new(id, outgoing, &honoured, news));
        if !self.audience.admit_stream(&stream) {
            return None;
        }
        stream.acknowledge(&honoured);
        // What changed between the look at the lists and the acknowledgement.
        stream.tell_news(&self.registry);
        Some(stream)
    }

    pub(in crate::dispatch) fn hang_up(&self, stream: &Arc<Stream>) {
        stream.close();
        self.audience.dismiss(stream);
    }
}
