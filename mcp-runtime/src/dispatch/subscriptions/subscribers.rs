use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};

use super::listen_stream::ListenStream;
use crate::protocol::Task;
use crate::registry::Registry;
use crate::uri_template::normalize;

/// A client session that receives notifications about changes.
pub(in crate::dispatch) trait Subscriber: fmt::Debug + Send + Sync {
    /// Notifies the client of each list whose current state it does not know.
    fn list_changed(&self, registry: &Registry);

    /// Notifies the client that the contents of a resource changed, if the client subscribed to it.
    fn resource_updated(&self, normalized_uri: &str);
}

/// All sessions and listen streams that receive notifications about changes.
#[derive(Debug, Default)]
pub(crate) struct Subscribers(Mutex<SubscriberLists>);

#[derive(Debug, Default)]
struct SubscriberLists {
    /// The sessions by memory address, which is unique while the session exists.
    sessions: HashMap<usize, Weak<dyn Subscriber>>,
    streams: Vec<Arc<ListenStream>>,
}

/// The registration of a session, which is removed when the session is dropped.
#[derive(Debug, Default)]
pub(crate) struct SubscriberRegistration(OnceLock<(Weak<Subscribers>, usize)>);

impl Drop for SubscriberRegistration {
    fn drop(&mut self) {
        if let Some((subscribers, address)) = self.0.get()
            && let Some(subscribers) = subscribers.upgrade()
        {
            subscribers.remove_session(*address);
        }
    }
}

/// The capacity that the map of sessions keeps when it shrinks.
const MIN_CAPACITY: usize = 64;
/// The maximum number of open listen streams. The server rejects further streams.
///
/// Over HTTP, each caller may open up to three quarters of this number, which are 1024 streams.
pub(crate) const MAX_LISTEN_STREAMS: usize = 1365;

impl Subscribers {
    /// Adds a session. A session that repeats its handshake stays registered.
    pub(super) fn add_session(
        self: &Arc<Self>,
        session: Weak<dyn Subscriber>,
        registration: &SubscriberRegistration,
    ) {
        let address = session.as_ptr().cast::<()>() as usize;
        let registered = registration.0.set((Arc::downgrade(self), address));
        if registered.is_ok() {
            self.lock().sessions.insert(address, session);
        }
    }

    fn remove_session(&self, address: usize) {
        let mut lists = self.lock();
        let removed = lists.sessions.remove(&address);
        let capacity = lists.sessions.len() * 2;
        if lists.sessions.capacity() > capacity.max(MIN_CAPACITY) * 2 {
            lists.sessions.shrink_to(capacity);
        }
        drop(lists);
        drop(removed);
    }

    /// Adds a stream. Returns `false` if [`MAX_LISTEN_STREAMS`] streams are already open.
    pub(super) fn add_stream(&self, stream: &Arc<ListenStream>) -> bool {
        let mut lists = self.lock();
        let has_room = lists.streams.len() < MAX_LISTEN_STREAMS;
        if has_room {
            lists.streams.push(Arc::clone(stream));
        }
        has_room
    }

    pub(super) fn remove_stream(&self, stream: &Arc<ListenStream>) {
        let mut lists = self.lock();
        lists.streams.retain(|other| !Arc::ptr_eq(other, stream));
    }

    pub(super) fn notify_list_changes(&self, registry: &Registry) {
        let (sessions, streams) = self.all();
        sessions.iter().for_each(|it| it.list_changed(registry));
        streams.iter().for_each(|it| it.list_changed(registry));
    }

    pub(super) fn notify_update(&self, uri: &str) {
        let (uri, (sessions, streams)) = (normalize(uri), self.all());
        sessions.iter().for_each(|it| it.resource_updated(&uri));
        streams.iter().for_each(|it| it.resource_updated(&uri));
    }

    pub(super) fn notify_task(&self, task: &Task) {
        let (_, streams) = self.all();
        streams.iter().for_each(|stream| stream.notify_task(task));
    }

    /// Closes all streams gracefully.
    pub(super) fn close_streams(&self) {
        let (_, streams) = self.all();
        streams.iter().for_each(|stream| stream.closing.cancel());
    }

    /// Copies the sessions and streams. The caller then notifies them without the lock, because a
    /// slow client would otherwise delay all others.
    fn all(&self) -> (Vec<Arc<dyn Subscriber>>, Vec<Arc<ListenStream>>) {
        let lists = self.lock();
        let sessions = lists.sessions.values().filter_map(Weak::upgrade).collect();
        (sessions, lists.streams.clone())
    }

    fn lock(&self) -> MutexGuard<'_, SubscriberLists> {
        // No code panics while the lock is held.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
