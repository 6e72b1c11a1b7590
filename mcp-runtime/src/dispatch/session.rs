use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, RwLock};

use serde_json::value::RawValue;

use super::in_flight::InFlight;
use crate::context::{Channel, ClientProfile, Nowhere, Outgoing, Outstanding, RequestScope};
use crate::jsonrpc::{RequestId, Response};
use crate::protocol::Revision;

/// The other end of one request, as a transport presents it.
///
/// Joins the session, which may outlive the request, with the stream that
/// messages about this request take. Clones are the same end.
#[derive(Clone, Debug)]
pub struct Peer {
    session: Arc<Session>,
    outgoing: Arc<dyn Outgoing>,
}

/// What the legacy handshake agreed, and which requests are in flight.
///
/// A stateless transport makes a new one for each request.
#[derive(Debug)]
struct Session {
    channel: Channel,
    /// The revision as a number, 0 before the handshake.
    revision: AtomicU8,
    client: RwLock<Arc<ClientProfile>>,
    in_flight: InFlight,
    outstanding: Arc<Outstanding>,
}

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
        let session = Session {
            channel,
            revision: AtomicU8::new(0),
            client: RwLock::default(),
            in_flight: InFlight::default(),
            outstanding: Arc::default(),
        };
        Self {
            session: Arc::new(session),
            outgoing,
        }
    }

    /// The same session on another stream.
    #[must_use]
    pub fn on_stream(&self, outgoing: Arc<dyn Outgoing>) -> Self {
        Self {
            session: Arc::clone(&self.session),
            outgoing,
        }
    }

    /// Who makes a request of that revision; only a handshake is remembered.
    pub(super) fn scope<'a>(
        &'a self,
        id: &'a RequestId,
        revision: Revision,
        meta: Option<&'a RawValue>,
    ) -> RequestScope<'a> {
        let client = (!revision.is_modern()).then(|| self.client());
        RequestScope::new(
            id,
            revision,
            self.session.channel,
            client,
            meta,
            &self.outgoing,
            &self.session.outstanding,
        )
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
            *profile = Arc::new(client);
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
        Arc::clone(&profile)
    }
}
