use std::any::Any;
use std::cell::OnceCell;
use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize;

use super::state::{Injectable, Requirement, downcast_arc, is_same_type};
use super::{
    Cancellation, ClientProfile, ClientSink, Context, LogThreshold, PendingInputRequests,
    PendingRequests, RequestNotifier, TransportKind,
};
use crate::auth::Principal;
use crate::jsonrpc::RequestId;
use crate::protocol::{ClientCapabilities, Implementation, JsonObject, Revision, meta};

/// The default value of the maximum time that a client may take to respond to an input request.
pub(crate) const DEFAULT_INPUT_TIMEOUT: Duration = Duration::from_secs(600);

/// The `_meta` key of a dry run. If its value is `true`, every stage runs except the handler.
pub(crate) const DRY_RUN: &str = "mcp-runtime/dryRun";

/// The means to reach the client of a request: the sink of the request, and the pending requests to
/// the client.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BackChannel<'a> {
    pub(crate) sink: &'a Arc<dyn ClientSink>,
    pub(crate) pending_requests: &'a Arc<PendingRequests>,
}

/// The request that is being served, in borrowed form. If a handler needs a [`Context`], it is
/// created from the parts.
#[derive(Debug)]
pub(crate) struct RequestParts<'a> {
    pub(crate) id: &'a RequestId,
    pub(crate) revision: Revision,
    pub(crate) transport: TransportKind,
    /// The client as declared in the handshake. Without a handshake, this is `None`, and the
    /// `_meta` of the request describes the client.
    pub(crate) client: Option<Arc<ClientProfile>>,
    pub(crate) meta: Option<&'a str>,
    /// The maximum time that the client may take to respond to an input request.
    pub(crate) input_timeout: Duration,
    /// The authenticated caller.
    pub(crate) principal: Option<Arc<Principal>>,
    /// The number of other requests and tasks of the client that are in flight.
    pub(crate) in_flight: usize,
    /// The guard that counts the handler as running work of the client. The handler holds it,
    /// because it may run longer than its request.
    pub(crate) work_guard: OnceCell<Arc<dyn Any + Send + Sync>>,
    sink: &'a Arc<dyn ClientSink>,
    /// The minimum level of log messages that the client accepts.
    pub(crate) log_threshold: LogThreshold,
    pending_requests: &'a Arc<PendingRequests>,
    input_requests: OnceCell<Arc<PendingInputRequests>>,
    cancellation: OnceCell<Cancellation>,
    expiry: OnceCell<Cancellation>,
    context: OnceCell<Arc<Context>>,
}

impl<'a> RequestParts<'a> {
    pub(crate) fn new(
        id: &'a RequestId,
        revision: Revision,
        transport: TransportKind,
        client: Option<Arc<ClientProfile>>,
        meta: Option<&'a str>,
        back_channel: BackChannel<'a>,
    ) -> Self {
        let BackChannel {
            sink,
            pending_requests,
        } = back_channel;
        Self {
            id,
            revision,
            transport,
            client,
            meta,
            input_timeout: DEFAULT_INPUT_TIMEOUT,
            principal: None,
            in_flight: 0,
            work_guard: OnceCell::new(),
            sink,
            log_threshold: LogThreshold::Request(None),
            pending_requests,
            input_requests: OnceCell::new(),
            cancellation: OnceCell::new(),
            expiry: OnceCell::new(),
            context: OnceCell::new(),
        }
    }

    /// Restores the parts from which `context` was created.
    pub(crate) fn of(context: &'a Arc<Context>, meta: Option<&'a str>) -> Self {
        Self {
            id: &context.id,
            revision: context.revision,
            transport: context.transport,
            client: Some(Arc::clone(&context.client)),
            meta,
            input_timeout: context.input_timeout,
            principal: context.principal.clone(),
            in_flight: 0,
            work_guard: OnceCell::new(),
            sink: &context.notifier.sink,
            pending_requests: &context.pending_requests,
            input_requests: OnceCell::from(Arc::clone(&context.input_requests)),
            log_threshold: context.notifier.threshold.clone(),
            cancellation: OnceCell::from(context.cancellation.clone()),
            expiry: OnceCell::from(context.expiry.clone()),
            context: OnceCell::from(Arc::clone(context)),
        }
    }

