//! Who may call, how much, and what is written down of it.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use tokio::sync::Semaphore;

use super::Server;
use crate::audit::{AuditArguments, AuditLog, AuditSink};
use crate::auth::{Authorizer, Guards, ResourceMetadata, ScopeMatching, TokenValidator};
use crate::call::Layer;
use crate::clock::Clock;
use crate::error::Error;
use crate::limits::{Quotas, Rate};
use crate::registry::Snapshot;

/// The part of a server that faces other people.
#[derive(Debug, Default)]
pub(super) struct Guarded {
    pub(super) guards: Guards,
    pub(super) quotas: Quotas,
    pub(super) audit: AuditLog,
    pub(super) layers: Vec<Arc<dyn Layer>>,
    pub(super) clock: Clock,
}

impl Guarded {
    /// Refuses a timeout that lets nothing run, and to serve what is not for
    /// everybody where nobody is known.
    pub(super) fn check(&self, snapshot: &Snapshot) -> Result<(), Error> {
        if self.quotas.timeout.is_some_and(|limit| limit.is_zero()) {
            return Err(Error::ZeroTimeout);
        }
        if self.guards.validator.is_some() || self.guards.allow_local {
            return Ok(());
        }
        let closed = snapshot
            .definitions()
            .filter(|definition| definition.common().is_closed());
        let errors = closed.map(|definition| Error::NoAuthentication {
            kind: definition.kind().word(),
            name: definition.common().name.clone().into_owned(),
            location: definition.common().location,
        });
        Error::all(errors.collect())
    }
}

impl Server {
    /// Knows callers by their tokens: over HTTP nobody else is served, and the
    /// local user is who `MCP_TOKEN` in the environment names.
    ///
    /// ```
    /// use mcp_runtime::{Server, auth::{Principal, StaticTokens}};
    ///
    /// let token = std::env::var("ADA_TOKEN").unwrap_or_default();
    /// let tokens = StaticTokens::new().token(token, Principal::new("ada").with_scopes(["notes:read"]));
    /// let server = Server::new("example", "1.0.0").authenticate(tokens);
    /// ```
    #[must_use]
    pub fn authenticate(mut self, validator: impl TokenValidator) -> Self {
        self.guarded.guards.validator = Some(Arc::new(validator));
        self
    }

    /// Decides beyond scopes who may see and use what.
    #[must_use]
    pub fn authorizer(mut self, authorizer: impl Authorizer) -> Self {
        self.guarded.guards.authorizer = Some(Arc::new(authorizer));
        self
    }

    /// Decides in the place of a person about tools with `confirm`, where the
    /// client cannot ask one; they are refused unless said.
    ///
    /// It is not asked where a person could be, and did not answer.
    ///
    /// ```
    /// use mcp_runtime::{Server, auth::{Access, Decision}};
    ///
    /// let server = Server::new("example", "1.0.0").unasked(|access: &Access<'_>| {
    ///     match access.principal.is_some_and(|it| &*it.id == "nightly") {
    ///         true => Decision::Allow,
    ///         false => Decision::Deny("a person has to agree".into()),
    ///     }
    /// });
    /// ```
    #[must_use]
    pub fn unasked(mut self, authorizer: impl Authorizer) -> Self {
        self.guarded.guards.unasked = Some(Arc::new(authorizer));
        self
    }

    /// When a scope covers another; only itself unless said.
    #[must_use]
    pub fn scope_matching(mut self, matching: ScopeMatching) -> Self {
        self.guarded.guards.matching = matching;
        self
    }

    /// Gives the local user every scope: who calls over standard input, on the
    /// command line or inside this process, and has no token.
    #[must_use]
    pub fn allow_local(mut self) -> Self {
        self.guarded.guards.allow_local = true;
        self
    }

    /// What clients over HTTP are told about where tokens come from.
    #[must_use]
    pub fn resource_metadata(mut self, metadata: ResourceMetadata) -> Self {
        self.guarded.guards.metadata = Some(metadata);
        self
    }

