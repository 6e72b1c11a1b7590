use std::collections::HashMap;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use http::{HeaderMap, StatusCode};

use super::caller::Caller;
use super::headers::{SessionHeader, SessionId, VersionHeader};
use super::options::HttpOptions;
use super::session::HttpSession;
use crate::dispatch::Dispatcher;
use crate::limits::{CallerKey, Shares, is_within_share};

/// The legacy sessions of an endpoint. Sessions are the only state per client.
#[derive(Debug)]
pub(super) struct Sessions {
    map: Mutex<SessionMap>,
    idle_timeout: Duration,
    max: usize,
    /// The limit for the bytes of events that all sessions store together.
    event_budget: Arc<Shares>,
    started: Instant,
}

#[derive(Debug, Default)]
struct SessionMap {
    sessions: HashMap<SessionId, Arc<HttpSession>>,
    /// The number of sessions of each caller.
    by_caller: HashMap<CallerKey, usize>,
    /// Whether a task that ends idle sessions is running.
    swept: bool,
}

/// The number of sessions that can fill their event stores completely at the same time.
const MAX_FULL_STORES: usize = 128;

/// The error message for a caller that uses a session of another principal.
pub(super) const NOT_OWNER: &str = "the session belongs to another caller";

impl Sessions {
    pub(super) fn new(options: &HttpOptions) -> Arc<Self> {
        Arc::new(Self {
            map: Mutex::default(),
            idle_timeout: options.session_idle_timeout,
            max: options.max_sessions,
            event_budget: Shares::new(options.event_buffer.saturating_mul(MAX_FULL_STORES)),
            started: Instant::now(),
        })
    }

    /// Creates a session. See [`HttpSession::new`].
    pub(super) fn new_session(
        &self,
        dispatcher: &Dispatcher,
        options: &HttpOptions,
        caller: &Caller,
    ) -> Option<HttpSession> {
        let event_budget = Arc::clone(&self.event_budget);
        HttpSession::new(options, dispatcher, event_budget, caller)
    }

    /// Stores a session whose `initialize` request has succeeded.
    pub(super) fn insert(self: &Arc<Self>, session: HttpSession) -> Arc<HttpSession> {
        let session = Arc::new(session);
        self.touch(&session);
        let mut map = self.lock();
        let evicted = map.make_room(self.max, session.caller());
        map.insert(Arc::clone(&session));
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

    /// Returns the session of a legacy request, or the status and message of the response that
    /// rejects the request.
    ///
    /// The server uses the protocol version that the session negotiated. The version header must
    /// only name a known version.
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

    /// Ends the session `id` if it exists.
    pub(super) fn remove(&self, id: SessionId) {
        let removed = self.lock().remove(id);
        self.end(removed);
    }

    /// Ends all sessions.
    pub(super) fn clear(&self) {
        let mut map = self.lock();
        map.by_caller.clear();
        let all = std::mem::take(&mut map.sessions);
        drop(map);
        self.end(all.into_values());
    }

    /// Ends the streams of all sessions for messages that do not belong to a request.
    pub(super) fn end_server_streams(&self) {
        for session in self.lock().sessions.values() {
            session.end_server_streams();
        }
    }

    pub(super) fn len(&self) -> usize {
        self.lock().sessions.len()
    }

    /// Ends sessions that were removed from the map. The caller must not hold the lock of the map.
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

    /// Returns the milliseconds since `started`.
    fn now(&self) -> u64 {
        u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// Ends idle sessions. Returns `true` if other sessions are left.
    fn sweep(&self) -> bool {
        let now = self.now();
        let timeout = u64::try_from(self.idle_timeout.as_millis()).unwrap_or(u64::MAX);
        let mut map = self.lock();
        let expired = map.sessions.values().filter(|session| {
            if session.is_busy() {
                self.touch(session);
            }
            now.saturating_sub(session.last_used()) > timeout
        });
        let expired: Vec<_> = expired.map(|session| session.id).collect();
        let expired: Vec<_> = expired
            .into_iter()
            .filter_map(|id| map.remove(id))
            .collect();
        let any_left = !map.sessions.is_empty();
        map.swept = any_left;
        if !any_left {
            map.sessions.shrink_to_fit();
        }
        drop(map);
        self.end(expired);
        any_left
    }

    /// Locks the map. Poisoning is ignored, because no code panics while it holds the lock.
    fn lock(&self) -> MutexGuard<'_, SessionMap> {
        self.map.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SessionMap {
    fn insert(&mut self, session: Arc<HttpSession>) {
        if let Some(caller) = session.caller() {
            *self.by_caller.entry(caller).or_default() += 1;
        }
        self.sessions.insert(session.id, session);
    }

    fn remove(&mut self, id: SessionId) -> Option<Arc<HttpSession>> {
        let session = self.sessions.remove(&id)?;
        if let Some(caller) = session.caller()
            && let Some(count) = self.by_caller.get_mut(&caller)
        {
            *count -= 1;
            if *count == 0 {
                self.by_caller.remove(&caller);
            }
        }
        Some(session)
    }

    /// Removes sessions if a new session of `caller` has no room, and returns them. If the caller
    /// already has its share, the function removes sessions of that caller.
    fn make_room(&mut self, max: usize, caller: Option<CallerKey>) -> Vec<Arc<HttpSession>> {
        let free = max.saturating_sub(self.sessions.len());
        let own = caller.and_then(|caller| self.by_caller.get(&caller).copied());
        match own {
            Some(own) if !is_within_share(own, free, 1) => {
                self.remove_oldest(own, |session| session.caller() == caller)
            }
            _ if free == 0 => self.remove_oldest(self.sessions.len(), |_| true),
            _ => Vec::new(),
        }
    }

    /// Removes and returns the least recently used candidates, which are one sixteenth of `total`
    /// but at least one session.
    ///
    /// The function removes several sessions at once because it has to search the whole map.
    fn remove_oldest(
        &mut self,
        total: usize,
        is_candidate: impl Fn(&HttpSession) -> bool,
    ) -> Vec<Arc<HttpSession>> {
        let age = |session: &HttpSession| (session.is_busy(), session.last_used());
        let candidates = self.sessions.values().filter(|it| is_candidate(it));
        let mut ages: Vec<_> = candidates.map(|it| (age(it), it.id)).collect();
        let count = (total / 16).max(1).min(ages.len());
        if count == 0 {
            return Vec::new();
        }
        ages.select_nth_unstable_by_key(count - 1, |(age, _)| *age);
        let oldest = ages.iter().take(count);
        oldest.filter_map(|(_, id)| self.remove(*id)).collect()
    }
}

/// Ends idle sessions regularly until no session is left or the endpoint is dropped.
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
