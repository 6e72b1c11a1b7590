//! The pipeline from a request to its result: `resolve → validate → authorize →
//! approve → execute → audit`.
//!
//! Every door — a transport, a test, the command line — comes through here, with
//! a tool, a prompt or a resource as the [`Target`]. A stage is a file; what
//! stops a request there is that stage's answer.

mod approve;
mod ask;
mod audit;
mod authorize;
mod complete;
mod execute;
mod gate;
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
pub(crate) use complete::complete;
use execute::Finish;
pub(crate) use execute::Limits;
pub(crate) use gate::Gate;
pub(crate) use read::{permit_reading, read_resource};
use serde_json::value::RawValue;
use target::Target;
pub(crate) use work::{Reply, Work};

use crate::context::{RequestScope, State};
use crate::handler::Inputs;
use crate::jsonrpc::ErrorObject;
use crate::protocol::{CacheHints, CallToolRequestParams, GetPromptRequestParams};
use crate::registry::{RegisteredPrompt, RegisteredTool, Registry, Snapshot};
use crate::seal::Keys;

/// What requests need of their server.
#[derive(Debug)]
pub(crate) struct Service {
    pub(crate) registry: Arc<Registry>,
    pub(crate) state: Arc<State>,
    pub(crate) limits: Limits,
    /// How long results may be kept that say nothing of their own.
    pub(crate) cache: CacheHints,
    /// What seals the state of calls that ask.
    pub(crate) keys: Keys,
}

/// Takes the parameters of `tools/call` through all stages.
///
/// Only what is no call at all is a protocol error; everything that the model
/// can repair comes back as a result.
pub(crate) fn call_tool(service: &Service, scope: &RequestScope<'_>, params: &str) -> Work<Reply> {
    let Ok(request) = serde_json::from_str::<CallToolRequestParams<'_>>(params) else {
        return invalid("`tools/call` needs `name`, a string, and takes `arguments`, an object");
    };
    let purpose = Purpose {
        method: RegisteredTool::METHOD,
        name: &request.name,
        arguments: request.arguments.map(RawValue::get),
    };
    run(service, scope, purpose, params, |snapshot| {
        let target = resolve::tool(snapshot, &request.name)?;
        Ok(Given {
            target,
            arguments: purpose.arguments.map(Cow::Borrowed),
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
        let target = resolve::prompt(snapshot, &request.name)?;
        Ok(Given {
            target,
            arguments: purpose.arguments.map(Cow::Borrowed),
            request: (),
        })
    })
}

/// What was asked for, and with what.
struct Given<'a, T: Target> {
    target: Arc<T>,
    arguments: Option<Cow<'a, str>>,
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
    let mut record = Record::open(T::METHOD, purpose.name, scope);
    let span = record.span().clone();
    let _entered = span.enter();
    if let Err(error) = ask::resume(service, scope, purpose, params) {
        return Work::Ready(Err(record.unanswerable(error)));
    }
    let given = match resolve(&service.registry.snapshot()) {
        Ok(given) => given,
        Err(error) => return Work::Ready(Err(record.unknown(error))),
    };
    let target = given.target;
    let declared = &target.common().arguments;
    let (arguments, state) = (given.arguments.as_deref(), &service.state);
    let mut inputs = Inputs::new(declared, arguments, params, state, scope);
    let body = match validate::validate(&*target, &mut inputs) {
        Ok(body) => body,
        Err(refusal) => return Work::Ready(record.refused::<T>(&refusal)),
    };
    record.coercions(inputs.coercions());
    let gate = authorize::authorize(&*target, scope);
    let gate = gate.then(&target, scope, approve::approve);
    let shape = target.shape(given.request, service, scope.revision);
    let finish = Finish::<T>::new(target.name(), shape, scope, service.limits, record);
    let finish = finish.with_adjustments(inputs.take_adjustments());
    let finish = finish.with_questions(Questions::of(service, scope, purpose));
    match gate {
        Gate::Ready(Ok(())) => execute::execute(body, finish),
        Gate::Ready(Err(denial)) => Work::Ready(finish.denied(denial)),
        Gate::Later(gate) => execute::execute_later(gate, body, finish, scope.cancellation()),
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
