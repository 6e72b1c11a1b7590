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
    /// Returns one error with all problems of the server, such as duplicate names or missing state
    /// values.
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

    /// Serves one client on standard input and output until the client closes the input or the
    /// process receives SIGTERM.
    ///
    /// While the server runs, it redirects standard output to stderr, and all other code of the
    /// process reads an empty standard input. A `println!` in a handler therefore cannot corrupt
    /// the protocol. The server also replaces standard error by a pipe and forwards its contents,
    /// so a slow reader of standard error cannot block a handler. Output that exceeds the buffer of
    /// 256 KiB is dropped and counted.
    ///
    /// After the end of the input or SIGTERM, the server waits up to
    /// [`StdioOptions::shutdown_timeout`](transport::StdioOptions::shutdown_timeout) for calls in
    /// flight. A second SIGTERM ends these calls at once.
    ///
    /// ```no_run
    /// # async fn start() -> Result<(), mcp_runtime::Error> {
    /// mcp_runtime::server!().serve_stdio().await
    /// # }
    /// ```
    ///
    /// # Errors
    /// Returns an error if [`build`](Self::build) fails or the operating system reports an error.
    pub async fn serve_stdio(self) -> Result<(), Error> {
        self.serve_stdio_on(HandlerRuntime::current()).await
    }

    /// Does the same as [`serve_stdio`](Self::serve_stdio), but runs the handlers on `runtime`.
    pub(crate) async fn serve_stdio_on(self, runtime: HandlerRuntime) -> Result<(), Error> {
        let options = self.stdio;
        // The server writes only a short log line before the first call, so the pipe usually has
        // room.
        let stderr = StderrForwarder::install_if_full()?;
        transport::serve_stdio(self.build()?, options, runtime, stderr).await
    }

    /// Builds the server and connects a client in this process with the newest protocol revision.
    ///
    /// See [`Client`] for an example.
    ///
    /// # Errors
    /// Returns an error if [`build`](Self::build) fails.
    pub async fn client(self) -> Result<Client, Error> {
        let connected = Client::connect(self.build()?, Revision::NEWEST).await;
        connected.map_err(|error| Error::Build(error.into()))
    }
}

/// Returns an observer that notifies the subscribed clients when a task changes.
fn task_observer(live: &ServerHandle) -> TaskObserver {
    let live = live.clone();
    Arc::new(move |task| live.notify_task(task))
}

/// The environment variable that holds the keys for sealing `requestState`. All replicas of a
/// server need the same keys.
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
