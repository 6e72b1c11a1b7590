//! Puts a server together: its name, its state, its limits, its methods.

#[cfg(feature = "client-log")]
mod client_log;
mod guarded;
#[cfg(feature = "http")]
mod http;
mod tasks;

use std::fmt;
use std::future::Future;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use guarded::Guarded;
use tasks::told;

use crate::call::{Limits, Service};
use crate::client::Client;
#[cfg(feature = "client-log")]
use crate::client_log::ToldTargets;
use crate::codec::Codec;
use crate::context::{Injected, State};
use crate::dispatch::{Core, Dispatcher, Method, MethodCall, Methods, Next, ServerHandle, Wrapper};
use crate::error::Error;
use crate::jsonrpc::ErrorObject;
use crate::protocol::{CacheHints, Implementation, JsonObject, Revision};
use crate::seal::{Keys, Spent};
use crate::task::{TaskOptions, Tasks};
#[cfg(feature = "http")]
use crate::transport::HttpOptions;
use crate::transport::{self, StdioOptions, Workers};

/// A server in the making.
///
/// Every tool that is linked into the binary belongs to it; nothing is listed
/// by hand. [`server!`](crate::server!) makes one named after the user's crate.
///
/// ```standalone_crate
/// use mcp_runtime::prelude::*;
///
/// struct Greeting(&'static str);
///
/// /// Greets somebody.
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
    limits: Limits,
    guarded: Guarded,
    methods: Methods,
    stdio: StdioOptions,
    live: ServerHandle,
    groups: Option<Vec<String>>,
    extensions: JsonObject,
    tasks: TaskOptions,
    cache: CacheHints,
    page_size: usize,
    heartbeat: Option<Duration>,
    #[cfg(feature = "client-log")]
    client_log: Option<ToldTargets>,
    #[cfg(feature = "http")]
    http: HttpOptions,
}

impl Server {
    /// A server with a name and a version, which clients see as `serverInfo`.
    pub fn new(name: impl Into<String>, version: impl Into<String>) -> Self {
        Self {
            info: Implementation::new(name, version),
            instructions: None,
            state: State::default(),
            limits: Limits::default(),
            guarded: Guarded::default(),
            methods: Methods::default(),
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

    /// Changes what is served, before and while it is served.
    #[must_use]
    pub fn handle(&self) -> ServerHandle {
        self.live.clone()
    }

    /// Serves only these groups, and what belongs to none.
    ///
    /// A definition names its groups with `group = "…"`; without this all are served.
    #[must_use]
    pub fn groups<S: Into<String>>(mut self, groups: impl IntoIterator<Item = S>) -> Self {
        self.groups = Some(groups.into_iter().map(Into::into).collect());
        self
    }

    /// Declares an extension of the protocol, with its settings.
    ///
    /// Those that this crate knows are declared by themselves where they are used.
    #[must_use]
    pub fn extension(mut self, identifier: impl Into<String>, settings: JsonObject) -> Self {
        self.extensions.insert(identifier.into(), settings.into());
        self
    }

    /// How long clients may keep lists and resources that say nothing of their
    /// own (since 2026-07-28); not at all unless said.
    #[must_use]
    pub fn cache(mut self, hints: CacheHints) -> Self {
        self.cache = hints;
        self
    }

    /// The most entries of one page of a list; all on one page unless said.
    #[must_use]
    pub fn page_size(mut self, entries: NonZeroUsize) -> Self {
        self.page_size = entries.get();
        self
    }

    /// How often a client that asked for progress is told that a call is alive
    /// whose body tells no progress itself; never unless said.
    #[must_use]
    pub fn heartbeat(mut self, every: Duration) -> Self {
        self.heartbeat = Some(every.max(Duration::from_millis(1)));
        self
    }

    /// A name for people.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.info.title = Some(title.into());
        self
    }

    /// What the server is for, in a sentence.
    #[must_use]
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.info.description = Some(description.into());
        self
    }

    /// How a model should use the server, sent once at the start.
    #[must_use]
    pub fn instructions(mut self, instructions: impl Into<String>) -> Self {
        self.instructions = Some(instructions.into());
        self
    }

    /// A value that handlers borrow as `&T`; a second one of a type replaces the first.
    #[must_use]
    pub fn state<T: Injected>(self, value: T) -> Self {
        self.shared_state(Arc::new(value))
    }

    /// A value that is shared with others, or borrowed as `&dyn Trait`.
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
    pub fn shared_state<T: ?Sized + Injected>(mut self, value: Arc<T>) -> Self {
        self.state.insert(value);
        self
    }

    /// Hides the text of errors from clients, except of [`ToolError::public`](crate::ToolError::public).
    #[must_use]
    pub fn mask_errors(mut self) -> Self {
        self.limits.mask_errors = true;
        self
    }

    /// How long an `inline` body may take before a warning names it; 1 ms unless said.
    #[must_use]
    pub fn inline_limit(mut self, limit: Duration) -> Self {
        self.limits.inline = limit;
        self
    }

