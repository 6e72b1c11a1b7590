use std::sync::Arc;

use super::Server;
use crate::call::ServerContext;
use crate::client::Client;
use crate::codec::Codec;
use crate::dispatch::{Core, Dispatcher, ServerHandle};
use crate::error::Error;
use crate::protocol::Revision;
use crate::seal::{KeyRing, ReplayGuard};
use crate::task::{TaskObserver, Tasks};
use crate::transport::{self, HandlerRuntime, StderrForwarder};

impl Server {
    /// Collects all definitions, checks them, and returns the dispatcher.
    ///
    /// # Errors
    /// Returns all problems at once, such as duplicate names, missing state values, or a
    /// server without definitions.
    pub fn build(mut self) -> Result<Dispatcher, Error> {
        self.state.insert(Arc::new(self.live.clone()));
        let registry = Arc::clone(self.live.registry());
        registry.add_static(&self.state, self.groups.as_deref())?;
        self.policies.check(&registry.snapshot())?;
        let keys = state_keys()?;
        let tools = registry.snapshot().tools.len();
        tracing::info!(
            server = self.info.name.as_str(),
            tools,
            "{tools} tools found"
        );
        let core = Core {
            codec: Codec::new(&self.info),
            tasks: Tasks::new(self.tasks, task_observer(&self.live)),
            server: ServerContext {
                name: self.info.name.clone(),
                registry,
                state: Arc::new(self.state),
                handler_settings: self.handler_settings,
                access_control: self.policies.access_control,
                quotas: self.policies.quotas,
                audit: Arc::new(self.policies.audit),
                middleware: self.policies.middleware,
                cache: self.cache,
                #[cfg(feature = "client-log")]
                client_log: self.client_log,
                keys,
                clock: self.policies.clock,
                replay_guard: ReplayGuard::default(),
            },
            handle: self.live,
            info: self.info,
            instructions: self.instructions,
            extensions: Arc::new(self.extensions),
            page_size: self.page_size,
            heartbeat: self.heartbeat,
        };
        Ok(Dispatcher::new(core, self.methods, self.notifications))
    }

    /// Serves one client on standard input and output, until the client closes its end or
    /// the process receives SIGTERM.
    ///
    /// While serving, standard output is redirected to stderr and standard input is empty
    /// for all other code in the process, so that a `println!` cannot corrupt the protocol.
    /// Standard error is a pipe that this crate empties and forwards, so that nothing waits
    /// for its reader: what does not fit into 256 KiB is dropped and counted.
    ///
    /// After the end of the input or SIGTERM, calls in flight may finish within
    /// [`StdioOptions::shutdown_timeout`](transport::StdioOptions::shutdown_timeout); another
    /// SIGTERM ends them at once.
    ///
    /// ```no_run
    /// # async fn start() -> Result<(), mcp_runtime::Error> {
    /// mcp_runtime::server!().serve_stdio().await
    /// # }
    /// ```
    ///
    /// # Errors
    /// Returns the errors of [`build`](Self::build) and of the operating system.
    pub async fn serve_stdio(self) -> Result<(), Error> {
        self.serve_stdio_on(HandlerRuntime::current()).await
    }

    /// [`serve_stdio`](Self::serve_stdio) with handlers that run on `runtime`.
    pub(crate) async fn serve_stdio_on(self, runtime: HandlerRuntime) -> Result<(), Error> {
        let options = self.stdio;
        // Until the first call only a short log line is written, which usually has room.
        let stderr = StderrForwarder::install_if_full()?;
        transport::serve_stdio(self.build()?, options, runtime, stderr).await
    }

    /// Builds the server and connects a client to it in this process, in the newest revision.
    ///
    /// See [`Client`] for an example.
    ///
    /// # Errors
    /// Returns the errors of [`build`](Self::build).
    pub async fn client(self) -> Result<Client, Error> {
        let connected = Client::connect(self.build()?, Revision::NEWEST).await;
        connected.map_err(|error| Error::Build(error.into()))
    }
}

/// Notifies subscribed clients of task changes.
fn task_observer(live: &ServerHandle) -> TaskObserver {
    let live = live.clone();
    Arc::new(move |task| live.notify_task(task))
}

/// The environment variable with the keys that seal `requestState`, shared by replicas.
#[cfg(feature = "input-requests")]
const STATE_KEY: &str = "MCP_STATE_KEY";

#[cfg(feature = "input-requests")]
fn state_keys() -> Result<KeyRing, Error> {
    let text = std::env::var(STATE_KEY).unwrap_or_default();
    let keys = crate::seal::SealKey::parse_list(&text).map_err(|error| Error::StateKey {
        variable: STATE_KEY,
        problem: error.to_string(),
    })?;
    Ok(KeyRing::new(keys))
}

#[cfg(not(feature = "input-requests"))]
fn state_keys() -> Result<KeyRing, Error> {
    Ok(KeyRing::new(Vec::new()))
}
