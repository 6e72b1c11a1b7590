use std::any::Any;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::{Context as TaskContext, Poll};
use std::time::{Duration, Instant};

use serde_json::json;

use super::ask::Questions;
use super::audit::Record;
use super::{Reply, Work};
use crate::argument::Adjustment;
use crate::codec::{self, Payload, Wrap};
use crate::context::{AskError, Escape, PATIENCE, RequestScope};
use crate::error::ToolError;
use crate::handler::Body;
use crate::output::Outcome;
use crate::protocol::CallToolResult;
use crate::registry::RegisteredTool;

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

type Panic = Box<dyn Any + Send>;

/// How the run of a body ends; one that is cancelled is dropped before it ends.
enum Ending {
    Returned(Outcome),
    Panicked(Panic),
    /// It waits for the client, which has to make its request again.
    Escaped(Escape),
}

impl From<Result<Outcome, Panic>> for Ending {
    fn from(caught: Result<Outcome, Panic>) -> Self {
        caught.map_or_else(Self::Panicked, Self::Returned)
    }
}

/// Runs the body, or hands it on to be run; a panic is one failed call.
pub(super) fn execute(body: Body<Outcome>, finish: Finish) -> Work<Reply> {
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
pub(super) struct Finish {
    tool: &'static str,
    wrap: Wrap,
    limits: Limits,
    record: Record,
    adjustments: Vec<Adjustment>,
    questions: Option<Questions>,
}

impl Finish {
    pub(super) fn new(
        tool: &RegisteredTool,
        scope: &RequestScope<'_>,
        limits: Limits,
        record: Record,
        questions: Option<Questions>,
    ) -> Self {
        Self {
            tool: tool.name(),
            // The schema is only made where its shape matters.
            wrap: Wrap::at(scope.revision, || tool.output_schema()),
            limits,
            record,
            adjustments: Vec::new(),
            questions,
        }
    }

    /// With what the result tells about arguments that were moved into a range.
    pub(super) fn with_adjustments(mut self, adjustments: Vec<Adjustment>) -> Self {
        self.adjustments = adjustments;
        self
    }

    fn reply(mut self, ending: Ending) -> Reply {
        let mut result = match ending {
            Ending::Returned(Ok(result)) => self.record.succeeded(result),
            Ending::Returned(Err(error)) => {
                let questions = self.questions.as_ref();
                if let Some(error) = questions.and_then(|it| it.missing(error.detail())) {
                    return Err(self.record.unanswerable(error));
                }
                self.record.failed(&error, self.limits.mask_errors)
            }
            Ending::Panicked(panic) => self.record.panicked(panic.as_ref()),
            Ending::Escaped(escape) => return self.escaped(escape),
        };
        self.tell_adjustments(&mut result);
        Ok(Payload::CallTool(result, self.wrap))
    }

    fn tell_adjustments(&self, result: &mut CallToolResult) {
        if self.adjustments.is_empty() {
            return;
        }
        let told = self.adjustments.iter();
        let told: Vec<_> = told
            .map(
                |Adjustment { name, from, to }| json!({ "argument": name, "from": from, "to": to }),
            )
            .collect();
        let meta = result.meta.get_or_insert_default();
        meta.insert(ADJUSTED.to_owned(), told.into());
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
        let result = self.record.failed(&failed, self.limits.mask_errors);
        Ok(Payload::CallTool(result, self.wrap))
    }

    /// Whether a body that waits, waits for the client to answer.
    fn escape(&self) -> Option<Escape> {
        self.questions.as_ref()?.asking().escape()
    }

    fn warn_if_slow(&self, took: Duration) {
        if took > self.limits.inline {
            let (tool, millis) = (self.tool, took.as_millis());
            tracing::warn!(
                tool,
                "inline tool `{tool}` took {millis} ms and held up every other call; \
                 remove `inline` so that it runs on a thread of its own"
            );
        }
    }
}

/// An async body, guarded against panics at each poll and audited even when dropped.
struct Running {
    body: Pin<Box<dyn Future<Output = Outcome> + Send>>,
    finish: Option<Finish>,
}

impl Future for Running {
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
