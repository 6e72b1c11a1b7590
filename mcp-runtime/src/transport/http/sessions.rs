use std::collections::HashMap;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, Weak};
use std::time::{Duration, Instant};

use super::HttpOptions;
use super::session::{Candidate, Session, SessionId};

/// The sessions of one endpoint: the only per-client state there is.
#[derive(Debug)]
pub(super) struct Sessions {
    map: Mutex<Map>,
    idle: Duration,
    max: usize,
    started: Instant,
}

#[derive(Debug, Default)]
struct Map {
    sessions: HashMap<SessionId, Arc<Session>>,
    /// Whether a task looks after idle ones.
    swept: bool,
}

impl Sessions {
    pub(super) fn new(options: &HttpOptions) -> Arc<Self> {
        Arc::new(Self {
            map: Mutex::default(),
            idle: options.session_idle,
            max: options.max_sessions,
            started: Instant::now(),
        })
    }

    /// Keeps a session whose handshake has succeeded.
    ///
    /// `None` where the system has no randomness for its id.
    pub(super) fn insert(self: &Arc<Self>, candidate: Candidate) -> Option<Arc<Session>> {
        let session = Arc::new(candidate.agreed()?);
        self.touch(&session);
        let mut map = self.lock();
        let evicted = map.make_room(self.max);
        map.sessions.insert(session.id, Arc::clone(&session));
        if !std::mem::replace(&mut map.swept, true) {
            tokio::spawn(sweep(Arc::downgrade(self), self.idle));
        }
        drop(map);
        self.end(evicted);
        Some(session)
    }

    /// The session of that id, used now.
    pub(super) fn get(&self, id: SessionId) -> Option<Arc<Session>> {
        let session = self.lock().sessions.get(&id).cloned()?;
        self.touch(&session);
        Some(session)
    }

    /// Ends a session at the client's wish; tells whether there was one.
    pub(super) fn remove(&self, id: SessionId) -> bool {
        let removed = self.lock().sessions.remove(&id);
        let found = removed.is_some();
        self.end(removed.into_iter().collect());
        found
    }

    /// Ends all of them, since the server stops.
    pub(super) fn clear(&self) {
        let all = self
            .lock()
            .sessions
            .drain()
            .map(|(_, session)| session)
            .collect();
        self.end(all);
    }

    /// Ends the streams that no request waits for.
    pub(super) fn hush(&self) {
        for session in self.lock().sessions.values() {
            session.hush();
        }
    }

    pub(super) fn len(&self) -> usize {
        self.lock().sessions.len()
    }

    /// The one way out: whatever left the map is ended here.
    fn end(&self, sessions: Vec<Arc<Session>>) {
        for session in sessions {
            tracing::debug!(session = %session.id, "session ended");
            session.end();
        }
    }

    fn touch(&self, session: &Session) {
        let now = self.now();
        session.used.store(now, Ordering::Relaxed);
    }

    /// Milliseconds since the start, which last longer than any server.
    fn now(&self) -> u64 {
        u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// Ends idle sessions; tells whether any are left.
    fn sweep(&self) -> bool {
        let now = self.now();
        let idle = u64::try_from(self.idle.as_millis()).unwrap_or(u64::MAX);
        let mut map = self.lock();
        let expired = map.sessions.extract_if(|_, session| {
            if session.is_busy() {
                self.touch(session);
            }
            now.saturating_sub(session.last_used()) > idle
        });
        let expired: Vec<_> = expired.map(|(_, session)| session).collect();
        let any = !map.sessions.is_empty();
        map.swept = any;
        if !any {
            map.sessions.shrink_to_fit();
        }
        drop(map);
        self.end(expired);
        any
    }

    /// A panic cannot happen under the lock; if it did, the map would still be whole.
    fn lock(&self) -> MutexGuard<'_, Map> {
        self.map
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl Map {
    /// Takes out the least recently used sixteenth of a full map, so that a
    /// flood of handshakes does not search the whole map each time.
    fn make_room(&mut self, max: usize) -> Vec<Arc<Session>> {
        if self.sessions.len() < max {
            return Vec::new();
        }
        let count = (max / 16).max(1).min(self.sessions.len());
        let age = |session: &Arc<Session>| (session.is_busy(), session.last_used());
        let mut ages: Vec<_> = self.sessions.values().map(|it| (age(it), it.id)).collect();
        ages.select_nth_unstable_by_key(count - 1, |(age, _)| *age);
        let oldest = ages.iter().take(count);
        oldest
            .filter_map(|(_, id)| self.sessions.remove(id))
            .collect()
    }
}

/// Looks for idle sessions until none is left, or their endpoint is gone.
async fn sweep(sessions: Weak<Sessions>, idle: Duration) {
    let interval = (idle / 4).clamp(Duration::from_millis(10), Duration::from_secs(60));
    loop {
        tokio::time::sleep(interval).await;
        let Some(sessions) = sessions.upgrade() else {
            break;
        };
        if !sessions.sweep() {
            break;
        }
    }
}
