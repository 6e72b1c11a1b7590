use std::any::Any;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context as TaskContext, Poll};
use std::time::{Duration, Instant};

use serde_json::json;

use super::ask::Questions;
use super::audit::Record;
use super::target::{Outcome, Target};
use super::{Reply, Service, Work};
use crate::argument::Adjustment;
use crate::codec::{self, Payload};
use crate::context::{AskError, Cancellation, Context, Escape, PATIENCE, RequestScope};
use crate::error::ToolError;
use crate::handler::Body;
use crate::protocol::JsonObject;

/// In the `_meta` of a result: which arguments were moved into their range.
const ADJUSTED: &str = "mcp-runtime/adjusted";

/// What a server allows its handlers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// An inline body that takes longer is warned about.
    pub(crate) inline: Duration,
    /// Whether only errors written for the caller are shown to it.
    pub(crate) mask_errors: bool,
    /// How long a client may take to answer a question.
    pub(crate) patience: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            inline: Duration::from_millis(1),
            mask_errors: false,
            patience: PATIENCE,
        }
    }
}

pub(crate) type Panic = Box<dyn Any + Send>;

/// How the run of a body ends; one that is cancelled is dropped before it ends.
enum Ending<T: Target> {
    Returned(Outcome<T>),
    Panicked(Panic),
    /// It waits for the client, which has to make its request again.
    Escaped(Escape),
}

impl<T: Target> From<Result<Outcome<T>, Panic>> for Ending<T> {
    fn from(caught: Result<Outcome<T>, Panic>) -> Self {
        caught.map_or_else(Self::Panicked, Self::Returned)
    }
}

/// Runs the body, or hands it on to be run; a panic is one failed call.
pub(super) fn execute<T: Target>(body: Body<Outcome<T>>, finish: Finish<T>) -> Work<Reply> {
    tracing::trace!("execute");
    match body {
        Body::Inline(body) => {
            let started = Instant::now();
            let returned = catch_unwind(AssertUnwindSafe(body));
            finish.warn_if_slow(started.elapsed());
            Work::Ready(finish.reply(returned.into()))
        }
        Body::Blocking(body) => Work::Blocking(Box::new(move || {
            let span = finish.record.span().clone();
            let _entered = span.enter();
            finish.reply(catch_unwind(AssertUnwindSafe(body)).into())
        })),
        Body::Future(body) => {
            if let Some(questions) = &finish.questions {
                questions.asking().drive();
            }
            Work::Future(Box::pin(Running {
                body,
                finish: Some(finish),
            }))
        }
    }
}

/// What is left to do when the body has returned.
pub(super) struct Finish<T: Target> {
    name: Box<str>,
    shape: T::Shape,
    limits: Limits,
    /// How many bytes of content the result may have.
    most: usize,
    record: Record,
    adjustments: Vec<Adjustment>,
    questions: Option<Questions>,
    /// Of a body that cannot be stopped, and may end when nobody waits any more.
    cancellation: Option<Cancellation>,
    /// What the body was lent, if it wanted the request.
    context: Option<Arc<Context>>,
}

impl<T: Target> Finish<T> {
    pub(super) fn new(
        target: &T,
        shape: T::Shape,
        scope: &RequestScope<'_>,
        service: &Service,
        record: Record,
    ) -> Self {
        let most = target.common().policy.max_result;
        Self {
            name: target.name().into(),
            shape,
            limits: service.limits,
            most: most.unwrap_or(service.quotas.result),
            record,
            adjustments: Vec::new(),
            questions: None,
            cancellation: None,
            context: scope.made_context().map(Arc::clone),
        }
    }

    /// With what the result tells about arguments that were moved into a range.
    pub(super) fn with_adjustments(mut self, adjustments: Vec<Adjustment>) -> Self {
        self.adjustments = adjustments;
        self
    }

    /// For a body that goes on when its call is cancelled.
    pub(super) fn unstoppable(mut self, cancellation: &Cancellation) -> Self {
        self.cancellation = Some(cancellation.clone());
        self
    }

    /// With what a body may ask, where its client has to call again for that.
    pub(super) fn with_questions(mut self, questions: Option<Questions>) -> Self {
        self.questions = questions;
        self
    }

