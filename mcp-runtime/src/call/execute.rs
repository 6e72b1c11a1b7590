use std::any::Any;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context as TaskContext, Poll};
use std::time::{Duration, Instant};

use serde_json::json;

use super::handler_settings::HandlerSettings;
use super::record::CallRecord;
use super::round_trip::RoundTrip;
use super::{Execution, Reply, ServerContext};
use crate::argument::Adjustment;
use crate::codec::{self, Payload};
use crate::context::{Cancellation, Context, InputRequestError, RequestParts, Suspension};
use crate::error::ToolError;
use crate::handler::PreparedCall;
use crate::protocol::JsonObject;
use crate::registry::{Definition, HandlerResult};

/// The `_meta` key under which a result lists the arguments that were clamped to their range.
const ADJUSTED: &str = "mcp-runtime/adjusted";

/// The payload of a caught panic.
pub(crate) type PanicPayload = Box<dyn Any + Send>;

/// The way in which a handler has ended, if it was not dropped because of a cancellation.
enum HandlerExit<T: Definition> {
    Returned(HandlerResult<T>),
    Panicked(PanicPayload),
    /// The handler needs responses from the client, which has to send its request again.
    Suspended(Suspension),
}

impl<T: Definition> From<Result<HandlerResult<T>, PanicPayload>> for HandlerExit<T> {
    fn from(caught: Result<HandlerResult<T>, PanicPayload>) -> Self {
        caught.map_or_else(Self::Panicked, Self::Returned)
    }
}

/// Runs an inline handler at once, or returns the work that runs any other handler.
///
/// A panic of the handler is caught and fails only this call.
pub(super) fn execute<T: Definition>(
    handler: PreparedCall<HandlerResult<T>>,
    completion: CallFinalizer<T>,
) -> Execution<Reply> {
    tracing::trace!("execute");
    match handler {
        PreparedCall::Inline(handler) => {
            let started = Instant::now();
            let returned = catch_unwind(AssertUnwindSafe(handler));
            completion.warn_if_slow(started.elapsed());
            Execution::Ready(completion.reply(returned.into()))
        }
        PreparedCall::Blocking(handler) => Execution::Blocking(Box::new(move || {
            let span = completion.record.span().clone();
            let _entered = span.enter();
            completion.reply(catch_unwind(AssertUnwindSafe(handler)).into())
        })),
        PreparedCall::Future(handler) => {
            if let Some(round_trip) = &completion.round_trip {
                round_trip.input_requests().allow_suspension();
            }
            Execution::Future(Box::pin(AsyncCall {
                handler,
                completion: Some(completion),
            }))
        }
    }
}

/// The data that is needed to write the audit event and the reply after a handler has ended.
pub(super) struct CallFinalizer<T: Definition> {
    name: Box<str>,
    reply_context: T::ReplyContext,
    settings: HandlerSettings,
    /// The maximum size of the result's content, in bytes.
    max_result_bytes: usize,
    record: CallRecord,
    adjustments: Vec<Adjustment>,
    round_trip: Option<RoundTrip>,
    /// The cancellation signal of a handler that cannot be stopped when its call is cancelled.
    cancellation: Option<Cancellation>,
    /// The context of the request, if the handler borrows it.
    context: Option<Arc<Context>>,
}

impl<T: Definition> CallFinalizer<T> {
    pub(super) fn new(
        definition: &T,
        reply_context: T::ReplyContext,
        parts: &RequestParts<'_>,
        server: &ServerContext,
        record: CallRecord,
    ) -> Self {
        let max_result = definition.meta().policy.max_result;
        Self {
            name: definition.name().into(),
            reply_context,
            settings: server.handler_settings,
            max_result_bytes: max_result.unwrap_or(server.quotas.max_result_bytes),
            record,
            adjustments: Vec::new(),
            round_trip: None,
            cancellation: None,
            context: parts.existing_context().map(Arc::clone),
        }
    }

    /// Sets the clamped arguments, which are listed in the `_meta` of the result.
    pub(super) fn with_adjustments(mut self, adjustments: Vec<Adjustment>) -> Self {
        self.adjustments = adjustments;
        self
    }

    /// Marks the handler as one that keeps running after its call is cancelled.
    pub(super) fn unstoppable(mut self, cancellation: &Cancellation) -> Self {
        self.cancellation = Some(cancellation.clone());
        self
    }

    /// Sets the round trip, with which the call can end with input requests to a stateless client.
    pub(super) fn with_round_trip(mut self, round_trip: Option<RoundTrip>) -> Self {
        self.round_trip = round_trip;
        self
    }

