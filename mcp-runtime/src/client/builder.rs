use std::fmt;
use std::future::Future;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use super::child::ChildProcess;
use super::connection::{Connection, Side, Watch};
use super::duplex::DuplexDispatcher;
use super::handlers::Handlers;
#[cfg(feature = "http-client")]
use super::http::Settings;
use super::link::Link;
use super::{Client, ClientError, Memory, Options, tasks};
use crate::auth::Principal;
use crate::context::Channel;
use crate::dispatch::Dispatcher;
use crate::jsonrpc::ErrorObject;
use crate::protocol::{
    CreateMessageRequestParams, CreateMessageResult, ElicitRequestFormParams,
    ElicitRequestUrlParams, ElicitResult, Implementation, JsonObject, ListRootsResult, Revision,
    Root,
};

/// A client in the making: what it answers, it declares.
///
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
///     .elicit(|question| async move {
///         println!("{}", question.message);
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
    handlers: Handlers,
    revision: Option<Revision>,
    timeout: Duration,
    rounds: u32,
    tasks: bool,
    principal: Option<Arc<Principal>>,
    watch: Option<Watch>,
    #[cfg(feature = "http-client")]
    pub(super) http: Settings,
}

/// How far some work has come (`notifications/progress`).
#[derive(Clone, Debug, PartialEq, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Progress {
    /// The token of the request, which is its id here.
    pub progress_token: Value,
    /// Grows with every notification.
    pub progress: f64,
    /// What it grows towards, where that is known.
    #[serde(default)]
    pub total: Option<f64>,
    /// What is being done.
    #[serde(default)]
    pub message: Option<String>,
}

/// A line of the server's log (`notifications/message`).
#[derive(Clone, Debug, PartialEq, serde::Deserialize)]
#[non_exhaustive]
pub struct LogMessage {
    /// From `debug` to `emergency`.
    pub level: String,
    /// Which part of the server speaks.
    #[serde(default)]
    pub logger: Option<String>,
    /// What it says.
    #[serde(default)]
    pub data: Value,
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
            handlers: Handlers::default(),
            revision: None,
            timeout: Duration::from_secs(300),
            rounds: 8,
            tasks: true,
            principal: None,
            watch: None,
            #[cfg(feature = "http-client")]
            http: Settings::default(),
        }
    }
}

impl ClientBuilder {
    /// Who the client says it is.
    pub fn info(mut self, info: Implementation) -> Self {
        self.info = info;
        self
    }

    /// The one revision to speak; unless said, the newest that both sides know.
    pub fn revision(mut self, revision: Revision) -> Self {
        self.revision = Some(revision);
        self
    }

    /// How long a request may take; 5 minutes unless said.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// How often one request may ask for input in 2026-07-28; 8 times unless said.
    pub fn max_rounds(mut self, rounds: u32) -> Self {
        self.rounds = rounds;
        self
    }

    /// Does not say that the client knows tasks, so that servers answer every call
    /// themselves, or refuse it.
    pub fn no_tasks(mut self) -> Self {
        self.tasks = false;
        self
    }

    /// Who the client is to a server in this process, without any token.
    pub fn principal(mut self, principal: Principal) -> Self {
        self.principal = Some(Arc::new(principal));
        self
    }

    /// Answers forms.
    pub fn elicit<F, A>(mut self, answer: F) -> Self
    where
        F: Fn(ElicitRequestFormParams) -> A + Send + Sync + 'static,
        A: Future<Output = ElicitResult> + Send + 'static,
    {
        self.handlers.form(move |form| {
            let answer = answer(form);
            async { Ok(answer.await) }
        });
        self
    }

    /// Answers questions to open a page.
    pub fn elicit_url<F, A>(mut self, answer: F) -> Self
    where
        F: Fn(ElicitRequestUrlParams) -> A + Send + Sync + 'static,
        A: Future<Output = ElicitResult> + Send + 'static,
    {
        self.handlers.page(move |page| {
            let answer = answer(page);
            async { Ok(answer.await) }
        });
        self
    }

