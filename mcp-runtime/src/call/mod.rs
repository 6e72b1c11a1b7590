//! The pipeline from a request to its result: `resolve → authorize → admit
//! → validate → approve → execute → audit`.
//!
//! Every door — a transport, a test, the command line — comes through here, with
//! a tool, a prompt or a resource as the [`Target`]. A stage is a file; what
//! stops a request there is that stage's answer.

mod admit;
mod approve;
mod ask;
mod audit;
mod authorize;
mod bound;
mod complete;
mod contain;
mod correlation;
mod demand;
mod dry_run;
mod execute;
mod explain;
mod fate;
mod layer;
mod legible;
#[cfg(feature = "otel")]
mod otel;
mod question;
mod read;
mod resolve;
mod target;
mod trace;
mod validate;
mod work;

use std::borrow::Cow;
use std::sync::Arc;

use ask::{Purpose, Questions};
use audit::Record;
use authorize::Denial;
pub(crate) use authorize::sees;
use bound::Bounds;
pub(crate) use complete::complete;
pub(crate) use contain::awaited;
use contain::{contained, discreet};
pub(crate) use correlation::correlation_id;
pub(crate) use demand::{knows_tasks, no_tasks};
use execute::Finish;
pub(crate) use execute::Limits;
pub(crate) use explain::explain;
pub use explain::{Stage, StageEffect};
pub use layer::{Layer, ToolBody, ToolCall};
pub(crate) use read::{permit_reading, read_resource};
use target::Target;
use tokio::sync::OwnedSemaphorePermit;
pub(crate) use work::{Reply, Work};

use crate::audit::AuditLog;
use crate::auth::Guards;
#[cfg(feature = "client-log")]
use crate::client_log::ToldTargets;
use crate::clock::Clock;
use crate::context::{RequestScope, State};
use crate::handler::{Body, Inputs};
use crate::jsonrpc::ErrorObject;
use crate::limits::Quotas;
use crate::protocol::{CacheHints, CallToolRequestParams, GetPromptRequestParams};
use crate::registry::{RegisteredPrompt, RegisteredTool, Registry, Snapshot};
use crate::seal::{Keys, Spent};

/// What requests need of their server.
#[derive(Debug)]
pub(crate) struct Service {
    pub(crate) registry: Arc<Registry>,
    pub(crate) state: Arc<State>,
    pub(crate) limits: Limits,
    pub(crate) guards: Guards,
    pub(crate) quotas: Quotas,
    pub(crate) audit: Arc<AuditLog>,
    pub(crate) layers: Vec<Arc<dyn Layer>>,
    /// How long results may be kept that say nothing of their own.
    pub(crate) cache: CacheHints,
    /// Which tracing events clients are told of.
    #[cfg(feature = "client-log")]
    pub(crate) client_log: Option<ToldTargets>,
    /// What seals the state of calls that ask.
    pub(crate) keys: Keys,
    pub(crate) clock: Clock,
    /// The states with which somebody has agreed.
    pub(crate) spent: Spent,
}

/// Takes the parameters of `tools/call` through all stages.
///
/// Only what is no call at all is a protocol error; everything that the model
/// can repair comes back as a result.
pub(crate) fn call_tool(service: &Service, scope: &RequestScope<'_>, params: &str) -> Work<Reply> {
    let Some((request, depth)) = CallToolRequestParams::measured(params) else {
        return invalid("`tools/call` needs `name`, a string, and takes `arguments`, an object");
    };
    let purpose = Purpose {
        method: RegisteredTool::METHOD,
        name: &request.name,
        arguments: request.arguments,
    };
    run(service, scope, purpose, params, |snapshot| {
        let target = resolve::tool(service, scope, snapshot, &request.name)?;
        Ok(Given {
            target,
            arguments: purpose.arguments.map(Cow::Borrowed),
            depth,
            request: (),
        })
    })
}

/// Takes the parameters of `prompts/get` through all stages.
pub(crate) fn get_prompt(service: &Service, scope: &RequestScope<'_>, params: &str) -> Work<Reply> {
    let Ok(request) = serde_json::from_str::<GetPromptRequestParams<'_>>(params) else {
        return invalid(
            "`prompts/get` needs `name`, a string, and takes `arguments`, an object of strings",
        );
    };
    let arguments = request.arguments.map(|arguments| json_object(&arguments));
    let purpose = Purpose {
        method: RegisteredPrompt::METHOD,
        name: &request.name,
        arguments: arguments.as_deref(),
    };
    run(service, scope, purpose, params, |snapshot| {
        let target = resolve::prompt(service, scope, snapshot, &request.name)?;
        Ok(Given {
            target,
            arguments: purpose.arguments.map(Cow::Borrowed),
            depth: 1,
            request: (),
        })
    })
}

/// What was asked for, and with what.
struct Given<'a, T: Target> {
    target: Arc<T>,
    arguments: Option<Cow<'a, str>>,
    /// How many arrays and objects of the arguments are in one another.
    depth: usize,
    request: T::Request,
}