    /// What the result tells besides what the body says itself.
    fn told(&self) -> JsonObject {
        let context = self.context.as_ref();
        let told = context.map(|context| context.telling.take_meta());
        let mut told = told.unwrap_or_default();
        if !self.adjustments.is_empty() {
            let adjusted = self.adjustments.iter();
            let adjusted: Vec<_> = adjusted
                .map(|Adjustment { name, from, to }| {
                    json!({ "argument": name, "from": from, "to": to })
                })
                .collect();
            told.insert(ADJUSTED.to_owned(), adjusted.into());
        }
        told
    }

    fn reply(mut self, ending: Ending<T>) -> Reply {
        if self
            .cancellation
            .as_ref()
            .is_some_and(Cancellation::is_cancelled)
        {
            self.record.unwanted();
        }
        match ending {
            Ending::Returned(Ok(value)) if T::bytes(&value) > self.most => {
                self.record.too_large::<T>(T::bytes(&value), self.most)
            }
            Ending::Returned(Ok(mut value)) => {
                self.record.succeeded::<T>(&value);
                let told = self.told();
                if !told.is_empty() {
                    T::add_meta(&mut value, told);
                }
                self.record.answered(T::success(value, self.shape))
            }
            Ending::Returned(Err(error)) => {
                let questions = self.questions.as_ref();
                match questions.and_then(|questions| questions.missing(error.detail())) {
                    Some(error) => Err(self.record.unanswerable(error)),
                    None => self.record.failed::<T>(&error, self.limits.mask_errors),
                }
            }
            Ending::Panicked(panic) => self.record.panicked::<T>(panic.as_ref()),
            Ending::Escaped(escape) => self.escaped(escape),
        }
    }

    fn escaped(mut self, escape: Escape) -> Reply {
        let failed = match escape {
            Escape::Refused(error) => return Err(self.record.unanswerable(error)),
            Escape::Changed(key) => ToolError::public(AskError::Changed(key).to_string()),
            Escape::Asked(questions, memory) => {
                match self.questions.as_ref().and_then(|it| it.seal(memory)) {
                    Some(state) => {
                        self.record.asked();
                        let result = codec::input_required(&questions, state);
                        return Ok(Payload::Object(result));
                    }
                    None => ToolError::internal("the answers and values of this call are too long"),
                }
            }
        };
        self.record.failed::<T>(&failed, self.limits.mask_errors)
    }

    /// Whether a body that waits, waits for the client to answer.
    fn escape(&self) -> Option<Escape> {
        self.questions.as_ref()?.asking().escape()
    }

    fn warn_if_slow(&self, took: Duration) {
        if took > self.limits.inline {
            let (word, name, millis) = (T::WORD, &*self.name, took.as_millis());
            tracing::warn!(
                name,
                "inline {word} `{name}` took {millis} ms and held up every other call; \
                 remove `inline` so that it runs on a thread of its own"
            );
        }
    }
}

/// An async body, guarded against panics at each poll and audited even when dropped.
struct Running<T: Target> {
    body: Pin<Box<dyn Future<Output = Outcome<T>> + Send>>,
    finish: Option<Finish<T>>,
}

// The body is pinned in its own box, so moving the rest moves nothing pinned.
impl<T: Target> Unpin for Running<T> {}

impl<T: Target> Future for Running<T> {
    type Output = Reply;

    fn poll(mut self: Pin<&mut Self>, task: &mut TaskContext<'_>) -> Poll<Reply> {
        let this = &mut *self;
        let span = this
            .finish
            .as_ref()
            .map(|finish| finish.record.span().clone());
        let _entered = span.as_ref().map(tracing::Span::enter);
        let polled = catch_unwind(AssertUnwindSafe(|| this.body.as_mut().poll(task)));
        let ending = match polled {
            Ok(Poll::Pending) => match this.finish.as_ref().and_then(Finish::escape) {
                Some(escape) => Ending::Escaped(escape),
                None => return Poll::Pending,
            },
            Ok(Poll::Ready(outcome)) => Ending::Returned(outcome),
            Err(panic) => Ending::Panicked(panic),
        };
        match this.finish.take() {
            Some(finish) => Poll::Ready(finish.reply(ending)),
            // Polled after completion, which the contract of `Future` forbids.
            None => Poll::Pending,
        }
    }
}
