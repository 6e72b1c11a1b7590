//! Who may call, how much, and what is written down of it.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;

use super::Server;
use crate::audit::{AuditArguments, AuditLog, AuditSink};
use crate::auth::{Authorizer, Guards, ResourceMetadata, ScopeMatching, TokenValidator};
use crate::call::Layer;
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
}

impl Guarded {
    /// Refuses to serve what is not for everybody where nobody is known.
    pub(super) fn check(&self, snapshot: &Snapshot) -> Result<(), Error> {
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
    /// unless said, and where it is zero.
    ///
    /// An `async fn` is dropped then. A plain `fn` goes on in its thread, and what
    /// it returns is dropped. The time that a person takes to answer a question
    /// of the tool counts, the time to confirm the call does not.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.guarded.quotas.timeout = (!timeout.is_zero()).then_some(timeout);
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
    #[must_use]
    pub fn max_calls_per_client(mut self, most: usize) -> Self {
        self.guarded.quotas.per_client = Some(most.max(1));
        self
    }

    /// How often each caller may call each tool, get each prompt, read each
    /// resource, and ask for completions; callers without a token are one.
    #[must_use]
    pub fn rate_limit(mut self, rate: Rate) -> Self {
        self.guarded.quotas.rate = Some(rate);
        self
    }

    /// How often each caller may call that tool, or ask for completions where it is
    /// `completion/complete`.
    #[must_use]
    pub fn rate_limit_of(mut self, tool: impl Into<String>, rate: Rate) -> Self {
        self.guarded.quotas.rates.insert(tool.into(), rate);
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

    /// Puts `layer` around the bodies of all tools, inside of those before it.
    #[must_use]
    pub fn layer(mut self, layer: impl Layer) -> Self {
        self.guarded.layers.push(Arc::new(layer));
        self
    }
}
