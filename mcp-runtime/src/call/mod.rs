//! The one way to a tool's body: `resolve → validate → authorize → approve →
//! execute → audit`.
//!
//! Every door — a transport, a test, the command line — comes through
//! [`call_tool`]. A stage is a file; what stops a call there is that stage's answer.

mod approve;
mod audit;
mod authorize;
mod caller;
mod execute;
mod prepared;
mod resolve;
mod validate;
mod work;

pub(crate) use caller::Caller;
pub(crate) use execute::Limits;
pub use prepared::{Call, Prepared};
pub(crate) use work::{Reply, Work};

use crate::context::State;
use crate::jsonrpc::ErrorObject;
use crate::protocol::CallToolRequestParams;
use crate::registry::Registry;

/// What calls need of their server.
#[derive(Debug)]
pub(crate) struct Service {
    pub(crate) registry: Registry,
    pub(crate) state: State,
    pub(crate) limits: Limits,
}

/// Takes the parameters of `tools/call` through all stages.
///
/// Only what is no call at all is a protocol error; everything that the model
/// can repair comes back as a result.
pub(crate) fn call_tool(service: &Service, caller: &Caller<'_>, params: &str) -> Work<Reply> {
    let Ok(request) = serde_json::from_str::<CallToolRequestParams<'_>>(params) else {
        return Work::Ready(Err(ErrorObject::invalid_params(
            "`tools/call` needs `name`, a string, and takes `arguments`, an object",
        )));
    };
    let tool = match resolve::resolve(&service.registry, &request.name) {
        Ok(tool) => tool,
        Err(error) => return Work::Ready(Err(error)),
    };
    let mut record = audit::Record::open(tool.descriptor().name, caller);
    let span = record.span().clone();
    let _entered = span.enter();
    let mut call = Call::new(service, caller, tool, request.arguments, params);
    let prepared = match validate::validate(&mut call) {
        Ok(prepared) => prepared,
        Err(refusal) => return Work::Ready(Ok(record.refused(&refusal).into())),
    };
    record.coercions(call.coercions());
    if let Err(error) = authorize::authorize(tool, caller) {
        return Work::Ready(Err(record.denied(error)));
    }
    if let Err(refusal) = approve::approve(tool, caller) {
        return Work::Ready(Ok(record.refused(&refusal).into()));
    }
    let finish = execute::Finish::new(tool, caller, service.limits, record);
    execute::execute(prepared, finish)
}
