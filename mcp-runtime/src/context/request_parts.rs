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

/// How long a client may take to respond to an input request, by default.
pub(crate) const DEFAULT_INPUT_TIMEOUT: Duration = Duration::from_secs(600);

/// The `_meta` key of a request: `true` runs every stage but the handler.
pub(crate) const DRY_RUN: &str = "mcp-runtime/dryRun";

/// How the server reaches a client: the sink of a request, and the requests sent to the client.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BackChannel<'a> {
    pub(crate) sink: &'a Arc<dyn ClientSink>,
    pub(crate) pending_requests: &'a Arc<PendingRequests>,
}

/// The request being served, borrowed; a [`Context`] is created from it when a handler needs one.
#[derive(Debug)]
pub(crate) struct RequestParts<'a> {
    pub(crate) id: &'a RequestId,
    pub(crate) revision: Revision,
    pub(crate) transport: TransportKind,
    /// The client of the handshake; without a handshake the request's `_meta` names it.
    pub(crate) client: Option<Arc<ClientProfile>>,
    pub(crate) meta: Option<&'a str>,
    /// How long the client may take to respond to an input request.
    pub(crate) input_timeout: Duration,
    /// The authenticated caller.
    pub(crate) principal: Option<Arc<Principal>>,
    /// How many other requests and tasks of the client are in flight.
    pub(crate) in_flight: usize,
    /// Counts a handler that may outlive its request; the handler holds it.
    pub(crate) work_guard: OnceCell<Arc<dyn Any + Send + Sync>>,
    sink: &'a Arc<dyn ClientSink>,
    /// The lowest level of log messages that the client accepts.
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

    /// Restores the parts that `context` was created from.
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

    /// Created on first use: most calls end before they could be cancelled.
    pub(crate) fn cancellation(&self) -> &Cancellation {
        self.cancellation.get_or_init(Cancellation::default)
    }

    /// Signals to the handler that it has timed out; created on first use.
    pub(crate) fn expiry(&self) -> &Cancellation {
        self.expiry.get_or_init(Cancellation::default)
    }

    /// The input requests of the call and their responses; created on first use.
    pub(crate) fn input_requests(&self) -> &Arc<PendingInputRequests> {
        self.input_requests.get_or_init(Arc::default)
    }

    /// The input requests, if the handler has a context to send them through.
    pub(crate) fn handler_input_requests(&self) -> Option<&Arc<PendingInputRequests>> {
        self.context.get().map(|context| &context.input_requests)
    }

    /// The id of the authenticated caller.
    pub(crate) fn principal_id(&self) -> Option<&str> {
        self.principal.as_deref().map(|principal| &*principal.id)
    }

    /// The request as an owned value, created once.
    pub(crate) fn context(&self) -> &Arc<Context> {
        self.context.get_or_init(|| Arc::new(self.to_context()))
    }

    /// The owned value, if it has been created.
    pub(crate) fn existing_context(&self) -> Option<&Arc<Context>> {
        self.context.get()
    }

    /// The sink for messages about this request.
    pub(crate) fn sink(&self) -> &'a Arc<dyn ClientSink> {
        self.sink
    }

    /// Whether every call can provide what `requirement` names. A `Principal` is checked
    /// for each call.
    pub(crate) fn can_provide(requirement: &Requirement) -> bool {
        requirement.is_for::<Context>() || requirement.is_for::<Principal>()
    }

    /// The context or the principal as an `Arc<T>`, if `T` is its type.
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
                progress_token: meta.get(meta::PROGRESS_TOKEN).map(ToString::to_string),
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
