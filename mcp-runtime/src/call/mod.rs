//! The pipeline from a request to its result: `resolve → validate → authorize →
//! approve → execute → audit`.
//!
//! Every door — a transport, a test, the command line — comes through here, with
//! a tool, a prompt or a resource as the [`Target`]. A stage is a file; what
//! stops a request there is that stage's answer.

mod approve;
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

use audit::Record;
pub(crate) use complete::complete;
use execute::Finish;
pub(crate) use execute::Limits;
pub(crate) use gate::Gate;
pub(crate) use read::{permit_reading, read_resource};
use target::Target;
pub(crate) use work::{Reply, Work};

use crate::context::{RequestScope, State};
use crate::handler::Inputs;
use crate::jsonrpc::ErrorObject;
use crate::protocol::{CacheHints, CallToolRequestParams, GetPromptRequestParams};
use crate::registry::{Registry, Snapshot};

/// What requests need of their server.
#[derive(Debug)]
pub(crate) struct Service {
    pub(crate) registry: Arc<Registry>,
    pub(crate) state: Arc<State>,
    pub(crate) limits: Limits,
    /// How long results may be kept that say nothing of their own.
    pub(crate) cache: CacheHints,
}

/// Takes the parameters of `tools/call` through all stages.
///
/// Only what is no call at all is a protocol error; everything that the model
/// can repair comes back as a result.
pub(crate) fn call_tool(service: &Service, scope: &RequestScope<'_>, params: &str) -> Work<Reply> {
    let Ok(request) = serde_json::from_str::<CallToolRequestParams<'_>>(params) else {
        return invalid("`tools/call` needs `name`, a string, and takes `arguments`, an object");
    };
    let arguments = request.arguments.map(|arguments| arguments.get());
    run(service, scope, &request.name, |snapshot| {
        let tool = resolve::tool(snapshot, &request.name)?;
        Ok(Given {
            target: tool,
            arguments: arguments.map(Cow::Borrowed),
            params,
            shape: (),
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
    run(service, scope, &request.name, |snapshot| {
        let prompt = resolve::prompt(snapshot, &request.name)?;
        Ok(Given {
            target: prompt,
            arguments: arguments.map(Cow::Owned),
            params: "{}",
            shape: (),
        })
    })
}

/// What was asked for, and with what.
struct Given<'a, T: Target> {
    target: Arc<T>,
    arguments: Option<Cow<'a, str>>,
    /// All that the request says, should `arguments` be missing.
    params: &'a str,
    shape: T::Request,
}

/// The stages, the same for every target.
fn run<'a, T: Target>(
    service: &Service,
    scope: &RequestScope<'_>,
    name: &str,
    resolve: impl FnOnce(&Snapshot) -> Result<Given<'a, T>, ErrorObject>,
) -> Work<Reply> {
    let mut record = Record::open(T::METHOD, name, scope);
    let span = record.span().clone();
    let _entered = span.enter();
    let given = match resolve(&service.registry.snapshot()) {
        Ok(given) => given,
        Err(error) => return Work::Ready(Err(record.unknown(error))),
    };
    let target = given.target;
    let declared = &target.common().arguments;
    let mut inputs = Inputs::new(
        declared,
        given.arguments.as_deref(),
        given.params,
        &service.state,
        scope,
    );
    let body = match validate::validate(&*target, &mut inputs) {
        Ok(body) => body,
        Err(refusal) => return Work::Ready(record.refused::<T>(&refusal)),
    };
    record.coercions(inputs.coercions());
    let gate = authorize::authorize(&*target, scope);
    let gate = gate.then(&target, scope, approve::approve);
    let shape = target.shape(given.shape, service, scope.revision);
    let finish = Finish::<T>::new(target.name(), shape, scope, service.limits, record);
    let finish = finish.with_adjustments(inputs.take_adjustments());
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
