//! The builder of a server.

mod build;
#[cfg(feature = "client-log")]
mod client_log;
mod custom_methods;
#[cfg(feature = "http")]
mod http;
mod policies;
mod policy_options;
mod tasks;

use std::fmt;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use policies::ServerPolicies;

use crate::call::HandlerSettings;
#[cfg(feature = "client-log")]
use crate::client_log::LogTargets;
use crate::context::{Injectable, State};
use crate::dispatch::{MethodTable, NotificationHandlers, ServerHandle};
use crate::protocol::{CacheHints, Implementation, JsonObject};
use crate::task::TaskOptions;
#[cfg(feature = "http")]
use crate::transport::HttpOptions;
use crate::transport::StdioOptions;

/// A builder that configures and starts a server.
///
/// The server includes all tools, prompts and resources that are linked into the binary, so you do
/// not list them. [`server!`](crate::server!) creates a builder with the name and version of your
/// crate. Call [`serve_stdio`](Self::serve_stdio) or `serve_http` to run the server, and
/// [`client`](Self::client) to connect a client in a test. For a transport of your own,
/// [`build`](Self::build) returns the [`Dispatcher`](crate::Dispatcher).
///
/// ```standalone_crate
/// use mcp_runtime::prelude::*;
///
/// struct Greeting(&'static str);
///
/// /// Greets a person by name.
/// #[tool(read_only, inline)]
/// fn greet(greeting: &Greeting, name: String) -> String {
///     format!("{}, {name}!", greeting.0)
/// }
///
/// let dispatcher = mcp_runtime::server!().state(Greeting("Good day")).build()?;
/// assert_eq!(dispatcher.tool_count(), 1);
/// # Ok::<(), mcp_runtime::Error>(())
/// ```
pub struct Server {
    info: Implementation,
    instructions: Option<String>,
    state: State,
    handler_settings: HandlerSettings,
    policies: ServerPolicies,
    methods: MethodTable,
    notifications: NotificationHandlers,
    stdio: StdioOptions,
    live: ServerHandle,
    groups: Option<Vec<String>>,
    extensions: JsonObject,
    tasks: TaskOptions,
    cache: CacheHints,
    page_size: usize,
    heartbeat: Option<Duration>,
    #[cfg(feature = "client-log")]
    client_log: Option<LogTargets>,
    #[cfg(feature = "http")]
    http: HttpOptions,
}

impl Server {
    /// Creates a server with a name and a version, which clients receive as `serverInfo`.
    pub fn new(name: impl Into<String>, version: impl Into<String>) -> Self {
        Self {
            info: Implementation::new(name, version),
            instructions: None,
            state: State::default(),
            handler_settings: HandlerSettings::default(),
            policies: ServerPolicies::default(),
            methods: MethodTable::default(),
            notifications: NotificationHandlers::default(),
            stdio: StdioOptions::default(),
            live: ServerHandle::default(),
            groups: None,
            extensions: JsonObject::new(),
            tasks: TaskOptions::default(),
            cache: CacheHints::default(),
            page_size: usize::MAX,
            heartbeat: None,
            #[cfg(feature = "client-log")]
            client_log: None,
            #[cfg(feature = "http")]
            http: HttpOptions::default(),
        }
    }

    /// Returns a handle that adds and removes definitions, both before the server starts and while
    /// it runs.
    ///
    /// A handler can borrow the same handle as `&ServerHandle`. See [`ServerHandle`] for an
    /// example.
    #[must_use]
    pub fn handle(&self) -> ServerHandle {
        self.live.clone()
    }

    /// Serves only the definitions of `groups`, and definitions without a group.
    ///
    /// A definition sets its group with `group = "…"`. By default, the server serves all
    /// definitions.
    #[must_use]
    pub fn groups<S: Into<String>>(mut self, groups: impl IntoIterator<Item = S>) -> Self {
        self.groups = Some(groups.into_iter().map(Into::into).collect());
        self
    }

