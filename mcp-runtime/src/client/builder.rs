use std::fmt;
use std::future::Future;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use super::child_process::ChildProcess;
use super::connection::{ClientConnection, Direction, MessageObserver};
use super::duplex::DuplexDispatcher;
use super::handlers::ClientHandlers;
#[cfg(feature = "http-client")]
use super::http::HttpSettings;
use super::inbox::Inbox;
use super::notification::{LogMessage, Progress};
use super::transport::ClientTransport;
use super::{Client, ClientError, ClientOptions, MemoryTransport, tasks};
use crate::auth::Principal;
use crate::context::TransportKind;
use crate::dispatch::Dispatcher;
use crate::jsonrpc::ErrorObject;
use crate::protocol::{
    CreateMessageRequestParams, CreateMessageResult, ElicitRequestFormParams,
    ElicitRequestUrlParams, ElicitResult, Implementation, JsonObject, ListRootsResult, Revision,
    Root,
};

/// A builder of a [`Client`]. The client declares a capability if you set its handler.
///
/// # Examples
/// ```standalone_crate
/// use mcp_runtime::prelude::*;
/// use mcp_runtime::{Client, protocol::{ElicitResult, Revision}};
///
/// # /// Adds.
/// # #[tool(inline)]
/// # fn add(a: i64, b: i64) -> i64 { a + b }
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let client = Client::builder()
///     .revision(Revision::V2025_06_18)
///     .elicit(|form| async move {
///         println!("{}", form.message);
///         ElicitResult::accept([("name", "Alice")])
///     })
///     .connect(mcp_runtime::server!().build()?)
///     .await?;
/// assert_eq!(client.revision(), Revision::V2025_06_18);
/// # Ok(())
/// # }
/// ```
#[must_use = "a builder does nothing until it connects"]
pub struct ClientBuilder {
    info: Implementation,
    handlers: ClientHandlers,
    revision: Option<Revision>,
    timeout: Duration,
    max_input_rounds: u32,
    follows_tasks: bool,
    principal: Option<Arc<Principal>>,
    observer: Option<MessageObserver>,
    #[cfg(feature = "http-client")]
    pub(super) http: HttpSettings,
}

impl fmt::Debug for ClientBuilder {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("ClientBuilder")
            .field("revision", &self.revision)
            .field("handlers", &self.handlers)
            .finish_non_exhaustive()
    }
}

impl Default for ClientBuilder {
    fn default() -> Self {
        Self {
            info: Implementation::new(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION")),
            handlers: ClientHandlers::default(),
            revision: None,
            timeout: Duration::from_secs(300),
            max_input_rounds: 8,
            follows_tasks: true,
            principal: None,
            observer: None,
            #[cfg(feature = "http-client")]
            http: HttpSettings::default(),
        }
    }
}

impl ClientBuilder {
    /// Sets the name and version of the client (`clientInfo`).
    ///
    /// Defaults to the name and version of this crate.
    pub fn info(mut self, info: Implementation) -> Self {
        self.info = info;
        self
    }

    /// Sets the only protocol revision that the client accepts.
    ///
    /// By default, the client uses the newest revision that the server supports.
    pub fn revision(mut self, revision: Revision) -> Self {
        self.revision = Some(revision);
        self
    }

    /// Limits how long a request may take. Defaults to 5 minutes.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// Limits how often the server may request input during one request of protocol version
    /// 2026-07-28.
    ///
    /// Defaults to 8.
    pub fn max_input_rounds(mut self, rounds: u32) -> Self {
        self.max_input_rounds = rounds;
        self
    }

    /// Disables the tasks extension. The server then responds to a tool call with its result, or
    /// rejects the call.
    pub fn without_tasks(mut self) -> Self {
        self.follows_tasks = false;
        self
    }

    /// Sets the principal of this client for a server in this process. The server then requires no
    /// token.
    pub fn principal(mut self, principal: Principal) -> Self {
        self.principal = Some(Arc::new(principal));
        self
    }

    /// Sets the handler of form elicitation (`elicitation/create`). See [`ClientBuilder`] for an
    /// example.
    pub fn elicit<F, A>(mut self, handler: F) -> Self
    where
        F: Fn(ElicitRequestFormParams) -> A + Send + Sync + 'static,
        A: Future<Output = ElicitResult> + Send + 'static,
    {
        self.handlers.elicit_form(move |form| {
            let result = handler(form);
            async { Ok(result.await) }
        });
        self
    }

    /// Sets the handler of URL elicitation, which asks the user to open a web page.
    pub fn elicit_url<F, A>(mut self, handler: F) -> Self
    where
        F: Fn(ElicitRequestUrlParams) -> A + Send + Sync + 'static,
        A: Future<Output = ElicitResult> + Send + 'static,
    {
        self.handlers.elicit_url(move |page| {
            let result = handler(page);
            async { Ok(result.await) }
        });
        self
    }

    /// Sets the handler of sampling (`sampling/createMessage`).
    ///
    /// The handler should return an error with code −1 if the user rejects the request
    /// (specification, *Sampling*, *Error Handling*).
    pub fn sample<F, A>(mut self, handler: F) -> Self
    where
        F: Fn(CreateMessageRequestParams) -> A + Send + Sync + 'static,
        A: Future<Output = Result<CreateMessageResult, ErrorObject>> + Send + 'static,
    {
        self.handlers.request("sampling/createMessage", handler);
        self
    }

