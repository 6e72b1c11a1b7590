//! The methods of [`Server`] for authentication, authorization, limits and auditing.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use tokio::sync::Semaphore;

use super::Server;
use crate::audit::{AuditArguments, AuditSink};
use crate::auth::{Authorizer, ResourceMetadata, ScopeMatching, TokenValidator};
use crate::call::Middleware;
use crate::clock::Clock;
use crate::limits::Rate;

impl Server {
    /// Authenticates callers by their bearer tokens.
    ///
    /// Over HTTP, the server rejects requests without a valid token. On standard input and output
    /// and on the command line, the server reads the token of the local user from the environment
    /// variable `MCP_TOKEN`.
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
        self.policies.access_control.validator = Some(Arc::new(validator));
        self
    }

    /// Sets the authorizer, which decides about each access in addition to scopes.
    ///
    /// If the authorizer denies a definition, the server hides the definition from the caller and
    /// rejects its use. See [`Authorizer`] for an example.
    #[must_use]
    pub fn authorizer(mut self, authorizer: impl Authorizer) -> Self {
        self.policies.access_control.authorizer = Some(Arc::new(authorizer));
        self
    }

    /// Sets the authorizer for calls of tools with `confirm` if the client cannot ask its user.
    ///
    /// By default, the server denies such calls. It does not call this authorizer if the client can
    /// ask the user but receives no answer.
    ///
    /// ```
    /// use mcp_runtime::{Server, auth::{Access, Decision}};
    ///
    /// let server = Server::new("example", "1.0.0").consent_fallback(|access: &Access<'_>| {
    ///     match access.principal.is_some_and(|it| &*it.id == "nightly") {
    ///         true => Decision::Allow,
    ///         false => Decision::Deny("a user must confirm this call".into()),
    ///     }
    /// });
    /// ```
    #[must_use]
    pub fn consent_fallback(mut self, authorizer: impl Authorizer) -> Self {
        self.policies.access_control.consent_fallback = Some(Arc::new(authorizer));
        self
    }

    /// Sets the rule by which one scope implies another. By default, a scope implies only itself.
    #[must_use]
    pub fn scope_matching(mut self, matching: ScopeMatching) -> Self {
        self.policies.access_control.scope_matching = matching;
        self
    }

    /// Grants every scope to local callers without a token.
    ///
    /// Local callers are the client on standard input, the command line, and clients in this
    /// process.
    #[must_use]
    pub fn allow_local(mut self) -> Self {
        self.policies.access_control.allow_local = true;
        self
    }

    /// Sets the protected resource metadata (RFC 9728). It tells HTTP clients where to obtain
    /// tokens. See [`ResourceMetadata`] for an example.
    #[must_use]
    pub fn resource_metadata(mut self, metadata: ResourceMetadata) -> Self {
        self.policies.access_control.resource_metadata = Some(metadata);
        self
    }

    /// Writes an audit record of every call to `sink`. The server logs the errors of the sink.
    ///
    /// ```no_run
    /// use mcp_runtime::{Server, audit::JsonLines};
    ///
    /// let server = Server::new("example", "1.0.0").audit(JsonLines::open("audit.jsonl")?);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn audit(mut self, sink: impl AuditSink) -> Self {
        self.policies.audit.add(sink, false);
        self
    }

    /// Writes an audit record of every call to `sink`, and rejects calls while the sink fails.
    #[must_use]
    pub fn audit_required(mut self, sink: impl AuditSink) -> Self {
        self.policies.audit.add(sink, true);
        self
    }

    /// Sets which parts of the arguments audit records contain. Defaults to the argument names.
    #[must_use]
    pub fn audit_arguments(mut self, arguments: AuditArguments) -> Self {
        self.policies.audit.set_arguments(arguments);
        self
    }

    /// Redacts the values of all arguments whose name contains `part` in audit records.
    ///
    /// The comparison ignores case and includes members of nested objects. The server always
    /// redacts arguments with a name such as `password`, and arguments with `#[arg(secret)]`.
    #[must_use]
    pub fn redact(mut self, part: &str) -> Self {
        self.policies.audit.add_secret_name(part);
        self
    }

    /// Limits how long a handler may run. A tool with its own `timeout` ignores this limit.
    ///
    /// By default, there is no limit. A server with a timeout of zero does not start. The time in
    /// which a handler waits for the user of the client does not count.
    ///
    /// After the timeout, the server drops the future of an `async fn`. A plain `fn` keeps its
    /// thread until it returns, and the server drops its result. Such a handler can check
    /// [`Context::is_cancelled`](crate::Context::is_cancelled) to stop early. Until it returns, it
    /// counts towards [`max_concurrent_calls`](Self::max_concurrent_calls) and the
    /// `max_concurrency` of its tool, but not towards
    /// [`max_concurrent_calls_per_client`](Self::max_concurrent_calls_per_client).
    ///
    /// ```
    /// use mcp_runtime::{Rate, Server};
    /// use std::time::Duration;
    ///
    /// let server = Server::new("example", "1.0.0")
    ///     .timeout(Duration::from_secs(30))
    ///     .max_concurrent_calls(64)
    ///     .rate_limit(Rate::per_hour(1_000));
    /// ```
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.policies.quotas.timeout = Some(timeout);
        self
    }

    /// Limits how many calls run at the same time. The server rejects further calls.
    ///
    /// By default, there is no limit. See [`timeout`](Self::timeout) for an example.
    #[must_use]
    pub fn max_concurrent_calls(mut self, calls: usize) -> Self {
        let permits = calls.clamp(1, Semaphore::MAX_PERMITS);
        self.policies.quotas.calls = Some(Arc::new(Semaphore::new(permits)));
        self
    }

    /// Limits how many calls of one client run at the same time. The server rejects further calls.
    ///
    /// By default, there is no limit. Each running task counts as a call.
    ///
    /// Over HTTP, the server identifies an authenticated client by its principal, across
    /// connections and sessions. It identifies an unauthenticated client by its session or
    /// connection. Unauthenticated HTTP clients of protocol version 2026-07-28 have neither, so
    /// only [`max_concurrent_calls`](Self::max_concurrent_calls) limits them.
    ///
    /// If several requests of a client arrive at the same instant, the server may run more calls
    /// than this limit.
    #[must_use]
    pub fn max_concurrent_calls_per_client(mut self, calls: usize) -> Self {
        self.policies.quotas.per_client = Some(calls.max(1));
        self
    }

    /// Limits how often each caller may call each tool. The server rejects further calls.
    ///
    /// By default, there is no limit. All callers without a token count as one caller. The same
    /// limit applies to each prompt and each resource. Completions and subscriptions are counted
    /// separately. See [`Rate`] for an example.
    #[must_use]
    pub fn rate_limit(mut self, rate: Rate) -> Self {
        self.policies.quotas.rate = Some(rate);
        self
    }

    /// Sets the rate limit of one tool, prompt, resource or method. It replaces
    /// [`rate_limit`](Self::rate_limit) there.
    ///
    /// If `name` is a method such as `completion/complete`, the server counts the requests of the
    /// method separately for each definition.
    #[must_use]
    pub fn tool_rate_limit(mut self, name: impl Into<String>, rate: Rate) -> Self {
        self.policies.quotas.rates.insert(name.into(), rate);
        self
    }

    /// Limits the content of a tool result in bytes. A tool with its own limit ignores this limit.
    ///
    /// Defaults to 4 MiB. The server replaces a larger result by an error that asks the model to
    /// request less.
    #[must_use]
    pub fn max_result(mut self, bytes: usize) -> Self {
        self.policies.quotas.max_result_bytes = bytes;
        self
    }

    /// Limits the size in bytes and the nesting depth of the arguments of a call.
    ///
    /// Defaults to 4 MiB and a depth of 64.
    #[must_use]
    pub fn max_arguments(mut self, bytes: usize, depth: usize) -> Self {
        self.policies.quotas.arguments.bytes = bytes;
        self.policies.quotas.arguments.depth = depth;
        self
    }

    /// Replaces the system clock in tests.
    ///
    /// The server uses this clock for the age of a sealed `requestState` and for the time in audit
    /// records. It uses a monotonic clock for timeouts, rate limits and session lifetimes.
    ///
    /// ```
    /// use std::time::SystemTime;
    ///
    /// let server = mcp_runtime::Server::new("example", "1.0.0").clock(|| SystemTime::UNIX_EPOCH);
    /// ```
    #[must_use]
    pub fn clock(mut self, now: impl Fn() -> SystemTime + Send + Sync + 'static) -> Self {
        self.policies.clock = Clock::new(now);
        self
    }

    /// Wraps the handlers of all tools in `middleware`. Middleware that you added earlier wraps
    /// this middleware.
    ///
    /// See [`Middleware`] for an example.
    #[must_use]
    pub fn middleware(mut self, middleware: impl Middleware) -> Self {
        self.policies.middleware.push(Arc::new(middleware));
        self
    }
}