    /// Returns the `_meta` members of the result: those that the handler has set, and the clamped
    /// arguments.
    fn result_meta(&self) -> JsonObject {
        let context = self.context.as_ref();
        let meta = context.map(|context| context.notifier.take_meta());
        let mut meta = meta.unwrap_or_default();
        if !self.adjustments.is_empty() {
            let adjusted = self.adjustments.iter();
            let adjusted: Vec<_> = adjusted
                .map(|Adjustment { name, from, to }| {
                    json!({ "argument": name, "from": from, "to": to })
                })
                .collect();
            meta.insert(ADJUSTED.to_owned(), adjusted.into());
        }
        meta
    }

    fn reply(mut self, exit: HandlerExit<T>) -> Reply {
        if self
            .cancellation
            .as_ref()
            .is_some_and(Cancellation::is_cancelled)
        {
            self.record.cancelled();
        }
        match exit {
            HandlerExit::Returned(Ok(value))
                if T::content_bytes(&value) > self.max_result_bytes =>
            {
                self.record
                    .too_large::<T>(T::content_bytes(&value), self.max_result_bytes)
            }
            HandlerExit::Returned(Ok(mut value)) => {
                self.record.returned::<T>(&value);
                let meta = self.result_meta();
                if !meta.is_empty() {
                    T::add_meta(&mut value, meta);
                }
                self.record
                    .traced_result(T::reply(value, self.reply_context))
            }
            HandlerExit::Returned(Err(error)) => {
                let round_trip = self.round_trip.as_ref();
                match round_trip.and_then(|it| it.missing_capability(error.log_detail())) {
                    Some(error) => Err(self.record.rejected(error)),
                    None => self.record.failed::<T>(&error, self.settings.mask_errors),
                }
            }
            HandlerExit::Panicked(panic) => self.record.panicked::<T>(panic.as_ref()),
            HandlerExit::Suspended(suspension) => self.suspended(suspension),
        }
    }

    fn suspended(mut self, suspension: Suspension) -> Reply {
        let failed = match suspension {
            Suspension::InvalidResponse(error) => return Err(self.record.rejected(error)),
            Suspension::Changed(key) => {
                ToolError::public(InputRequestError::Changed(key).to_string())
            }
            Suspension::InputRequired(requests, memo) => {
                match self.round_trip.as_ref().and_then(|it| it.seal(memo)) {
                    Some(state) => {
                        self.record.input_required();
                        let result = codec::input_required(&requests, state);
                        return Ok(Payload::Object(result));
                    }
                    None => ToolError::internal(
                        "the input responses and stored values of this call are too large",
                    ),
                }
            }
        };
        self.record.failed::<T>(&failed, self.settings.mask_errors)
    }

    /// Returns the suspension of a handler that cannot continue before the client responds.
    fn take_suspension(&self) -> Option<Suspension> {
        self.round_trip.as_ref()?.input_requests().take_suspension()
    }

    fn warn_if_slow(&self, took: Duration) {
        if took > self.settings.inline {
            let (word, name, millis) = (T::WORD, &*self.name, took.as_millis());
            tracing::warn!(
                name,
                "inline {word} `{name}` took {millis} ms and blocked every other call; \
                 remove `inline` so that it runs on its own thread"
            );
        }
    }
}

/// The future of a call with an async handler. It catches panics in each poll, and the call is
/// audited even if the future is dropped.
struct AsyncCall<T: Definition> {
    handler: Pin<Box<dyn Future<Output = HandlerResult<T>> + Send>>,
    completion: Option<CallFinalizer<T>>,
}

// The handler is pinned in its own box, so moving an `AsyncCall` does not move the handler.
impl<T: Definition> Unpin for AsyncCall<T> {}

impl<T: Definition> Future for AsyncCall<T> {
    type Output = Reply;

    fn poll(mut self: Pin<&mut Self>, task: &mut TaskContext<'_>) -> Poll<Reply> {
        let this = &mut *self;
        let span = this
            .completion
            .as_ref()
            .map(|completion| completion.record.span().clone());
        let _entered = span.as_ref().map(tracing::Span::enter);
        let polled = catch_unwind(AssertUnwindSafe(|| this.handler.as_mut().poll(task)));
        let exit = match polled {
            Ok(Poll::Pending) => match this
                .completion
                .as_ref()
                .and_then(CallFinalizer::take_suspension)
            {
                Some(suspension) => HandlerExit::Suspended(suspension),
                None => return Poll::Pending,
            },
            Ok(Poll::Ready(outcome)) => HandlerExit::Returned(outcome),
            Err(panic) => HandlerExit::Panicked(panic),
        };
        match this.completion.take() {
            Some(completion) => Poll::Ready(completion.reply(exit)),
            // The future was polled after completion, which the contract of `Future` forbids.
            None => Poll::Pending,
        }
    }
}