    /// Sets the handler of sampling, and declares that the model of the client can call tools. See
    /// [`sample`](Self::sample) for errors.
    pub fn sample_with_tools<F, A>(mut self, handler: F) -> Self
    where
        F: Fn(CreateMessageRequestParams) -> A + Send + Sync + 'static,
        A: Future<Output = Result<CreateMessageResult, ErrorObject>> + Send + 'static,
    {
        self.handlers.declare_sampling_tools();
        self.sample(handler)
    }

    /// Sets the roots of the client, which are the folders that the server may use.
    pub fn roots(mut self, roots: impl IntoIterator<Item = Root>) -> Self {
        let roots = Vec::from_iter(roots);
        self.handlers.request("roots/list", move |_: JsonObject| {
            let roots = roots.clone();
            async { Ok(ListRootsResult { roots }) }
        });
        self
    }

    /// Calls `show` for each progress notification. The client then requests progress with every
    /// request.
    pub fn on_progress(mut self, show: impl Fn(Progress) + Send + Sync + 'static) -> Self {
        self.handlers.notification("notifications/progress", show);
        self
    }

    /// Calls `show` for each log message of the server.
    pub fn on_log_message(mut self, show: impl Fn(LogMessage) + Send + Sync + 'static) -> Self {
        self.handlers.notification("notifications/message", show);
        self
    }

    /// Calls `handle` with the parameters of every notification of `method`.
    pub fn on_notification(
        mut self,
        method: &'static str,
        handle: impl Fn(Value) + Send + Sync + 'static,
    ) -> Self {
        self.handlers.notification(method, handle);
        self
    }

    /// Calls `observe` with the JSON text of every message that the client sends or receives.
    pub fn on_message(mut self, observe: impl Fn(Direction, &str) + Send + Sync + 'static) -> Self {
        self.observer = Some(Box::new(observe));
        self
    }

    /// Connects to a server in this process. See [`ClientBuilder`] for an example.
    ///
    /// # Errors
    /// Returns an error if the handshake fails, or [`ClientError::UnsupportedRevision`] if the
    /// server does not support the revision.
    pub async fn connect(self, dispatcher: Dispatcher) -> Result<Client, ClientError> {
        self.connect_as(TransportKind::Memory, dispatcher).await
    }

    pub(crate) async fn connect_as(
        mut self,
        transport: TransportKind,
        dispatcher: Dispatcher,
    ) -> Result<Client, ClientError> {
        let principal = self.principal.take();
        self.open(|connection| {
            let inbox = Arc::new(Inbox::new(connection));
            Ok(Box::new(MemoryTransport::new(
                dispatcher, transport, principal, inbox,
            )))
        })
        .await
    }

    /// Starts a server as a child process and connects to its standard input and output.
    ///
    /// `command` determines where the standard error of the process goes. When you close or drop
    /// the client, it closes the standard input of the process. If the process does not exit within
    /// 2 seconds, the client sends it SIGTERM (Unix), and kills it 2 seconds later. Only
    /// [`Client::close`] waits for the exit.
    ///
    /// On Unix, the client starts the process in a new process group and ends the whole group. The
    /// group includes child processes, such as a server that `npx` starts. Ctrl-C in a terminal
    /// does not reach this process group.
    ///
    /// A message of the server may have up to 64 MiB. The client handles at most 256 requests and
    /// notifications of the server concurrently, and rejects further requests.
    ///
    /// # Errors
    /// Returns [`ClientError::Spawn`] if the process cannot be started, or an error if the
    /// handshake fails.
    ///
    /// # Examples
    /// ```no_run
    /// use std::process::Command;
    ///
    /// # async fn example() -> Result<(), mcp_runtime::ClientError> {
    /// let client = mcp_runtime::Client::builder()
    ///     .spawn(Command::new("my-server"))
    ///     .await?;
    /// # Ok(())
    /// # }
    /// ```
    pub async fn spawn(self, command: Command) -> Result<Client, ClientError> {
        self.open(|connection| {
            let child = ChildProcess::start(command, Inbox::new(connection))?;
            Ok(Box::new(child))
        })
        .await
    }

    pub(super) async fn open(
        self,
        transport: impl FnOnce(&Arc<ClientConnection>) -> Result<Box<dyn ClientTransport>, ClientError>,
    ) -> Result<Client, ClientError> {
        let duplex = Arc::new(DuplexDispatcher::new());
        let mut capabilities = self.handlers.capabilities();
        capabilities.extensions = self.follows_tasks.then(tasks::extensions);
        let options = ClientOptions {
            info: self.info,
            capabilities,
            follows_tasks: self.follows_tasks,
            wants_progress: self.handlers.handles("notifications/progress"),
            timeout: self.timeout,
            max_input_rounds: self.max_input_rounds,
        };
        duplex.set_handler(self.handlers);
        let connection = ClientConnection::new(duplex, self.observer);
        connection.set_transport(transport(&connection)?);
        Client::open(connection, options, self.revision).await
    }
}
