use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};

use super::Stream;
use crate::dispatch::session::Session;
use crate::protocol::Task;
use crate::registry::Registry;

/// Who is told of what changes: sessions, and listen streams.
#[derive(Debug, Default)]
pub(crate) struct Audience(Mutex<Seats>);

#[derive(Debug, Default)]
struct Seats {
    /// By address, which no other session has while it is here.
    sessions: HashMap<usize, Weak<Session>>,
    streams: Vec<Arc<Stream>>,
}

/// The place of a session in the audience, which it leaves with its end.
#[derive(Debug, Default)]
pub(crate) struct Place(OnceLock<(Weak<Audience>, usize)>);

impl Drop for Place {
    fn drop(&mut self) {
        if let Some((audience, address)) = self.0.get()
            && let Some(audience) = audience.upgrade()
        {
            audience.leave(*address);
        }
    }
}

/// So few seats are not worth giving back.
const FEW: usize = 64;
/// A server with more streams than this refuses the next.
const MOST_STREAMS: usize = 1024;

impl Audience {
    pub(super) fn admit_session(self: &Arc<Self>, session: &Arc<Session>) {
        let address = Arc::as_ptr(session) as usize;
        let taken = session.place().0.set((Arc::downgrade(self), address));
        // A session that shakes hands again keeps its place.
        if taken.is_ok() {
            let seat = Arc::downgrade(session);
            self.seats().sessions.insert(address, seat);
        }
    }

    fn leave(&self, address: usize) {
        let mut seats = self.seats();
        let left = seats.sessions.remove(&address);
        let most = seats.sessions.len() * 2;
        if seats.sessions.capacity() > most.max(FEW) * 2 {
            seats.sessions.shrink_to(most);
        }
        drop(seats);
        drop(left);
    }

    /// `false` if there are as many streams as there may be.
    pub(super) fn admit_stream(&self, stream: &Arc<Stream>) -> bool {
        let mut seats = self.seats();
        let room = seats.streams.len() < MOST_STREAMS;
        if room {
            seats.streams.push(Arc::clone(stream));
        }
        room
    }

    pub(super) fn dismiss(&self, stream: &Arc<Stream>) {
        self.seats()
            .streams
            .retain(|seat| !Arc::ptr_eq(seat, stream));
    }

    pub(super) fn tell_news(&self, registry: &Registry) {
        let (sessions, streams) = self.everybody();
        sessions
            .iter()
            .for_each(|session| session.tell_news(Some(registry)));
        streams.iter().for_each(|stream| stream.tell_news(registry));
    }

    pub(super) fn tell_update(&self, uri: &str) {
        let (sessions, streams) = self.everybody();
        sessions.iter().for_each(|session| session.tell_update(uri));
        streams.iter().for_each(|stream| stream.tell_update(uri));
    }

    pub(super) fn tell_task(&self, task: &Task) {
        let (_, streams) = self.everybody();
        streams.iter().for_each(|stream| stream.tell_task(task));
    }

    /// Ends all streams gracefully.
    pub(super) fn end(&self) {
        let (_, streams) = self.everybody();
        streams.iter().for_each(|stream| stream.ending.cancel());
    }

    /// Nobody is told anything under the lock: a slow client would hold up all.
    fn everybody(&self) -> (Vec<Arc<Session>>, Vec<Arc<Stream>>) {
        let seats = self.seats();
        let sessions = seats.sessions.values().filter_map(Weak::upgrade).collect();
        (sessions, seats.streams.clone())
    }

    fn seats(&self) -> MutexGuard<'_, Seats> {
        // Only lists change under the lock, and nothing there panics.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
