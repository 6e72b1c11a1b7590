use std::sync::Arc;

use super::handler_settings::HandlerSettings;
use super::middleware::Middleware;
use crate::audit::AuditLog;
use crate::auth::AccessControl;
#[cfg(feature = "client-log")]
use crate::client_log::LogTargets;
use crate::clock::Clock;
use crate::context::State;
use crate::limits::Quotas;
use crate::protocol::{CacheHints, CacheScope};
use crate::registry::{DefinitionMeta, Registry, Snapshot};
use crate::seal::{KeyRing, ReplayGuard};

/// The part of a server's configuration and state that requests use.
#[derive(Debug)]
pub(crate) struct ServerContext {
    pub(crate) name: String,
    pub(crate) registry: Arc<Registry>,
    pub(crate) state: Arc<State>,
    pub(crate) handler_settings: HandlerSettings,
    pub(crate) access_control: AccessControl,
    pub(crate) quotas: Quotas,
    pub(crate) audit: Arc<AuditLog>,
    pub(crate) middleware: Vec<Arc<dyn Middleware>>,
    /// The cache hints of results that do not set cache hints themselves.
    pub(crate) cache: CacheHints,
    /// The targets of the tracing events that are forwarded to clients.
    #[cfg(feature = "client-log")]
    pub(crate) client_log: Option<LogTargets>,
    /// The keys that seal the `requestState` of calls with input requests.
    pub(crate) keys: KeyRing,
    pub(crate) clock: Clock,
    /// The nonces of the sealed states whose consent has been used.
    pub(crate) replay_guard: ReplayGuard,
}

impl ServerContext {
    /// Whether tracing events are forwarded to clients as log messages.
    pub(crate) fn logs(&self) -> bool {
        #[cfg(feature = "client-log")]
        return self.client_log.is_some();
        #[cfg(not(feature = "client-log"))]
        false
    }

    /// Returns the cache hints of a result. A result that can differ between callers is private.
    pub(super) fn cache_hints(&self, meta: &DefinitionMeta) -> CacheHints {
        let mut hints = meta.cache.unwrap_or(self.cache);
        if self.access_control.can_personalize() || meta.is_restricted() {
            hints.scope = CacheScope::Private;
        }
        hints
    }

    /// Whether the tool, prompt and resource lists can differ between callers.
    pub(crate) fn is_personal(&self, snapshot: &Snapshot) -> bool {
        self.access_control.can_personalize()
            || snapshot.definitions().any(DefinitionMeta::is_restricted)
    }
}
