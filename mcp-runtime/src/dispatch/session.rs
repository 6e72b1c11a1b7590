use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock};

use super::in_flight::InFlight;
use super::subscriptions::list_changes::ListChangeTracker;
use super::subscriptions::subscribers::{Subscriber, SubscriberRegistration};
use crate::codec;
use crate::context::{Cancellation, ClientProfile, ClientSink, PendingRequests, TransportKind};
use crate::protocol::{LoggingLevel, Revision};
use crate::registry::Registry;
use crate::uri_template::normalize;

/// The state of a client that outlives one request, such as the revision from the legacy handshake
/// and the requests in flight.
///
/// A stateless transport creates a session for each request, so fields that few requests need are
/// initialized lazily.
#[derive(Debug)]
pub(crate) struct Session {
    pub(super) transport: TransportKind,
    /// The id of the principal that opened the session, if it was authenticated.
    pub(super) owner: OnceLock<Box<str>>,
    /// The protocol revision as a number, or 0 before the handshake.
    revision: AtomicU8,
    /// The client information and capabilities from the handshake.
    client: RwLock<Option<Arc<ClientProfile>>>,
    pub(super) in_flight: InFlight,
    pub(super) pending_requests: Arc<PendingRequests>,
    /// The minimum level of log messages for the client.
    log_level: OnceLock<Arc<AtomicU8>>,
    /// The sink for messages that belong to no request.
    sink: RwLock<Arc<dyn ClientSink>>,
    notifications: Mutex<NotificationState>,
    pub(super) registration: SubscriberRegistration,
    /// The cancellation that closes the listen streams of the client.
    pub(super) closing: OnceLock<Cancellation>,
}

/// The list states that the client knows, and its resource subscriptions.
#[derive(Debug, Default)]
struct NotificationState {
    /// Whether the client has sent `notifications/initialized`.
    initialized: bool,
    lists: ListChangeTracker,
    /// The subscribed URIs as the client wrote them, by their normalized form.
    subscriptions: BTreeMap<String, String>,
}

/// The maximum number of resource subscriptions of one session.
const MAX_SUBSCRIPTIONS: usize = 1024;

impl Session {
    pub(super) fn new(
        transport: TransportKind,
        sink: Arc<dyn ClientSink>,
        active_work: Arc<AtomicUsize>,
    ) -> Self {
        Self {
            transport,
            owner: OnceLock::new(),
            revision: AtomicU8::new(0),
            client: RwLock::default(),
            in_flight: InFlight::with_work_counter(active_work),
            pending_requests: Arc::default(),
            log_level: OnceLock::new(),
            sink: RwLock::new(sink),
            notifications: Mutex::default(),
            registration: SubscriberRegistration::default(),
            closing: OnceLock::new(),
        }
    }

    /// Returns the negotiated revision, or `None` before the handshake.
    pub(super) fn revision(&self) -> Option<Revision> {
        Revision::from_u8(self.revision.load(Ordering::Acquire))
    }

    pub(super) fn set_negotiated(&self, revision: Revision, client: ClientProfile) {
        if let Ok(mut profile) = self.client.write() {
            *profile = Some(Arc::new(client));
        }
        self.revision.store(revision as u8, Ordering::Release);
    }

    pub(super) fn client(&self) -> Arc<ClientProfile> {
        // Writers only replace the whole profile, so it is valid even if the lock is poisoned.
        let profile = self.client.read().unwrap_or_else(PoisonError::into_inner);
        profile.clone().unwrap_or_default()
    }

    pub(super) fn log_level(&self) -> &Arc<AtomicU8> {
        let default = || Arc::new(AtomicU8::new(LoggingLevel::Info as u8));
        self.log_level.get_or_init(default)
    }

    /// Adds a resource subscription. Returns `false` if the session already has
    /// [`MAX_SUBSCRIPTIONS`].
    pub(super) fn subscribe(&self, uri: String) -> bool {
        let subscriptions = &mut self.notifications().subscriptions;
        let key = normalize(&uri).into_owned();
        if subscriptions.len() < MAX_SUBSCRIPTIONS || subscriptions.contains_key(&key) {
            subscriptions.insert(key, uri);
            return true;
        }
        false
    }

    pub(super) fn unsubscribe(&self, uri: &str) {
        let key = normalize(uri);
        self.notifications().subscriptions.remove(&*key);
    }

    /// Sets the list states that the client knows after its handshake. The server sends no
    /// notifications before the client has sent `notifications/initialized`.
    pub(super) fn set_known_lists(&self, lists: ListChangeTracker) {
        let mut state = self.notifications();
        state.lists = lists;
        state.initialized = false;
    }

    pub(super) fn set_initialized(&self) {
        self.notifications().initialized = true;
        self.send_list_changes(None);
    }

    pub(super) fn sink(&self) -> Arc<dyn ClientSink> {
        // Writers only replace the whole sink, so it is valid even if the lock is poisoned.
        Arc::clone(&self.sink.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Replaces the sink, and sends the list changes that could not be sent before.
    pub(super) fn set_sink(&self, sink: Arc<dyn ClientSink>) {
        *self.sink.write().unwrap_or_else(PoisonError::into_inner) = sink;
        self.send_list_changes(None);
    }

    /// Notifies the client of each list that has changed since its last notification.
    ///
    /// This takes the snapshot while it holds the lock. Otherwise, a slow thread could replace a
    /// newer state by an older state.
    fn send_list_changes(&self, registry: Option<&Registry>) {
        let sink = self.sink();
        let mut state = self.notifications();
        let (initialized, current) = (state.initialized, registry.map(Registry::snapshot));
        state.lists.notify(current.as_ref(), |method| {
            initialized && sink.send(&codec::list_changed(method, None))
        });
    }

    fn notifications(&self) -> MutexGuard<'_, NotificationState> {
        // If a transport panics while the lock is held, the state is still valid.
        let state = self.notifications.lock();
        state.unwrap_or_else(PoisonError::into_inner)
    }
}

impl Subscriber for Session {
    fn list_changed(&self, registry: &Registry) {
        self.send_list_changes(Some(registry));
    }

    fn resource_updated(&self, normalized_uri: &str) {
        let subscribed = self
            .notifications()
            .subscriptions
            .get(normalized_uri)
            .cloned();
        if let Some(uri) = subscribed {
            self.sink().send(&codec::resource_updated(&uri, None));
        }
    }
}
