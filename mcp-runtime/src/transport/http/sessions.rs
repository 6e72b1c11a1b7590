use std::collections::HashMap;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use http::{HeaderMap, StatusCode};

use super::caller::Caller;
use super::headers::{SessionHeader, SessionId, VersionHeader};
use super::options::HttpOptions;
use super::session::HttpSession;

/// The legacy sessions of an endpoint, its only state per client.
#[derive(Debug)]
pub(super) struct Sessions {
    map: Mutex<SessionMap>,
    idle_timeout: Duration,
    max: usize,
    started: Instant,
}

#[derive(Debug, Default)]
struct SessionMap {
    sessions: HashMap<SessionId, Arc<HttpSession>>,
    /// Whether a task ends idle sessions.
    swept: bool,
}

/// Why a caller is denied a session of another principal.
pub(super) const NOT_OWNER: &str = "the session belongs to another caller";

impl Sessions {
    pub(super) fn new(options: &HttpOptions) -> Arc<Self> {
        Arc::new(Self {
            map: Mutex::default(),
            idle_timeout: options.session_idle_timeout,
            max: options.max_sessions,
            started: Instant::now(),
        })
    }

    /// Stores a session whose `initialize` has succeeded.
    pub(super) fn insert(self: &Arc<Self>, session: HttpSession) -> Arc<HttpSession> {
        let session = Arc::new(session);
        self.touch(&session);
        let mut map = self.lock();
        let evicted = map.make_room(self.max);
        map.sessions.insert(session.id, Arc::clone(&session));
        if !std::mem::replace(&mut map.swept, true) {
            tokio::spawn(sweep(Arc::downgrade(self), self.idle_timeout));
        }
        drop(map);
        self.end(evicted);
        session
    }

    /// Returns a session and marks it as used.
    pub(super) fn get(&self, id: SessionId) -> Option<Arc<HttpSession>> {
        let session = self.lock().sessions.get(&id).cloned()?;
        self.touch(&session);
        Some(session)
    }

    /// Returns the session of a legacy request, or the status and message to reject it with.
    ///
    /// The negotiated revision counts; the header only has to name a known one.
    pub(super) fn of_request(
        &self,
        headers: &HeaderMap,
        version: VersionHeader,
        caller: &Caller,
    ) -> Result<Arc<HttpSession>, (StatusCode, &'static str)> {
        if version == VersionHeader::Unknown {
            let message = "`MCP-Protocol-Version` is not a supported version";
            return Err((StatusCode::BAD_REQUEST, message));
        }
        let session = match SessionHeader::parse(headers) {
            SessionHeader::Missing => {
                let message = "`Mcp-Session-Id` is missing; send `initialize` first, \
                               or a protocol version in `_meta`";
                return Err((StatusCode::BAD_REQUEST, message));
            }
            SessionHeader::Id(id) => self.get(id),
            SessionHeader::Invalid => None,
        };
        let session = session.ok_or((
            StatusCode::NOT_FOUND,
            "the session does not exist or has ended; send `initialize` again",
        ))?;
        if !session.is_owned_by(caller) {
            return Err((StatusCode::FORBIDDEN, NOT_OWNER));
        }
        Ok(session)
    }

    /// Ends a session, if it exists.
    pub(super) fn remove(&self, id: SessionId) {
        let removed = self.lock().sessions.remove(&id);
        self.end(removed);
    }

    /// Ends all sessions.
    pub(super) fn clear(&self) {
        let all = std::mem::take(&mut self.lock().sessions);
        self.end(all.into_values());
    }

    /// Ends the streams for messages that belong to no request.
    pub(super) fn end_server_streams(&self) {
        for session in self.lock().sessions.values() {
            session.end_server_stream();
        }
    }

    pub(super) fn len(&self) -> usize {
        self.lock().sessions.len()
    }

    /// Ends sessions that were removed from the map, without holding its lock.
    fn end(&self, sessions: impl IntoIterator<Item = Arc<HttpSession>>) {
        for session in sessions {
            tracing::debug!(session = %session.id, "session ended");
            session.end();
        }
    }

    fn touch(&self, session: &HttpSession) {
        let now = self.now();
        session.last_used.store(now, Ordering::Relaxed);
    }

    /// Milliseconds since `started`.
    fn now(&self) -> u64 {
        u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// Ends idle sessions; returns whether any are left.
    fn sweep(&self) -> bool {
        let now = self.now();
        let timeout = u64::try_from(self.idle_timeout.as_millis()).unwrap_or(u64::MAX);
        let mut map = self.lock();
        let expired = map.sessions.extract_if(|_, session| {
            if session.is_busy() {
                self.touch(session);
            }
            now.saturating_sub(session.last_used()) > timeout
        });
        let expired: Vec<_> = expired.map(|(_, session)| session).collect();
        let any_left = !map.sessions.is_empty();
        map.swept = any_left;
        if !any_left {
            map.sessions.shrink_to_fit();
        }
        drop(map);
        self.end(expired);
        any_left
    }

    /// Nothing panics under the lock, so a poisoned map is still consistent.
    fn lock(&self) -> MutexGuard<'_, SessionMap> {
        self.map.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SessionMap {
    /// Removes the least recently used sixteenth of a full map, so that many new
    /// sessions do not search the whole map each time.
    fn make_room(&mut self, max: usize) -> Vec<Arc<HttpSession>> {
        if self.sessions.len() < max {
            return Vec::new();
        }
        let count = (max / 16).max(1).min(self.sessions.len());
        let age = |session: &Arc<HttpSession>| (session.is_busy(), session.last_used());
        let mut ages: Vec<_> = self.sessions.values().map(|it| (age(it), it.id)).collect();
        ages.select_nth_unstable_by_key(count - 1, |(age, _)| *age);
        let oldest = ages.iter().take(count);
        oldest
            .filter_map(|(_, id)| self.sessions.remove(id))
            .collect()
    }
}

/// Ends idle sessions until none is left or the endpoint is dropped.
async fn sweep(sessions: Weak<Sessions>, idle_timeout: Duration) {
    let interval = (idle_timeout / 4).clamp(Duration::from_millis(10), Duration::from_secs(60));
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
