use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock, Weak};

use super::in_flight::InFlight;
use super::live::{News, Place};
use crate::auth::Principal;
use crate::codec;
use crate::context::{
    Cancellation, Channel, ClientProfile, Nowhere, Outgoing, Outstanding, RequestScope, Threshold,
    Way,
};
use crate::jsonrpc::{RequestId, Response};
use crate::protocol::{LoggingLevel, Revision};
use crate::registry::Registry;

/// The other end of one request, as a transport presents it.
///
/// Joins the session, which may outlive the request, with the stream that
/// messages about this request take. Clones are the same end.
#[derive(Clone, Debug)]
pub struct Peer {
    session: Arc<Session>,
    outgoing: Arc<dyn Outgoing>,
    principal: Option<Arc<Principal>>,
}

/// What the legacy handshake agreed, and which requests are in flight.
///
/// A stateless transport makes a new one for each request, so that what few of
/// them need is made when it is.
#[derive(Debug)]
pub(crate) struct Session {
    channel: Channel,
    /// The id of the principal that opened it, if one did.
    owner: OnceLock<Box<str>>,
    /// The revision as a number, 0 before the handshake.
    revision: AtomicU8,
    /// Of the handshake.
    client: RwLock<Option<Arc<ClientProfile>>>,
    in_flight: InFlight,
    outstanding: Arc<Outstanding>,
    /// From which level on the client wants log messages.
    log_level: OnceLock<Arc<AtomicU8>>,
    /// Where messages go that are about no request.
    unsolicited: RwLock<Arc<dyn Outgoing>>,
    news: Mutex<Known>,
    place: Place,
    /// Ends the listen streams of the client.
    closing: OnceLock<Cancellation>,
}

/// What a client knows of the server's lists, and what it wants to hear of.
#[derive(Debug, Default)]
struct Known {
    /// The client has said that it is ready.
    ready: bool,
    news: News,
    subscriptions: BTreeSet<String>,
}

/// A client with more subscriptions than this is told to end one.
const MOST_SUBSCRIPTIONS: usize = 1024;

impl Default for Peer {
    fn default() -> Self {
        Self::new()
    }
}

impl Peer {
    /// An end inside this process that takes only replies.
    #[must_use]
    pub fn new() -> Self {
        Self::through(Channel::Memory, Arc::new(Nowhere))
    }

    /// An end behind that door, with a session of its own.
    #[must_use]
    pub fn through(channel: Channel, outgoing: Arc<dyn Outgoing>) -> Self {
        Self::counted(channel, outgoing, Arc::default())
    }

    /// The same for a client whose work is counted in `work`, whatever session
    /// it comes with.
    pub(crate) fn counted(
        channel: Channel,
        outgoing: Arc<dyn Outgoing>,
        work: Arc<AtomicUsize>,
    ) -> Self {
        let session = Session {
            channel,
            owner: OnceLock::new(),
            revision: AtomicU8::new(0),
            client: RwLock::default(),
            in_flight: InFlight::counted(work),
            log_level: OnceLock::new(),
            unsolicited: RwLock::new(Arc::clone(&outgoing)),
            news: Mutex::default(),
            place: Place::default(),
            closing: OnceLock::new(),
            outstanding: Arc::default(),
        };
        Self {
            session: Arc::new(session),
            outgoing,
            principal: None,
        }
    }

    /// The same end with `principal` as who speaks; the first one of a session is
    /// its owner, and nobody else is answered in it.
    #[must_use]
    pub fn with_principal(&self, principal: Arc<Principal>) -> Self {
        self.session.owner.get_or_init(|| principal.id.clone());
        Self {
            principal: Some(principal),
            ..self.clone()
        }
    }

    /// The same end with that principal, or with nobody known who speaks.
    pub(crate) fn spoken_by(&self, principal: Option<&Arc<Principal>>) -> Self {
        match principal {
            Some(principal) => self.with_principal(Arc::clone(principal)),
            None => Self {
                principal: None,
                ..self.clone()
            },
        }
    }

    /// Who speaks, as far as that was proved.
    #[must_use]
    pub fn principal(&self) -> Option<&Principal> {
        self.principal.as_deref()
    }

    /// Whether the session belongs to who speaks.
    #[must_use]
    pub fn owns_session(&self) -> bool {
        let speaker = self.principal().map(|principal| &principal.id);
        let owner = self.session.owner.get();
        owner.is_none() || owner == speaker
    }

    /// The same session on another stream.
    #[must_use]
    pub fn on_stream(&self, outgoing: Arc<dyn Outgoing>) -> Self {
        Self {
            session: Arc::clone(&self.session),
            outgoing,
            principal: self.principal.clone(),
        }
    }

    /// Where messages of the session go that are about no request, from now on;
    /// what changed while there was no such way is told at once.
    pub fn set_unsolicited(&self, outgoing: Arc<dyn Outgoing>) {
        let unsolicited = &self.session.unsolicited;
        *unsolicited.write().unwrap_or_else(PoisonError::into_inner) = outgoing;
        self.session.tell_news(None);
    }

