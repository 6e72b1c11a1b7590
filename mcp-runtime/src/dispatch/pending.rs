use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use super::in_flight::{Guard, InFlight};
use super::table::Routed;
use super::{Dispatched, Dispatcher, Status};
use crate::call::{Reply, Work};
use crate::context::Cancellation;
use crate::jsonrpc::RequestId;
use crate::protocol::Revision;

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
    Batch(super::batch::Batch),
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
    _in_flight: Guard,
}

impl Pending {
    pub(super) fn start(dispatcher: &Dispatcher, work: Work<Reply>, call: &Routed<'_>) -> Self {
        let id = &call.request.id;
        let cancellation = call.scope.cancellation().clone();
        let target = Target {
            dispatcher: dispatcher.clone(),
            id: id.clone(),
            revision: call.scope.revision,
            _in_flight: InFlight::enter(call.peer, id, &cancellation),
            cancellation,
        };
        Self(Kind::One(Box::new(One { work, target })))
    }

    pub(super) fn batch(batch: super::batch::Batch) -> Self {
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

    /// Whether this blocks its thread, so that [`run_here`](Self::run_here) suits it.
    #[must_use]
    pub fn is_blocking(&self) -> bool {
        matches!(&self.0, Kind::One(one) if matches!(one.work, Work::Blocking(_)))
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
        .poll(&mut Context::from_waker(Waker::noop()))
}

impl One {
    async fn run(self) -> Option<Answer> {
        let Self { work, target } = self;
        let reply = work.run(&target.cancellation).await?;
        Answer::written(|out| target.write(&reply, out))
    }
}

impl Target {
    /// Cancellation is looked at once more: what nobody wants is not sent.
    fn write(&self, reply: &Reply, out: &mut Vec<u8>) -> Dispatched {
        if self.cancellation.is_cancelled() {
            return Dispatched::Silent;
        }
        self.dispatcher.reply(out, &self.id, self.revision, reply)
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
