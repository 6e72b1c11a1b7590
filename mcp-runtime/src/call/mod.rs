//! The one way to a tool's body: `resolve → validate → authorize → approve →
//! execute → audit`.
//!
//! Every door — a transport, a test, the command line — comes through
//! [`call_tool`]. A stage is a file; what stops a call there is that stage's answer.

mod approve;
mod ask;
mod audit;
mod authorize;
mod execute;
mod resolve;
mod validate;
mod work;

use ask::{Questions, Target};
use audit::Record;
use execute::Finish;
pub(crate) use execute::Limits;
pub(crate) use work::{Reply, Work};

use crate::context::{RequestScope, State};
use crate::handler::Inputs;
use crate::jsonrpc::ErrorObject;
use crate::protocol::CallToolRequestParams;
use crate::registry::Registry;
use crate::seal::Keys;

/// What calls need of their server.
#[derive(Debug)]
pub(crate) struct Service {
    pub(crate) registry: Registry,
    pub(crate) state: State,
    pub(crate) limits: Limits,
    /// What seals the state of calls that ask.
    pub(crate) keys: Keys,
}

/// Takes the parameters of `tools/call` through all stages.
///
/// Only what is no call at all is a protocol error; everything that the model
/// can repair comes back as a result.
pub(crate) fn call_tool(service: &Service, scope: &RequestScope<'_>, params: &str) -> Work<Reply> {
    let Ok(request) = serde_json::from_str::<CallToolRequestParams<'_>>(params) else {
        return Work::Ready(Err(ErrorObject::invalid_params(
            "`tools/call` needs `name`, a string, and takes `arguments`, an object",
        )));
    };
    let mut record = Record::open(&request.name, scope);
    let span = record.span().clone();
    let _entered = span.enter();
    let tool = match resolve::resolve(&service.registry, &request.name) {
        Ok(tool) => tool,
        Err(error) => return Work::Ready(Err(record.unknown(error))),
    };
    let target = Target {
        method: "tools/call",
        name: &request.name,
        arguments: request.arguments,
    };
    if let Err(error) = ask::resume(service, scope, target, params) {
        return Work::Ready(Err(record.unanswerable(error)));
    }
    let (arguments, state) = (request.arguments, &service.state);
    let mut inputs = Inputs::new(tool.arguments(), arguments, params, state, scope);
    let body = match validate::validate(tool, &mut inputs) {
        Ok(body) => body,
        Err(refusal) => return Work::Ready(Ok(record.refused(&refusal).into())),
    };
    record.coercions(inputs.coercions());
    if let Err(error) = authorize::authorize(tool, scope) {
        return Work::Ready(Err(record.denied(error)));
    }
    if let Err(refusal) = approve::approve(tool, scope) {
        return Work::Ready(Ok(record.refused(&refusal).into()));
    }
    let questions = Questions::of(service, scope, target);
    let finish = Finish::new(tool, scope, service.limits, record, questions);
    let finish = finish.with_adjustments(inputs.take_adjustments());
    execute::execute(body, finish)
}
