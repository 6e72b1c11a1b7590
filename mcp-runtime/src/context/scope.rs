use std::any::Any;
use std::cell::OnceCell;
use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize;

use super::state::{Injected, as_lent, is};
use super::{
    Asking, Cancellation, Channel, ClientProfile, Context, Outgoing, Outstanding, Telling,
    Threshold,
};
use crate::auth::Principal;
use crate::jsonrpc::RequestId;
use crate::protocol::{ClientCapabilities, Implementation, JsonObject, Revision, meta};

/// How long a client may take to answer a question, unless the server says otherwise.
pub(crate) const PATIENCE: Duration = Duration::from_secs(600);

/// In the `_meta` of a request: `true` lets everything happen but the body.
pub(crate) const DRY_RUN: &str = "mcp-runtime/dryRun";

/// How a client is reached: the stream of a request, and what was asked on any stream.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way<'a> {
    pub(crate) outgoing: &'a Arc<dyn Outgoing>,
    pub(crate) outstanding: &'a Arc<Outstanding>,
}

/// The request that is served, borrowed; a [`Context`] is made of it when a handler wants one.
#[derive(Debug)]
pub(crate) struct RequestScope<'a> {
    pub(crate) id: &'a RequestId,
    pub(crate) revision: Revision,
    pub(crate) channel: Channel,
    /// What the handshake said; without one the request's `_meta` says it.
    pub(crate) client: Option<Arc<ClientProfile>>,
    pub(crate) meta: Option<&'a str>,
    /// How long the client may take to answer a question.
    pub(crate) patience: Duration,
    /// Who asks, as far as that was proved.
    pub(crate) principal: Option<Arc<Principal>>,
    /// How many other requests and tasks of the client are waiting or running.
    pub(crate) in_flight: usize,
    /// What counts the body where it may go on after its request; the body holds it.
    pub(crate) seat: OnceCell<Arc<dyn Any + Send + Sync>>,
    outgoing: &'a Arc<dyn Outgoing>,
    /// From which level on the client wants log messages.
    pub(crate) threshold: Threshold,
    outstanding: &'a Arc<Outstanding>,
    asking: OnceCell<Arc<Asking>>,
    cancellation: OnceCell<Cancellation>,
    expiry: OnceCell<Cancellation>,
    context: OnceCell<Arc<Context>>,
}

impl<'a> RequestScope<'a> {
    pub(crate) fn new(
        id: &'a RequestId,
        revision: Revision,
        channel: Channel,
        client: Option<Arc<ClientProfile>>,
        meta: Option<&'a str>,
        way: Way<'a>,
    ) -> Self {
        let Way {
            outgoing,
            outstanding,
        } = way;
        Self {
            id,
            revision,
            channel,
            client,
            meta,
            patience: PATIENCE,
            principal: None,
            in_flight: 0,
            seat: OnceCell::new(),
            outgoing,
            threshold: Threshold::Request(None),
            outstanding,
            asking: OnceCell::new(),
            cancellation: OnceCell::new(),
            expiry: OnceCell::new(),
            context: OnceCell::new(),
        }
    }

    /// The scope that `context` was made of, as far as a handler can tell.
    pub(crate) fn of(context: &'a Arc<Context>, meta: Option<&'a str>) -> Self {
        Self {
            id: &context.id,
            revision: context.revision,
            channel: context.channel,
            client: Some(Arc::clone(&context.client)),
            meta,
            patience: context.patience,
            principal: context.principal.clone(),
            in_flight: 0,
            seat: OnceCell::new(),
            outgoing: &context.telling.outgoing,
            outstanding: &context.outstanding,
            asking: OnceCell::from(Arc::clone(&context.asking)),
            threshold: context.telling.threshold.clone(),
            cancellation: OnceCell::from(context.cancellation.clone()),
            expiry: OnceCell::from(context.expiry.clone()),
            context: OnceCell::from(Arc::clone(context)),
        }
    }

    /// Made when first needed: most calls end before anybody could cancel them.
    pub(crate) fn cancellation(&self) -> &Cancellation {
        self.cancellation.get_or_init(Cancellation::default)
    }

    /// Tells a body that it has taken too long; made when first needed.
    pub(crate) fn expiry(&self) -> &Cancellation {
        self.expiry.get_or_init(Cancellation::default)
    }

    /// What the call asks and is told; made when first needed.
    pub(crate) fn asking(&self) -> &Arc<Asking> {
        self.asking.get_or_init(Arc::default)
    }

    /// As [`asking`](Self::asking), where the body has a context to ask through.
    pub(crate) fn asking_body(&self) -> Option<&Arc<Asking>> {
        self.context.get().map(|context| &context.asking)
    }

    /// The id of who asks, as far as that was proved.
    pub(crate) fn principal_id(&self) -> Option<&str> {
        self.principal.as_deref().map(|principal| &*principal.id)
    }

    /// The request as an owned value, made once.
    pub(crate) fn context(&self) -> &Arc<Context> {
        self.context.get_or_init(|| Arc::new(self.to_context()))
    }

    /// The owned value, if anybody wanted it so far.
    pub(crate) fn made_context(&self) -> Option<&Arc<Context>> {
        self.context.get()
    }

    /// The stream of messages about this request.
    pub(crate) fn outgoing(&self) -> &'a Arc<dyn Outgoing> {
        self.outgoing
    }

    /// The context or the principal as an `Arc<T>` if that is what `T` is.
    pub(crate) fn lends<T: ?Sized + Injected>(&self) -> Option<Arc<T>> {
        if is::<T, Context>() {
            return as_lent(self.context());
        }
        as_lent(self.principal.as_ref().filter(|_| is::<T, Principal>())?)
    }

    fn to_context(&self) -> Context {
        let meta = self
            .meta
            .and_then(|meta| serde_json::from_str::<JsonObject>(meta).ok())
            .unwrap_or_default();
        Context {
            id: self.id.clone(),
            revision: self.revision,
            channel: self.channel,
            client: self.profile(),
            cancellation: self.cancellation().clone(),
            expiry: self.expiry().clone(),
            asking: Arc::clone(self.asking()),
            outstanding: Arc::clone(self.outstanding),
            patience: self.patience,
            principal: self.principal.clone(),
            telling: Telling {
                outgoing: Arc::clone(self.outgoing),
                revision: self.revision,
                token: meta.get(meta::PROGRESS_TOKEN).map(ToString::to_string),
                threshold: self.threshold.clone(),
                told: Default::default(),
            },
            meta,
        }
    }

    fn profile(&self) -> Arc<ClientProfile> {
        if let Some(profile) = &self.client {
            return Arc::clone(profile);
        }
        let claimed = self.meta.and_then(|meta| serde_json::from_str(meta).ok());
        let Claimed { info, capabilities } = claimed.unwrap_or_default();
        Arc::new(ClientProfile { info, capabilities })
    }
}

/// What a stateless request says about its client.
#[derive(Default, Deserialize)]
struct Claimed {
    #[serde(default, rename = "io.modelcontextprotocol/clientInfo")]
    info: Option<Implementation>,
    #[serde(default, rename = "io.modelcontextprotocol/clientCapabilities")]
    capabilities: ClientCapabilities,
}
