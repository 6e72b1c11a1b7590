use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context as TaskContext, Poll, Waker};
use std::time::Duration;

use super::in_flight::{Guard, InFlight};
use super::legacy::Batch;
use super::modern::listen;
use super::table::Routed;
use super::{Dispatched, Dispatcher, Status};
use crate::call::{Reply, Work};
use crate::codec;
use crate::context::{Cancellation, Context};
use crate::jsonrpc::RequestId;
use crate::protocol::{Revision, meta};

/// A request that is not answered yet, for the transport to run.
///
/// While it lives the request is in flight: its id is taken, and the client can
/// cancel it. Dropping it ends the call without a reply.
#[must_use = "a pending call does not run by itself"]
pub struct Pending(Kind);

/// A reply that came later.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Whether it is an error, and of which era.
    pub status: Status,
    /// The message.
    pub bytes: Vec<u8>,
}

impl Answer {
    pub(super) fn written(write: impl FnOnce(&mut Vec<u8>) -> Dispatched) -> Option<Self> {
        let mut bytes = Vec::new();
        match write(&mut bytes) {
            Dispatched::Replied(status) => Some(Self { status, bytes }),
            Dispatched::Silent | Dispatched::Pending(_) => None,
        }
    }
}

enum Kind {
    One(Box<One>),
    Batch(Batch),
}

struct One {
    work: Work<Reply>,
    target: Target,
}

/// Where and how the reply is written.
struct Target {
    dispatcher: Dispatcher,
    id: RequestId,
    revision: Revision,
    cancellation: Cancellation,
    /// What the body was lent, which must fall silent before the reply.
    context: Option<Arc<Context>>,
    /// How often a body that tells no progress is known to be alive.
    heartbeat: Option<Duration>,
    long_lived: bool,
    _in_flight: Guard,
}

impl Pending {
    pub(super) fn start(dispatcher: &Dispatcher, work: Work<Reply>, call: &Routed<'_>) -> Self {
        let id = &call.request.id;
        let cancellation = call.scope.cancellation().clone();
        // Only who gave a token can be told of progress.
        let asked = |_: &Duration| {
            call.scope
                .meta
                .is_some_and(|meta| meta.contains(meta::PROGRESS_TOKEN))
        };
        let heartbeat = dispatcher.core().heartbeat.filter(asked);
        let long_lived = call.request.method == listen::LISTEN.method;
        let target = Target {
            dispatcher: dispatcher.clone(),
            id: id.clone(),
            revision: call.scope.revision,
            _in_flight: InFlight::enter(call.peer, id, &cancellation, long_lived),
            cancellation,
            context: heartbeat
                .map(|_| call.scope.context())
                .or_else(|| call.scope.made_context())
                .map(Arc::clone),
            heartbeat,
            long_lived,
        };
        Self(Kind::One(Box::new(One { work, target })))
    }

    pub(super) fn batch(batch: Batch) -> Self {
        Self(Kind::Batch(batch))
    }

    /// Polls a future once: one that is ready never touches a scheduler.
    pub(super) fn settle(mut self, out: &mut Vec<u8>) -> Dispatched {
        if let Kind::One(one) = &mut self.0
            && let Work::Future(future) = &mut one.work
            && let Poll::Ready(reply) = poll_once(future)
        {
            return one.target.write(&reply, out);
        }
        Dispatched::Pending(self)
    }

    /// Whether this blocks its thread and nothing has to happen meanwhile, so that
    /// [`run_here`](Self::run_here) suits it.
    #[must_use]
    pub fn is_blocking(&self) -> bool {
        matches!(&self.0, Kind::One(one)
            if matches!(one.work, Work::Blocking(_)) && one.target.heartbeat.is_none())
    }

    /// Whether this lasts until the client is no longer interested, so that it
    /// must not count among the calls that run at once.
    #[must_use]
    pub fn is_long_lived(&self) -> bool {
        matches!(&self.0, Kind::One(one) if one.target.long_lived)
    }

    /// What follows the result of a listen stream where there is no stream of
    /// bytes to end, as on standard input and output (specification of
    /// 2026-07-28, *Cancellation*, *Server to client*).
    #[must_use]
    pub fn farewell(&self) -> Option<Vec<u8>> {
        match &self.0 {
            Kind::One(one) if one.target.long_lived => Some(codec::ended(&one.target.id)),
            Kind::One(_) | Kind::Batch(_) => None,
        }
    }

    /// Runs a blocking call on this thread and appends the reply, unless the
    /// client no longer wants it. Anything else is handed back.
    pub fn run_here(self, out: &mut Vec<u8>) -> Dispatched {
        match self.0 {
            Kind::One(one) => match *one {
                One {
                    work: Work::Blocking(body),
                    target,
                } => {
                    if target.cancellation.is_cancelled() {
                        return Dispatched::Silent;
                    }
                    let reply = body();
                    target.write(&reply, out)
                }
                other => Dispatched::Pending(Self(Kind::One(Box::new(other)))),
            },
            batch @ Kind::Batch(_) => Dispatched::Pending(Self(batch)),
        }
    }

    /// Runs to the reply; `None` where the client no longer wants it.
    ///
    /// A body that blocks runs on tokio's blocking pool.
    pub async fn run(self) -> Option<Vec<u8>> {
        self.answer().await.map(|answer| answer.bytes)
    }

    /// [`run`](Self::run), with what a transport may want to know besides the bytes.
    pub async fn answer(self) -> Option<Answer> {
        match self.0 {
            Kind::One(one) => one.run().await,
            Kind::Batch(batch) => batch.run().await,
        }
    }
}

fn poll_once(future: &mut Pin<Box<dyn Future<Output = Reply> + Send>>) -> Poll<Reply> {
    future
        .as_mut()
        .poll(&mut TaskContext::from_waker(Waker::noop()))
}

impl One {
    async fn run(self) -> Option<Answer> {
        let Self { work, target } = self;
        // Dropped before the reply, nobody waits; a thread that still runs can know.
        let abandoned = target.cancellation.on_drop();
        let reply = target.while_beating(work.run(&target.cancellation)).await;
        abandoned.disarm();
        let reply = reply?;
        Answer::written(|out| target.write(&reply, out))
    }
}

impl Target {
    /// Cancellation is looked at once more: what nobody wants is not sent.
    fn write(&self, reply: &Reply, out: &mut Vec<u8>) -> Dispatched {
        self.fall_silent();
        if self.cancellation.is_unwanted() {
            return Dispatched::Silent;
        }
        self.dispatcher.reply(out, &self.id, self.revision, reply)
    }
}

impl Target {
    /// Gives signs of life while a body runs that tells nothing of its progress.
    async fn while_beating<T>(&self, running: impl Future<Output = T>) -> T {
        let (Some(every), Some(context)) = (self.heartbeat, &self.context) else {
            return running.await;
        };
        let mut running = std::pin::pin!(running);
        loop {
            tokio::select! {
                biased;
                ended = &mut running => return ended,
                () = tokio::time::sleep(every) => context.telling.beat(),
            }
        }
    }

    fn fall_silent(&self) {
        if let Some(context) = &self.context {
            context.telling.end();
        }
    }
}

/// A call that ends without a reply falls silent as well.
impl Drop for Target {
    fn drop(&mut self) {
        self.fall_silent();
    }
}

impl fmt::Debug for Pending {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::One(one) => write!(formatter, "Pending({}, {:?})", one.target.id, one.work),
            Kind::Batch(_) => formatter.write_str("Pending(batch)"),
        }
    }
}
