//! One message in as bytes, at most one reply out as bytes.
//!
//! No sockets, no headers, no waiting: what is not finished at once is handed
//! back as [`Pending`] for the transport to run. It never fails; every outcome
//! is a reply or silence.

mod authenticate;
mod capability;
mod cursor;
mod explain;
mod in_flight;
mod legacy;
mod lists;
mod live;
mod method;
mod modern;
mod notified;
mod offered;
mod pending;
mod session;
mod table;

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use memchr::memmem::Finder;
use serde_json::value::RawValue;

pub use live::{Added, ServerHandle};
pub(crate) use method::Wrapper;
pub use method::{Method, MethodCall, Next};
#[cfg(feature = "http")]
pub(crate) use modern::Claim;
pub(crate) use modern::Opened;
pub use pending::{Answer, Pending};
pub use session::Peer;
pub(crate) use table::Methods;
use table::Routed;

use crate::call::{Reply, Service, Work};
use crate::codec::Codec;
use crate::jsonrpc::{
    self, ErrorCode, ErrorObject, Frame, Malformed, Members, Message, Request, RequestId,
};
use crate::protocol::{Implementation, JsonObject, Revision};
#[cfg(feature = "http")]
use crate::schema::HeaderParameter;
use crate::task::Tasks;

/// Answers messages for one server; clones share it.
///
/// ```standalone_crate
/// use mcp_runtime::{Dispatched, Peer, Server};
/// # use mcp_runtime::prelude::*;
/// # /// Adds.
/// # #[tool(inline)]
/// # fn add(a: i64, b: i64) -> i64 { a + b }
///
/// let dispatcher = Server::new("example", "1.0.0").build()?;
/// let peer = Peer::new();
/// let mut reply = Vec::new();
/// let ping = br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
/// assert!(matches!(dispatcher.dispatch(ping, &peer, &mut reply), Dispatched::Replied(_)));
/// assert_eq!(reply, br#"{"jsonrpc":"2.0","id":1,"result":{}}"#);
/// # Ok::<(), mcp_runtime::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Dispatcher(Arc<Core>);

/// What one message led to.
#[derive(Debug)]
#[must_use = "a pending call does not run by itself"]
pub enum Dispatched {
    /// Nothing is to be sent.
    Silent,
    /// The reply was appended to the buffer.
    Replied(Status),
    /// The reply comes when this was run.
    Pending(Pending),
}

/// What a transport may want to know about a reply besides its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status {
    /// The code of an error, `None` for a result.
    pub error: Option<ErrorCode>,
    /// Whether the request was of a revision without sessions.
    pub modern: bool,
}

#[derive(Debug)]
pub(crate) struct Core {
    pub(crate) service: Service,
    pub(crate) tasks: Arc<Tasks>,
    pub(crate) methods: Methods,
    pub(crate) codec: Codec,
    pub(crate) live: ServerHandle,
    pub(crate) info: Implementation,
    pub(crate) instructions: Option<String>,
    /// Extensions that the server's author declares.
    pub(crate) extensions: Arc<JsonObject>,
    /// The longest page of a list.
    pub(crate) page_size: usize,
    /// How often a body that tells no progress is known to be alive.
    pub(crate) heartbeat: Option<Duration>,
}

impl Dispatcher {
    pub(crate) fn new(core: Core) -> Self {
        Self(Arc::new(core))
    }

    /// How many tools are served.
    #[must_use]
    pub fn tool_count(&self) -> usize {
        self.0.service.registry.snapshot().tools.len()
    }

    /// Changes what is served, and tells clients of it.
    #[must_use]
    pub fn handle(&self) -> &ServerHandle {
        &self.0.live
    }

    /// Takes one frame of a transport and appends the reply, if any, to `out`.
    ///
    /// A handler that is ready at once is answered at once: it is polled here,
    /// so the caller must be inside a tokio runtime if handlers use one.
    pub fn dispatch(&self, frame: &[u8], peer: &Peer, out: &mut Vec<u8>) -> Dispatched {
        self.dispatch_frame(Frame::parse(frame), peer, out)
    }

    /// [`dispatch`](Self::dispatch) for a transport that has looked into the frame itself.
    pub(crate) fn dispatch_frame(
        &self,
        frame: Frame<'_>,
        peer: &Peer,
        out: &mut Vec<u8>,
    ) -> Dispatched {
        match frame {
            Frame::Single(message) => self.single(message, peer, out),
            Frame::Batch(elements) => self.batch(&elements, peer, out),
        }
    }

    /// Whether answering may run code of the user's, which may want a tokio runtime.
    pub(crate) fn runs_bodies(&self, frame: &Frame<'_>) -> bool {
        match frame {
            Frame::Single(Ok(Message::Request(request))) => {
                self.0.methods.runs_bodies(&request.method)
            }
            Frame::Single(_) => false,
            Frame::Batch(_) => true,
        }
    }