    /// Answers for a model; code −1 is how a person's refusal is told.
    pub fn sample<F, A>(mut self, answer: F) -> Self
    where
        F: Fn(CreateMessageRequestParams) -> A + Send + Sync + 'static,
        A: Future<Output = Result<CreateMessageResult, ErrorObject>> + Send + 'static,
    {
        self.handlers.request("sampling/createMessage", answer);
        self
    }

    /// As [`sample`](Self::sample), for a model that can call tools.
    pub fn sample_with_tools<F, A>(mut self, answer: F) -> Self
    where
        F: Fn(CreateMessageRequestParams) -> A + Send + Sync + 'static,
        A: Future<Output = Result<CreateMessageResult, ErrorObject>> + Send + 'static,
    {
        self.handlers.sampling_has_tools();
        self.sample(answer)
    }

    /// Names the folders that the client works with.
    pub fn roots(mut self, roots: impl IntoIterator<Item = Root>) -> Self {
        let roots = Vec::from_iter(roots);
        self.handlers.request("roots/list", move |_: JsonObject| {
            let roots = roots.clone();
            async { Ok(ListRootsResult { roots }) }
        });
        self
    }

    /// Shows progress; every request then asks for it.
    pub fn on_progress(mut self, show: impl Fn(Progress) + Send + Sync + 'static) -> Self {
        self.handlers.notification("notifications/progress", show);
        self
    }

    /// Shows what the server logs.
    pub fn on_log(mut self, show: impl Fn(LogMessage) + Send + Sync + 'static) -> Self {
        self.handlers.notification("notifications/message", show);
        self
    }

    /// Takes any other notification by its method, as its parameters came.
    pub fn on_notification(
        mut self,
        method: &'static str,
        take: impl Fn(Value) + Send + Sync + 'static,
    ) -> Self {
        self.handlers.notification(method, take);
        self
    }

    /// Sees every message of both sides, as its JSON text, in the order in which
    /// this end sent or received it.
    pub fn watch(mut self, watch: impl Fn(Side, &str) + Send + Sync + 'static) -> Self {
        self.watch = Some(Box::new(watch));
        self
    }

    /// Connects to a server in this process.
    ///
    /// # Errors
    /// Those of the handshake, or [`ClientError::Revision`].
    pub async fn connect(self, dispatcher: Dispatcher) -> Result<Client, ClientError> {
        self.through(Channel::Memory, dispatcher).await
    }

    pub(crate) async fn through(
        mut self,
        channel: Channel,
        dispatcher: Dispatcher,
    ) -> Result<Client, ClientError> {
        let principal = self.principal.take();
        self.open(|connection| {
            let inbox = Arc::new(connection.inbox());
            Ok(Box::new(Memory::new(dispatcher, channel, principal, inbox)))
        })
        .await
    }

    /// Starts a server as a process and connects to its input and output.
    ///
    /// Its log goes where the command sends stderr. When the client is closed or
    /// dropped, the input of the process ends. It has 2 s to end too, on Unix another
    /// 2 s after SIGTERM, and is killed then; only [`Client::close`] waits for that.
    ///
    /// # Errors
    /// [`ClientError::Spawn`], and those of the handshake.
    pub async fn spawn(self, command: Command) -> Result<Client, ClientError> {
        self.open(|connection| {
            let child = ChildProcess::start(command, connection.inbox())?;
            Ok(Box::new(child))
        })
        .await
    }

    pub(super) async fn open(
        self,
        link: impl FnOnce(&Arc<Connection>) -> Result<Box<dyn Link>, ClientError>,
    ) -> Result<Client, ClientError> {
        let duplex = Arc::new(DuplexDispatcher::new());
        let mut capabilities = self.handlers.capabilities();
        capabilities.extensions = self.tasks.then(tasks::extensions);
        let options = Options {
            info: self.info,
            capabilities,
            follows_tasks: self.tasks,
            shows_progress: self.handlers.handles("notifications/progress"),
            timeout: self.timeout,
            rounds: self.rounds,
        };
        duplex.set_handler(self.handlers);
        let connection = Connection::new(duplex, self.watch);
        connection.connect(link(&connection)?);
        Client::open(connection, options, self.revision).await
    }
}
