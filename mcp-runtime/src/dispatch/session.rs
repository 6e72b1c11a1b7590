use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, RwLock};

use serde_json::value::RawValue;

use super::in_flight::InFlight;
use crate::call::Caller;
use crate::context::{Channel, ClientProfile};
use crate::jsonrpc::RequestId;
use crate::protocol::Revision;

/// The other end of a conversation, as a transport presents it; clones are the same end.
///
/// Holds what the legacy handshake agreed and which requests are in flight.
/// A stateless transport makes a new one for each request.
#[derive(Clone, Debug)]
pub struct Peer(Arc<Session>);

#[derive(Debug)]
struct Session {
    channel: Channel,
    /// The revision as a number, 0 before the handshake.
    revision: AtomicU8,
    client: RwLock<Arc<ClientProfile>>,
    in_flight: InFlight,
}

impl Default for Peer {
    fn default() -> Self {
        Self::new()
    }
}

impl Peer {
    /// An end inside this process.
    #[must_use]
    pub fn new() -> Self {
        Self::through(Channel::Memory)
    }

    /// An end behind that door.
    #[must_use]
    pub fn through(channel: Channel) -> Self {
        Self(Arc::new(Session {
            channel,
            revision: AtomicU8::new(0),
            client: RwLock::default(),
            in_flight: InFlight::default(),
        }))
    }

    /// Who makes a request of that revision; only a handshake is remembered.
    pub(super) fn caller<'a>(
        &self,
        id: &'a RequestId,
        revision: Revision,
        meta: Option<&'a RawValue>,
    ) -> Caller<'a> {
        let client = (!revision.is_modern()).then(|| self.client());
        Caller::new(id, revision, self.0.channel, client, meta)
    }

    /// What the handshake agreed, if there was one.
    #[must_use]
    pub fn revision(&self) -> Option<Revision> {
        Revision::from_u8(self.0.revision.load(Ordering::Acquire))
    }

    pub(super) fn in_flight(&self) -> &InFlight {
        &self.0.in_flight
    }

    /// How many calls are waiting or running.
    #[must_use]
    pub fn calls_in_flight(&self) -> usize {
        self.0.in_flight.len()
    }

    /// Completes when no call is waiting or running.
    pub async fn drained(&self) {
        self.0.in_flight.drained().await;
    }

    /// Cancels every call, as when the client is gone.
    pub fn cancel_all(&self) {
        self.0.in_flight.cancel_all();
    }

    pub(super) fn negotiate(&self, revision: Revision, client: ClientProfile) {
        if let Ok(mut profile) = self.0.client.write() {
            *profile = Arc::new(client);
        }
        self.0.revision.store(revision as u8, Ordering::Release);
    }

    fn client(&self) -> Arc<ClientProfile> {
        // A poisoned lock still holds a whole profile: it is only ever replaced.
        let profile = self
            .0
            .client
            .read()
            .unwrap_or_else(|poisoned| poisoned.into_inner());
        Arc::clone(&profile)
    }
}