    fn single(
        &self,
        message: Result<Message<'_>, Malformed>,
        peer: &Peer,
        out: &mut Vec<u8>,
    ) -> Dispatched {
        if !peer.owns_session() {
            return foreign(message, out);
        }
        match message {
            Ok(Message::Request(request)) => self.request(&Opened::new(request), peer, out),
            Ok(Message::Notification(notification)) => {
                notified::notified(&notification, peer);
                Dispatched::Silent
            }
            Ok(Message::Response(response)) => {
                peer.answered(response);
                Dispatched::Silent
            }
            Err(Malformed { id, error }) => refuse(out, id.as_ref(), &error, false),
        }
    }

    /// Answers a request whose claim was read already.
    pub(crate) fn request(
        &self,
        opened: &Opened<'_>,
        peer: &Peer,
        out: &mut Vec<u8>,
    ) -> Dispatched {
        let request = &opened.request;
        if !peer.owns_session() {
            return refuse(out, Some(&request.id), &not_yours(), false);
        }
        if peer.in_flight().contains(&request.id) {
            let error = ErrorObject::invalid_request(
                "a request with this `id` is still in flight; use a new one",
            );
            return refuse(out, Some(&request.id), &error, false);
        }
        let modern = opened.claim.is_some();
        let routed = match &opened.claim {
            Some(claim) => claim
                .revision()
                .and_then(|revision| Ok((revision, claim.log_level()?))),
            None => legacy::route(request, peer).map(|revision| (revision, None)),
        };
        let (revision, log_level) = match routed {
            Ok(routed) => routed,
            Err(error) => return refuse(out, Some(&request.id), &error, modern),
        };
        let mut scope = peer.scope(&request.id, revision, opened.meta, log_level);
        scope.patience = self.0.service.limits.patience;
        let call = Routed {
            request,
            scope: &scope,
            peer,
        };
        match self.0.methods.call(self, &call) {
            Work::Ready(reply) => {
                // Whatever the body left running may not tell anything any more.
                if let Some(context) = scope.made_context() {
                    context.telling.end();
                }
                self.reply(out, &request.id, revision, &reply)
            }
            work => Pending::start(self, work, &call).settle(out),
        }
    }

    /// Appends the reply to a request.
    fn reply(
        &self,
        out: &mut Vec<u8>,
        id: &RequestId,
        revision: Revision,
        reply: &Reply,
    ) -> Dispatched {
        match reply {
            Ok(payload) => {
                jsonrpc::write_result(out, id, |out| self.0.codec.write(out, revision, payload));
                let modern = revision.is_modern();
                Dispatched::Replied(Status {
                    error: None,
                    modern,
                })
            }
            Err(error) => refuse(out, Some(id), error, revision.is_modern()),
        }
    }

    /// The arguments of a tool that a client over HTTP repeats in headers.
    #[cfg(feature = "http")]
    pub(crate) fn header_parameters(&self, tool: &str) -> Arc<[HeaderParameter]> {
        let snapshot = self.0.service.registry.snapshot();
        let tool = snapshot.tools.get(tool);
        tool.map_or_else(Arc::default, |tool| tool.header_parameters())
    }

    pub(crate) fn core(&self) -> &Core {
        &self.0
    }
}

/// What somebody says in a session of another: requests are refused, and all
/// else looks as if it had been done.
fn foreign(message: Result<Message<'_>, Malformed>, out: &mut Vec<u8>) -> Dispatched {
    match message {
        Ok(Message::Request(request)) => refuse(out, Some(&request.id), &not_yours(), false),
        Ok(Message::Notification(_) | Message::Response(_)) => Dispatched::Silent,
        Err(Malformed { id, error }) => refuse(out, id.as_ref(), &error, false),
    }
}

fn not_yours() -> ErrorObject {
    let message = "the session belongs to another caller";
    ErrorObject::new(ErrorCode::FORBIDDEN, message)
}

fn refuse(
    out: &mut Vec<u8>,
    id: Option<&RequestId>,
    error: &ErrorObject,
    modern: bool,
) -> Dispatched {
    jsonrpc::write_error(out, id, error);
    Dispatched::Replied(Status {
        error: Some(error.code),
        modern,
    })
}

impl<'a> Request<'a> {
    /// The `_meta` of the parameters, looked for only where the word occurs.
    pub(crate) fn meta(&self) -> Option<&'a str> {
        static WORD: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new("_meta"));
        let params = self.params.map(RawValue::get)?;
        WORD.find(params.as_bytes())?;
        let meta = Members::of(params).only("_meta").ok()??;
        // Anything else has no members.
        Some(meta).filter(|meta| meta.starts_with('{'))
    }
}