    /// Who makes a request of that revision; only a handshake is remembered.
    pub(super) fn scope<'a>(
        &'a self,
        id: &'a RequestId,
        revision: Revision,
        meta: Option<&'a str>,
        log_level: Option<LoggingLevel>,
    ) -> RequestScope<'a> {
        let client = (!revision.is_modern()).then(|| self.client());
        let mut scope = RequestScope::new(
            id,
            revision,
            self.session.channel,
            client,
            meta,
            Way {
                outgoing: &self.outgoing,
                outstanding: &self.session.outstanding,
            },
        );
        scope.threshold = match revision.is_modern() {
            true => Threshold::Request(log_level),
            false => Threshold::Session(Arc::clone(self.session.log_level())),
        };
        scope.principal.clone_from(&self.principal);
        scope.in_flight = self.in_flight().work();
        scope
    }

    pub(super) fn session(&self) -> Weak<Session> {
        Arc::downgrade(&self.session)
    }

    /// Whether messages about a request reach the client before the reply.
    pub(super) fn carries_messages(&self) -> bool {
        self.outgoing.delivers()
    }

    /// Whether messages reach the client that are about no request.
    pub(super) fn carries_news(&self) -> bool {
        self.session.unsolicited().delivers()
    }

    pub(super) fn set_log_level(&self, level: LoggingLevel) {
        let log_level = self.session.log_level();
        log_level.store(level as u8, Ordering::Relaxed);
    }

    /// `false` if the client has as many subscriptions as it may have.
    pub(super) fn subscribe(&self, uri: String) -> bool {
        let mut known = self.session.known();
        let room = known.subscriptions.len() < MOST_SUBSCRIPTIONS;
        if room || known.subscriptions.contains(&uri) {
            known.subscriptions.insert(uri);
            return true;
        }
        false
    }

    pub(super) fn unsubscribe(&self, uri: &str) {
        self.session.known().subscriptions.remove(uri);
    }

    /// The client is ready for messages that it did not ask for.
    pub(super) fn initialized(&self) {
        self.session.known().ready = true;
        self.session.tell_news(None);
    }

    /// Ends the listen streams of the client gracefully, as when it has closed
    /// its end of a pipe.
    pub fn stop_listening(&self) {
        self.closing().cancel();
    }

    pub(super) fn closing(&self) -> &Cancellation {
        self.session.closing.get_or_init(Cancellation::default)
    }

    /// What the handshake agreed, if there was one.
    #[must_use]
    pub fn revision(&self) -> Option<Revision> {
        Revision::from_u8(self.session.revision.load(Ordering::Acquire))
    }

    pub(super) fn in_flight(&self) -> &InFlight {
        &self.session.in_flight
    }

    /// How many calls are waiting or running.
    #[must_use]
    pub fn calls_in_flight(&self) -> usize {
        self.session.in_flight.len()
    }

    /// Cancels every call, as when the client is gone.
    pub fn cancel_all(&self) {
        self.session.in_flight.cancel_all();
        self.session.outstanding.close();
    }

    /// Says that the client will say nothing more: calls go on, and those that
    /// wait for an answer of the client learn that there will be none.
    pub fn hang_up(&self) {
        self.session.outstanding.close();
    }

    /// Brings the client's answer to a question of a handler.
    pub(super) fn answered(&self, response: Response<'_>) {
        self.session.outstanding.answer(response);
    }

    pub(super) fn negotiate(&self, revision: Revision, client: ClientProfile) {
        if let Ok(mut profile) = self.session.client.write() {
            *profile = Some(Arc::new(client));
        }
        self.session
            .revision
            .store(revision as u8, Ordering::Release);
    }

    fn client(&self) -> Arc<ClientProfile> {
        // A poisoned lock still holds a whole profile: it is only ever replaced.
        let profile = self
            .session
            .client
            .read()
            .unwrap_or_else(|poisoned| poisoned.into_inner());
        profile.clone().unwrap_or_default()
    }
}

impl Session {
    /// What the client was told about the lists.
    pub(super) fn learn(&self, news: News) {
        let mut known = self.known();
        known.news = news;
        known.ready = false;
    }

    /// Tells what the client does not know yet: what is served now, or what
    /// could not be told before. Its knowledge only grows with what was sent.
    ///
    /// What is served is looked at under the lock: whoever changed it earlier but
    /// comes later would else put an old state in the place of a newer one.
    pub(super) fn tell_news(&self, registry: Option<&Registry>) {
        let outgoing = self.unsolicited();
        let mut known = self.known();
        let (ready, now) = (known.ready, registry.map(Registry::snapshot));
        known.news.tell(now.as_ref(), |method| {
            ready && outgoing.send(&codec::list_changed(method, None))
        });
    }

    pub(super) fn tell_update(&self, uri: &str) {
        if self.known().subscriptions.contains(uri) {
            self.unsolicited().send(&codec::resource_updated(uri, None));
        }
    }

    fn log_level(&self) -> &Arc<AtomicU8> {
        let level = || Arc::new(AtomicU8::new(LoggingLevel::Info as u8));
        self.log_level.get_or_init(level)
    }

    pub(super) fn place(&self) -> &Place {
        &self.place
    }

    fn unsolicited(&self) -> Arc<dyn Outgoing> {
        // A poisoned lock still holds a whole stream: it is only ever replaced.
        let unsolicited = self
            .unsolicited
            .read()
            .unwrap_or_else(PoisonError::into_inner);
        Arc::clone(&unsolicited)
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        // A transport that panics under the lock leaves a set and four numbers.
        self.news.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
