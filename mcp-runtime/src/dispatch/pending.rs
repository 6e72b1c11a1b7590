use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context as TaskContext, Poll, Waker};
use std::time::Duration;

use super::builtin_method::RoutedRequest;
use super::connection::InFlightGuard;
use super::core::Core;
use super::outcome::{DispatchReply, DispatchStatus, write_error, write_reply};
use crate::call::{Execution, Reply};
use crate::codec;
use crate::context::{Cancellation, Context};
use crate::jsonrpc::{ErrorObject, RequestId};
use crate::protocol::{Revision, meta};

/// The result of [`Dispatcher::dispatch`](super::Dispatcher::dispatch). See that method for an
/// example.
#[derive(Debug)]
#[must_use = "a pending call does not run by itself"]
pub enum DispatchOutcome {
    /// The message has no reply.
    Silent,
    /// The dispatcher has appended the reply to the buffer.
    Replied(DispatchStatus),
    /// The transport must run this call to receive the reply.
    Pending(PendingCall),
}

/// A call without a reply so far, which the transport must run.
///
/// The request is in flight while this value exists. The client can cancel it, but cannot reuse its
/// id. Dropping the value ends the call without a reply.
///
/// See [`Dispatcher::dispatch`](super::Dispatcher::dispatch) for an example.
#[must_use = "a pending call does not run by itself"]
pub struct PendingCall(PendingKind);

enum PendingKind {
    One(Box<SingleCall>),
    Batch(Pin<Box<dyn Future<Output = Option<DispatchReply>> + Send>>),
}

struct SingleCall {
    execution: Execution<Reply>,
    target: ReplyTarget,
}

/// The properties of a request that determine how its reply is written.
struct ReplyTarget {
    core: Arc<Core>,
    id: RequestId,
    revision: Revision,
    cancellation: Cancellation,
    /// The context of the handler, which must not send notifications after the reply.
    context: Option<Arc<Context>>,
    /// The interval of progress notifications for a handler that reports no progress.
    heartbeat: Option<Duration>,
    long_lived: bool,
    _in_flight: InFlightGuard,
}

impl DispatchOutcome {
    /// Appends an error response to `out`.
    pub(super) fn rejected(
        out: &mut Vec<u8>,
        id: Option<&RequestId>,
        error: &ErrorObject,
        modern: bool,
    ) -> Self {
        Self::Replied(write_error(out, id, error, modern))
    }
}

impl From<Option<DispatchStatus>> for DispatchOutcome {
    fn from(status: Option<DispatchStatus>) -> Self {
        status.map_or(Self::Silent, Self::Replied)
    }
}

impl PendingCall {
    /// Adds the request to the requests in flight. A long-lived request does not count as work.
    pub(super) fn start(
        core: &Arc<Core>,
        execution: Execution<Reply>,
        routed: &RoutedRequest<'_>,
        long_lived: bool,
    ) -> Self {
        let (id, parts) = (&routed.request.id, routed.parts);
        let cancellation = parts.cancellation().clone();
        let has_token = |meta: &str| meta.contains(meta::PROGRESS_TOKEN);
        let wants_progress = parts.meta.is_some_and(has_token);
        let heartbeat = core.heartbeat.filter(|_| wants_progress);
        let context = match heartbeat {
            Some(_) => Some(parts.context()),
            None => parts.existing_context(),
        };
        let in_flight = routed
            .connection
            .start_request(id, &cancellation, long_lived);
        let target = ReplyTarget {
            core: Arc::clone(core),
            id: id.clone(),
            revision: parts.revision,
            cancellation,
            context: context.map(Arc::clone),
            heartbeat,
            long_lived,
            _in_flight: in_flight,
        };
        Self(PendingKind::One(Box::new(SingleCall { execution, target })))
    }

    pub(super) fn batch(
        replies: impl Future<Output = Option<DispatchReply>> + Send + 'static,
    ) -> Self {
        Self(PendingKind::Batch(Box::pin(replies)))
    }

    /// Polls the future of a call once, because a call that is ready immediately needs no
    /// scheduler.
    pub(super) fn poll_now(mut self, out: &mut Vec<u8>) -> DispatchOutcome {
        if let PendingKind::One(call) = &mut self.0
            && let Execution::Future(future) = &mut call.execution
            && let Poll::Ready(reply) = poll_once(future)
        {
            return call.target.write(&reply, out).into();
        }
        DispatchOutcome::Pending(self)
    }

    /// Whether this call blocks its thread and needs no concurrent work such as a heartbeat. You
    /// can run such a call with [`run_blocking`](Self::run_blocking).
    #[must_use]
    pub fn is_blocking(&self) -> bool {
        matches!(&self.0, PendingKind::One(call)
            if matches!(call.execution, Execution::Blocking(_)) && call.target.heartbeat.is_none())
    }

