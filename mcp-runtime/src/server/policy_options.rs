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
    /// Over HTTP, requests without a valid token are rejected. On standard input and
    /// output and on the command line, the token of the local user is read from the
    /// environment variable `MCP_TOKEN`.
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

    /// Adds authorization rules beyond scopes.
    ///
    /// A caller neither sees nor can use a definition that the authorizer denies.
    /// See [`Authorizer`] for an example.
    #[must_use]
    pub fn authorizer(mut self, authorizer: impl Authorizer) -> Self {
        self.policies.access_control.authorizer = Some(Arc::new(authorizer));
        self
    }

    /// Decides about calls of tools with `confirm` when the client cannot ask its user.
    ///
    /// By default, such calls are denied. The fallback does not apply when the client
    /// can ask the user but receives no answer.
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

    /// Sets when one scope implies another. By default, a scope implies only itself.
    #[must_use]
    pub fn scope_matching(mut self, matching: ScopeMatching) -> Self {
        self.policies.access_control.scope_matching = matching;
        self
    }

    /// Grants every scope to local callers without a token.
    ///
    /// Local callers are those on standard input, on the command line and in this process.
    #[must_use]
    pub fn allow_local(mut self) -> Self {
        self.policies.access_control.allow_local = true;
        self
    }

    /// Sets the protected resource metadata (RFC 9728), which tells clients over HTTP
    /// where to obtain tokens. See [`ResourceMetadata`] for an example.
    #[must_use]
    pub fn resource_metadata(mut self, metadata: ResourceMetadata) -> Self {
        self.policies.access_control.resource_metadata = Some(metadata);
        self
    }

    /// Writes a record of every call to `sink`. A failure of the sink is logged.
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

    /// Like [`audit`](Self::audit), but rejects calls while the sink fails.
    #[must_use]
    pub fn audit_required(mut self, sink: impl AuditSink) -> Self {
        self.policies.audit.add(sink, true);
        self
    }

    /// Sets what audit records contain of arguments. Defaults to their names.
    #[must_use]
    pub fn audit_arguments(mut self, arguments: AuditArguments) -> Self {
        self.policies.audit.set_arguments(arguments);
        self
    }

    /// Redacts argument values in audit records whose name contains `part`.
    ///
    /// The comparison ignores case and applies at every depth. Names of secrets such as
    /// `password`, and arguments with `#[arg(secret)]`, are always redacted.
    #[must_use]
    pub fn redact(mut self, part: &str) -> Self {
        self.policies.audit.add_secret_name(part);
        self
    }

    /// Limits how long a handler may run, for tools without a `timeout` of their own.
    ///
    /// By default, there is no limit. A timeout of zero is an error at start.
    /// Time spent waiting for the client's user does not count.
    ///
    /// After the timeout, the future of an `async fn` is dropped. A plain `fn` keeps its
    /// thread until it returns, and its result is dropped;
    /// [`Context::is_cancelled`](crate::Context::is_cancelled) tells it to stop. Until
    /// it returns, it counts towards [`max_concurrent_calls`](Self::max_concurrent_calls)
    /// and the `max_concurrency` of its tool, but not towards
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

    /// Limits how many calls run at the same time; further calls are rejected.
    ///
    /// By default, there is no limit. See [`timeout`](Self::timeout) for an example.
    #[must_use]
    pub fn max_concurrent_calls(mut self, calls: usize) -> Self {
        let permits = calls.clamp(1, Semaphore::MAX_PERMITS);
        self.policies.quotas.calls = Some(Arc::new(Semaphore::new(permits)));
        self
    }

    /// Limits how many calls of one client run at the same time; further calls are rejected.
    ///
    /// By default, there is no limit. A running task counts as a call.
    ///
    /// Over HTTP, a client is the principal of its token, across connections and
    /// sessions. An unauthenticated client is a session or a connection. Over HTTP in
    /// 2026-07-28 it has neither, so only
    /// [`max_concurrent_calls`](Self::max_concurrent_calls) applies.
    ///
    /// The limit can be exceeded by the number of requests that arrive at the same instant.
    #[must_use]
    pub fn max_concurrent_calls_per_client(mut self, calls: usize) -> Self {
        self.policies.quotas.per_client = Some(calls.max(1));
        self
    }

    /// Limits how often each caller may call each tool; further calls are rejected.
    ///
    /// By default, there is no limit. All callers without a token count as one caller.
    /// The limit also applies to each prompt and each resource, and separately to their
    /// completions and subscriptions. See [`Rate`] for an example.
    #[must_use]
    pub fn rate_limit(mut self, rate: Rate) -> Self {
        self.policies.quotas.rate = Some(rate);
        self
    }

    /// Sets a rate limit for one tool, prompt, resource or method, instead of
    /// [`rate_limit`](Self::rate_limit).
    ///
    /// The name of a method, such as `completion/complete`, limits the requests of that
    /// method for each definition.
    #[must_use]
    pub fn tool_rate_limit(mut self, name: impl Into<String>, rate: Rate) -> Self {
        self.policies.quotas.rates.insert(name.into(), rate);
        self
    }

    /// Limits the content of a result in bytes, for tools without a limit of their own.
    ///
    /// Defaults to 4 MiB. A larger result becomes an error that asks the model for less.
    #[must_use]
    pub fn max_result(mut self, bytes: usize) -> Self {
        self.policies.quotas.max_result_bytes = bytes;
        self
    }

    /// Limits the size of a call's arguments in bytes, and their nesting depth.
    ///
    /// Defaults to 4 MiB and a depth of 64.
    #[must_use]
    pub fn max_arguments(mut self, bytes: usize, depth: usize) -> Self {
        self.policies.quotas.arguments.bytes = bytes;
        self.policies.quotas.arguments.depth = depth;
        self
    }

    /// Replaces the system clock, for tests.
    ///
    /// The clock determines the age of a sealed `requestState` and the time in audit
    /// records. Timeouts, rate limits and session lifetimes use a monotonic clock.
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

    /// Wraps the handlers of all tools in `middleware`, inside of middleware added before.
    ///
    /// See [`Middleware`](crate::Middleware) for an example.
    #[must_use]
    pub fn middleware(mut self, middleware: impl Middleware) -> Self {
        self.policies.middleware.push(Arc::new(middleware));
        self
    }
}