    /// Tells `sink` of every call; if it fails, the log of the server says so.
    ///
    /// ```no_run
    /// use mcp_runtime::{Server, audit::JsonLines};
    ///
    /// let server = Server::new("example", "1.0.0").audit(JsonLines::open("audit.jsonl")?);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn audit(mut self, sink: impl AuditSink) -> Self {
        self.guarded.audit.add(sink, false);
        self
    }

    /// As [`audit`](Self::audit); once the sink has failed, calls are refused
    /// until it can write again.
    #[must_use]
    pub fn audit_required(mut self, sink: impl AuditSink) -> Self {
        self.guarded.audit.add(sink, true);
        self
    }

    /// What records say about arguments; their names unless said.
    #[must_use]
    pub fn audit_arguments(mut self, arguments: AuditArguments) -> Self {
        self.guarded.audit.set_arguments(arguments);
        self
    }

    /// Keeps the values of names that contain `part` out of records, in whatever
    /// case and at whatever depth, besides those that are secret by themselves.
    #[must_use]
    pub fn redact(mut self, part: &str) -> Self {
        self.guarded.audit.redact(part);
        self
    }

    /// How long a tool may take that says nothing of its own; as long as it likes
    /// unless said. A server does not start with a timeout of zero.
    ///
    /// An `async fn` is dropped then. A plain `fn` goes on in its thread until it
    /// returns, which [`Context::is_cancelled`](crate::Context::is_cancelled) asks
    /// it to; what it returns is dropped. Until then it still counts for
    /// [`max_calls`](Self::max_calls) and for the `max_concurrency` of its tool,
    /// and no longer for [`max_calls_per_client`](Self::max_calls_per_client).
    /// The time that the client takes to answer a question does not count.
    ///
    /// ```
    /// use mcp_runtime::{Rate, Server};
    /// use std::time::Duration;
    ///
    /// let server = Server::new("example", "1.0.0")
    ///     .timeout(Duration::from_secs(30))
    ///     .max_calls(64)
    ///     .rate_limit(Rate::per_hour(1_000));
    /// ```
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.guarded.quotas.timeout = Some(timeout);
        self
    }

    /// How many calls may run at the same time; more are refused.
    #[must_use]
    pub fn max_calls(mut self, most: usize) -> Self {
        let permits = most.clamp(1, Semaphore::MAX_PERMITS);
        self.guarded.quotas.calls = Some(Arc::new(Semaphore::new(permits)));
        self
    }

    /// How many calls of one client may run at the same time; more are refused.
    ///
    /// Tasks count as long as they run. Over HTTP a client is who its token names,
    /// on whatever connections and in whatever sessions. A client that nobody knows
    /// is a session or a connection; over HTTP in 2026-07-28 it has neither, and so
    /// no limit but [`max_calls`](Self::max_calls). Requests that come in the same
    /// instant can pass together: as many more may run as arrive at once.
    #[must_use]
    pub fn max_calls_per_client(mut self, most: usize) -> Self {
        self.guarded.quotas.per_client = Some(most.max(1));
        self
    }

    /// How often each caller may call each tool; callers without a token are one.
    ///
    /// It holds for prompts and resources too, and for completions and
    /// subscriptions of each, which are counted apart.
    #[must_use]
    pub fn rate_limit(mut self, rate: Rate) -> Self {
        self.guarded.quotas.rate = Some(rate);
        self
    }

    /// How often each caller may call that tool, or make that kind of request for
    /// each thing, where it is a method as `completion/complete` is.
    #[must_use]
    pub fn rate_limit_of(mut self, name: impl Into<String>, rate: Rate) -> Self {
        self.guarded.quotas.rates.insert(name.into(), rate);
        self
    }

    /// How many bytes of content a result may have whose tool says nothing of its
    /// own; 4 MiB unless said. A bigger one is an error that asks for less.
    #[must_use]
    pub fn max_result(mut self, bytes: usize) -> Self {
        self.guarded.quotas.result = bytes;
        self
    }

    /// How many bytes the arguments of a call may have, and how deep they may be
    /// nested; 4 MiB and 64 unless said.
    #[must_use]
    pub fn max_arguments(mut self, bytes: usize, depth: usize) -> Self {
        self.guarded.quotas.input.bytes = bytes;
        self.guarded.quotas.input.depth = depth;
        self
    }

    /// Tells the time of day, for tests; that of the system unless said.
    ///
    /// It counts for the age of a sealed `requestState` and the time in audit
    /// records. Timeouts, rates and the life of sessions are counted on a
    /// monotonic clock.
    ///
    /// ```
    /// use std::time::SystemTime;
    ///
    /// let server = mcp_runtime::Server::new("example", "1.0.0").clock(|| SystemTime::UNIX_EPOCH);
    /// ```
    #[must_use]
    pub fn clock(mut self, now: impl Fn() -> SystemTime + Send + Sync + 'static) -> Self {
        self.guarded.clock = Clock::new(now);
        self
    }

    /// Puts `layer` around the bodies of all tools, inside of those before it.
    #[must_use]
    pub fn layer(mut self, layer: impl Layer) -> Self {
        self.guarded.layers.push(Arc::new(layer));
        self
    }
}