    /// Declares a protocol extension and its settings in the capabilities of the server.
    ///
    /// The server declares the extensions that this crate implements automatically, if it uses
    /// them.
    #[must_use]
    pub fn extension(mut self, identifier: impl Into<String>, settings: JsonObject) -> Self {
        self.extensions.insert(identifier.into(), settings.into());
        self
    }

    /// Sets how long clients may cache lists, and resources that set no cache hints of their own.
    /// The hints exist since protocol version 2026-07-28.
    ///
    /// By default, clients may cache neither lists nor resources.
    #[must_use]
    pub fn cache(mut self, hints: CacheHints) -> Self {
        self.cache = hints;
        self
    }

    /// Sets the maximum number of entries on one page of a list. By default, all entries are on one
    /// page.
    #[must_use]
    pub fn page_size(mut self, entries: NonZeroUsize) -> Self {
        self.page_size = entries.get();
        self
    }

    /// Sends a progress notification at this interval while a handler reports no progress of its
    /// own.
    ///
    /// Only clients that requested progress receive it. By default, the server sends no such
    /// notifications.
    #[must_use]
    pub fn heartbeat(mut self, every: Duration) -> Self {
        self.heartbeat = Some(every.max(Duration::from_millis(1)));
        self
    }

    /// Sets the display name of the server.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.info.title = Some(title.into());
        self
    }

    /// Sets the description of the server. Describe its purpose in one sentence.
    #[must_use]
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.info.description = Some(description.into());
        self
    }

    /// Sets the instructions that tell the model how to use the server. Clients receive them when
    /// they connect.
    #[must_use]
    pub fn instructions(mut self, instructions: impl Into<String>) -> Self {
        self.instructions = Some(instructions.into());
        self
    }

    /// Registers a value that handlers borrow as `&T`.
    ///
    /// A later value of the same type replaces an earlier one. See [`Server`] for an example.
    #[must_use]
    pub fn state<T: Injectable>(self, value: T) -> Self {
        self.shared_state(Arc::new(value))
    }

    /// Registers a value behind an `Arc`, so that other code can share it or handlers can borrow it
    /// as `&dyn Trait`.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// trait Clock: Send + Sync {
    ///     fn now(&self) -> u64;
    /// }
    /// struct Fixed(u64);
    /// impl Clock for Fixed {
    ///     fn now(&self) -> u64 {
    ///         self.0
    ///     }
    /// }
    /// let clock: Arc<dyn Clock> = Arc::new(Fixed(7));
    /// let server = mcp_runtime::Server::new("example", "1.0.0").shared_state(clock);
    /// ```
    #[must_use]
    pub fn shared_state<T: ?Sized + Injectable>(mut self, value: Arc<T>) -> Self {
        self.state.insert(value);
        self
    }

    /// Replaces the error messages for clients by `internal error`, except the messages of
    /// [`ToolError::public`](crate::ToolError::public).
    #[must_use]
    pub fn mask_errors(mut self) -> Self {
        self.handler_settings.mask_errors = true;
        self
    }

    /// Sets how long an `inline` handler may run before the server logs a warning. Defaults to 1
    /// millisecond.
    #[must_use]
    pub fn inline_limit(mut self, limit: Duration) -> Self {
        self.handler_settings.inline = limit;
        self
    }

    /// Limits how long a client may take to answer an input request of a handler.
    ///
    /// Defaults to 10 minutes.
    #[must_use]
    pub fn input_timeout(mut self, timeout: Duration) -> Self {
        self.handler_settings.input_timeout = timeout;
        self
    }

    /// Sets the options of the stdio transport. See [`StdioOptions`] for an example.
    #[must_use]
    pub fn stdio(mut self, options: StdioOptions) -> Self {
        self.stdio = options;
        self
    }
}

impl fmt::Debug for Server {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Server")
            .field("info", &self.info)
            .field("state", &self.state)
            .finish_non_exhaustive()
    }
}