    /// Returns the cancellation signal of the request. The signal is created on first use, because
    /// most calls end before they can be cancelled.
    pub(crate) fn cancellation(&self) -> &Cancellation {
        self.cancellation.get_or_init(Cancellation::default)
    }

    /// Returns the signal that the handler has timed out. The signal is created on first use.
    pub(crate) fn expiry(&self) -> &Cancellation {
        self.expiry.get_or_init(Cancellation::default)
    }

    /// Returns the input requests of the call and their responses. They are created on first use.
    pub(crate) fn input_requests(&self) -> &Arc<PendingInputRequests> {
        self.input_requests.get_or_init(Arc::default)
    }

    /// Returns the input requests of the call if the handler has a context, which it needs to send
    /// them.
    pub(crate) fn handler_input_requests(&self) -> Option<&Arc<PendingInputRequests>> {
        self.context.get().map(|context| &context.input_requests)
    }

    /// Returns the id of the authenticated caller.
    pub(crate) fn principal_id(&self) -> Option<&str> {
        let principal = self.principal.as_deref().map(|principal| &*principal.id);
        principal.filter(|id| !id.is_empty())
    }

    /// Returns the context of the request. The context is created on first use.
    pub(crate) fn context(&self) -> &Arc<Context> {
        self.context.get_or_init(|| Arc::new(self.to_context()))
    }

    /// Returns the context of the request if it has been created.
    pub(crate) fn existing_context(&self) -> Option<&Arc<Context>> {
        self.context.get()
    }

    /// Returns the sink for messages about this request.
    pub(crate) fn sink(&self) -> &'a Arc<dyn ClientSink> {
        self.sink
    }

    /// Whether the type that `requirement` names is a part of a request. Not every request has a
    /// `Principal`, which is checked for each call.
    pub(crate) fn can_provide(requirement: &Requirement) -> bool {
        requirement.is_for::<Context>() || requirement.is_for::<Principal>()
    }

    /// Returns the context or the principal as an `Arc<T>` if `T` is its type.
    pub(crate) fn provide<T: ?Sized + Injectable>(&self) -> Option<Arc<T>> {
        if is_same_type::<T, Context>() {
            return downcast_arc(self.context());
        }
        let principal = self.principal.as_ref();
        downcast_arc(principal.filter(|_| is_same_type::<T, Principal>())?)
    }

    fn to_context(&self) -> Context {
        let meta = self
            .meta
            .and_then(|meta| serde_json::from_str::<JsonObject>(meta).ok())
            .unwrap_or_default();
        Context {
            id: self.id.clone(),
            revision: self.revision,
            transport: self.transport,
            client: self.profile(),
            cancellation: self.cancellation().clone(),
            expiry: self.expiry().clone(),
            input_requests: Arc::clone(self.input_requests()),
            pending_requests: Arc::clone(self.pending_requests),
            input_timeout: self.input_timeout,
            principal: self.principal.clone(),
            notifier: RequestNotifier {
                sink: Arc::clone(self.sink),
                revision: self.revision,
                progress_token: meta
                    .get(meta::PROGRESS_TOKEN)
                    .filter(|token| !token.is_null())
                    .map(ToString::to_string),
                threshold: self.log_threshold.clone(),
                state: Default::default(),
            },
            meta,
        }
    }

    fn profile(&self) -> Arc<ClientProfile> {
        if let Some(profile) = &self.client {
            return Arc::clone(profile);
        }
        let declared = self.meta.and_then(|meta| serde_json::from_str(meta).ok());
        let ClientMeta { info, capabilities } = declared.unwrap_or_default();
        Arc::new(ClientProfile { info, capabilities })
    }
}

/// The `_meta` members of a stateless request that describe its client.
#[derive(Default, Deserialize)]
struct ClientMeta {
    #[serde(default, rename = "io.modelcontextprotocol/clientInfo")]
    info: Option<Implementation>,
    #[serde(default, rename = "io.modelcontextprotocol/clientCapabilities")]
    capabilities: ClientCapabilities,
}