    /// Whether this call lasts until the client ends it. Such a call must not count towards a limit
    /// of concurrent calls.
    #[must_use]
    pub fn is_long_lived(&self) -> bool {
        matches!(&self.0, PendingKind::One(call) if call.target.long_lived)
    }

    /// Returns the id of the request, or `None` for a batch.
    #[cfg(feature = "http")]
    pub(crate) fn id(&self) -> Option<&RequestId> {
        match &self.0 {
            PendingKind::One(call) => Some(&call.target.id),
            PendingKind::Batch(_) => None,
        }
    }

    /// Returns the notification to send after the reply of a listen stream. Only a transport
    /// without a separate byte stream for each request needs it, such as stdio (specification of
    /// 2026-07-28, *Cancellation*, *Server to client*).
    #[must_use]
    pub fn closing_notification(&self) -> Option<Vec<u8>> {
        match &self.0 {
            PendingKind::One(call) if call.target.long_lived => {
                Some(codec::listen_stream_ended(&call.target.id))
            }
            PendingKind::One(_) | PendingKind::Batch(_) => None,
        }
    }

    /// Runs a blocking call on this thread. Appends the reply to `out`, unless the client has
    /// cancelled the call. Returns any other call unchanged as [`DispatchOutcome::Pending`].
    pub fn run_blocking(self, out: &mut Vec<u8>) -> DispatchOutcome {
        match self.0 {
            PendingKind::One(call) => match *call {
                SingleCall {
                    execution: Execution::Blocking(handler),
                    target,
                } => {
                    if target.cancellation.is_cancelled() {
                        return DispatchOutcome::Silent;
                    }
                    let reply = handler();
                    target.write(&reply, out).into()
                }
                other => DispatchOutcome::Pending(Self(PendingKind::One(Box::new(other)))),
            },
            batch @ PendingKind::Batch(_) => DispatchOutcome::Pending(Self(batch)),
        }
    }

    /// Runs the call. Returns the reply, or `None` if the client has cancelled the call.
    ///
    /// A blocking handler runs on the blocking pool of tokio.
    pub async fn run(self) -> Option<Vec<u8>> {
        self.run_to_reply().await.map(|reply| reply.bytes)
    }

    /// Runs the call like [`run`](Self::run), and also returns the status of the reply.
    pub async fn run_to_reply(self) -> Option<DispatchReply> {
        match self.0 {
            PendingKind::One(call) => call.run().await,
            PendingKind::Batch(replies) => replies.await,
        }
    }
}

fn poll_once(future: &mut Pin<Box<dyn Future<Output = Reply> + Send>>) -> Poll<Reply> {
    future
        .as_mut()
        .poll(&mut TaskContext::from_waker(Waker::noop()))
}

impl SingleCall {
    async fn run(self) -> Option<DispatchReply> {
        let Self { execution, target } = self;
        // If this future is dropped, the guard cancels the call. A running handler thread can
        // detect this.
        let cancel_on_drop = target.cancellation.on_drop();
        let running = execution.run(&target.cancellation);
        let reply = target.with_heartbeat(running).await;
        cancel_on_drop.disarm();
        let reply = reply?;
        DispatchReply::written(|out| target.write(&reply, out))
    }
}

impl ReplyTarget {
    /// Appends the reply to `out`, unless the client has cancelled the request.
    fn write(&self, reply: &Reply, out: &mut Vec<u8>) -> Option<DispatchStatus> {
        self.end_notifications();
        let is_wanted = !self.cancellation.is_unwanted();
        is_wanted.then(|| write_reply(out, &self.core.codec, &self.id, self.revision, reply))
    }

    /// Sends progress notifications at the heartbeat interval while the handler reports no
    /// progress.
    async fn with_heartbeat<T>(&self, running: impl Future<Output = T>) -> T {
        let (Some(interval), Some(context)) = (self.heartbeat, &self.context) else {
            return running.await;
        };
        let mut running = std::pin::pin!(running);
        loop {
            tokio::select! {
                biased;
                finished = &mut running => return finished,
                () = tokio::time::sleep(interval) => context.notifier.heartbeat(),
            }
        }
    }

    fn end_notifications(&self) {
        if let Some(context) = &self.context {
            context.notifier.end();
        }
    }
}

impl Drop for ReplyTarget {
    fn drop(&mut self) {
        self.end_notifications();
    }
}

impl fmt::Debug for PendingCall {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            PendingKind::One(call) => {
                let (id, execution) = (&call.target.id, &call.execution);
                write!(formatter, "PendingCall({id}, {execution:?})")
            }
            PendingKind::Batch(_) => formatter.write_str("PendingCall(batch)"),
        }
    }
}