    /// How long a client may take to answer a question of a handler; 10 minutes unless said.
    #[must_use]
    pub fn patience(mut self, patience: Duration) -> Self {
        self.limits.patience = patience;
        self
    }

    /// The bounds of serving on standard input and output.
    #[must_use]
    pub fn stdio(mut self, options: StdioOptions) -> Self {
        self.stdio = options;
        self
    }

    /// Answers requests of a method that the protocol does not have, or replaces one that it has.
    ///
    /// ```
    /// use mcp_runtime::{MethodCall, Server};
    /// use serde_json::{Map, json};
    ///
    /// let server = Server::new("example", "1.0.0").method("example/echo", |call: MethodCall| async move {
    ///     Ok(Map::from_iter([("params".to_owned(), json!(call.params))]))
    /// });
    /// ```
    #[must_use]
    pub fn method(mut self, name: impl Into<String>, method: impl Method) -> Self {
        self.methods.insert(name.into(), Arc::new(method));
        self
    }

    /// Puts `wrapper` around a method of the protocol or of your own.
    ///
    /// A name without a method is ignored with a warning in the log.
    ///
    /// ```
    /// use mcp_runtime::{MethodCall, Next, Server};
    ///
    /// let server = Server::new("example", "1.0.0")
    ///     .wrap_method("tools/list", |call: MethodCall, next: Next| async move {
    ///         println!("{} asks for tools", call.context.request_id());
    ///         next.run(call).await
    ///     });
    /// ```
    #[must_use]
    pub fn wrap_method<F, A>(mut self, name: &str, wrapper: F) -> Self
    where
        F: Fn(MethodCall, Next) -> A + Send + Sync + 'static,
        A: Future<Output = Result<JsonObject, ErrorObject>> + Send + 'static,
    {
        let wrapper: Wrapper = Arc::new(move |call, next| Box::pin(wrapper(call, next)));
        if !self.methods.wrap(name, wrapper) {
            tracing::warn!("there is no method `{name}` to wrap");
        }
        self
    }

    /// Finds the tools and checks everything that can be checked before serving.
    ///
    /// # Errors
    /// All problems at once: duplicate names, missing state values, no tools.
    pub fn build(mut self) -> Result<Dispatcher, Error> {
        self.state.insert(Arc::new(self.live.clone()));
        let registry = Arc::clone(self.live.registry());
        registry.link(&self.state, self.groups.as_deref())?;
        self.guarded.check(&registry.snapshot())?;
        let keys = state_keys()?;
        let tools = registry.snapshot().tools.len();
        tracing::info!(
            server = self.info.name.as_str(),
            tools,
            "{tools} tools found"
        );
        Ok(Dispatcher::new(Core {
            codec: Codec::new(&self.info),
            tasks: Tasks::new(self.tasks, told(&self.live)),
            service: Service {
                registry,
                state: Arc::new(self.state),
                limits: self.limits,
                guards: self.guarded.guards,
                quotas: self.guarded.quotas,
                audit: Arc::new(self.guarded.audit),
                layers: self.guarded.layers,
                cache: self.cache,
                #[cfg(feature = "client-log")]
                client_log: self.client_log,
                keys,
                clock: self.guarded.clock,
                spent: Spent::default(),
            },
            methods: self.methods,
            live: self.live,
            info: self.info,
            instructions: self.instructions,
            extensions: Arc::new(self.extensions),
            page_size: self.page_size,
            heartbeat: self.heartbeat,
        }))
    }

    /// Serves one client on standard input and output until it closes its end.
    ///
    /// While serving, nothing else in the process can write to standard output
    /// or read from standard input: they are moved out of reach.
    ///
    /// # Errors
    /// Those of [`build`](Self::build), and of the operating system.
    pub async fn serve_stdio(self) -> Result<(), Error> {
        self.serve_stdio_on(Workers::current()).await
    }

    /// The same with bodies that run on `workers`.
    pub(crate) async fn serve_stdio_on(self, workers: Workers) -> Result<(), Error> {
        let options = self.stdio;
        transport::serve_stdio(self.build()?, options, workers).await
    }

    /// Builds the server and connects a client to it in the newest revision.
    ///
    /// # Errors
    /// Those of [`build`](Self::build).
    pub async fn client(self) -> Result<Client, Error> {
        let connected = Client::connect(self.build()?, Revision::NEWEST).await;
        connected.map_err(|error| Error::Build(error.into()))
    }
}

/// The variable that replicas of a server share, so that each reads what another sealed.
#[cfg(feature = "asking")]
const STATE_KEY: &str = "MCP_STATE_KEY";

#[cfg(feature = "asking")]
fn state_keys() -> Result<Keys, Error> {
    let given = std::env::var(STATE_KEY).unwrap_or_default();
    let given = crate::seal::Key::list(&given).map_err(|problem| Error::StateKey {
        variable: STATE_KEY,
        problem: problem.to_string(),
    })?;
    Ok(Keys::new(given))
}

#[cfg(not(feature = "asking"))]
fn state_keys() -> Result<Keys, Error> {
    Ok(Keys::new(Vec::new()))
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