/// The stages, the same for every target.
fn run<'a, T: Target>(
    service: &Service,
    scope: &RequestScope<'_>,
    purpose: Purpose<'_>,
    params: &str,
    resolve: impl FnOnce(&Snapshot) -> Result<Given<'a, T>, ErrorObject>,
) -> Work<Reply> {
    let mut record = Record::open(service, scope, T::METHOD, purpose.name);
    let span = record.span().clone();
    let _entered = span.enter();
    let snapshot = service.registry.snapshot();
    let given = match resolve(&snapshot) {
        Ok(given) => given,
        Err(error) => {
            record.arguments(purpose.arguments, None);
            return Work::Ready(record.stopped(Denial::unknown(error)));
        }
    };
    record.arguments(purpose.arguments, Some(given.target.common()));
    record.resolved(&*given.target);
    let absent = || T::absent(service, scope, &snapshot, purpose.name);
    let permitted = authorize::authorize(service, &*given.target, scope, absent)
        .and_then(|()| admit::admit(service, &*given.target, scope, T::METHOD))
        .and_then(|permit| demand::demand(given.target.common(), scope).map(|()| permit));
    match permitted {
        Ok(permit) => run_permitted(service, scope, purpose, params, given, permit, record),
        Err(denial) => Work::Ready(record.stopped(denial)),
    }
}

/// The stages after those that ask who calls, and how much.
fn run_permitted<T: Target>(
    service: &Service,
    scope: &RequestScope<'_>,
    purpose: Purpose<'_>,
    params: &str,
    given: Given<'_, T>,
    permit: Option<OwnedSemaphorePermit>,
    mut record: Record,
) -> Work<Reply> {
    if let Err(error) = ask::resume(service, scope, purpose, params) {
        return Work::Ready(Err(record.unanswerable(error)));
    }
    let (target, arguments, depth) = (given.target, given.arguments.as_deref(), given.depth);
    let (common, state) = (target.common(), &service.state);
    let mut inputs = Inputs::new(&common.arguments, arguments, params, state, scope);
    let read = || validate::validate(service, &*target, &mut inputs, arguments, depth);
    let body = match contained(record.secrets(), read) {
        Ok(Ok(body)) => body,
        Ok(Err(refusal)) => return Work::Ready(record.refused::<T>(&refusal)),
        Err(panic) => return Work::Ready(record.panicked::<T>(&*panic)),
    };
    record.coercions(inputs.coercions());
    let adjustments = inputs.take_adjustments();
    let told = question::Given {
        arguments,
        adjustments: &adjustments,
    };
    let consent = approve::approve(service, &*target, scope, told, || record.fate_of_consent());
    if dry_run::is_dry_run(scope) {
        return Work::Ready(dry_run::told(record, &*target, consent.as_ref()));
    }
    if consent.is_some()
        && let Err(error) = ask::spend(service, scope)
    {
        return Work::Ready(Err(record.unanswerable(error)));
    }
    let body = ask::in_place(scope, seated(scope, body));
    let call = || ToolCall::new(target.name(), arguments, scope);
    let bounds = Bounds::of(service, common, scope, permit, &mut record);
    let secrets = record.secrets();
    let layered = T::layered(&service.layers, call, discreet(secrets, body));
    let layered = discreet(secrets, layered);
    let body = match consent {
        // A slot of the tool is for who may run, not for who thinks about it.
        Some(consent) => consent.before(Body::future(bounds.waiting(layered))),
        None => bounds.around(layered),
    };
    let shape = target.shape(given.request, service, scope.revision);
    let mut finish = Finish::<T>::new(&target, shape, scope, service, record);
    if matches!(body, Body::Blocking(_)) {
        finish = finish.unstoppable(scope.cancellation());
    }
    let finish = finish.with_adjustments(adjustments);
    execute::execute(
        body,
        finish.with_questions(Questions::of(service, scope, purpose)),
    )
}

/// The body with its seat among the work of its client, if that is counted.
fn seated<V: 'static>(scope: &RequestScope<'_>, body: Body<V>) -> Body<V> {
    match scope.seat.get() {
        Some(seat) => body.holding(Arc::clone(seat)),
        None => body,
    }
}

impl Service {
    /// Whether clients are sent log messages, whatever bodies do.
    pub(crate) fn logs(&self) -> bool {
        #[cfg(feature = "client-log")]
        return self.client_log.is_some();
        #[cfg(not(feature = "client-log"))]
        false
    }

    /// Whether lists differ between callers.
    pub(crate) fn is_personal(&self, snapshot: &Snapshot) -> bool {
        self.guards.are_personal() || snapshot.definitions().any(|it| it.common().is_closed())
    }
}

fn invalid(message: &'static str) -> Work<Reply> {
    Work::Ready(Err(ErrorObject::invalid_params(message)))
}

/// Strings by name, as the arguments of a call.
fn json_object<'a>(pairs: impl IntoIterator<Item = (&'a String, &'a String)>) -> String {
    let members = pairs
        .into_iter()
        .map(|(name, value)| (name.clone(), value.clone().into()));
    serde_json::Value::Object(members.collect()).to_string()
}
