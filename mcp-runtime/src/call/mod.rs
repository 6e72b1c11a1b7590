//! The one way to a tool's body: `resolve → authorize → admit → validate
//! → approve → execute → audit`.
//!
//! Every door — a transport, a test, the command line — comes through
//! [`call_tool`]. A stage is a file; what stops a call there is that stage's answer.

mod admit;
mod approve;
mod ask;
mod audit;
mod authorize;
mod bound;
mod correlation;
mod execute;
mod layer;
mod rehearse;
mod resolve;
mod validate;
mod work;

use ask::{Questions, Target};
use std::sync::Arc;

use audit::Record;
pub(crate) use authorize::sees;
use bound::Bounds;
pub(crate) use correlation::correlation_id;
use execute::Finish;
pub(crate) use execute::Limits;
pub use layer::{Layer, ToolBody, ToolCall};
pub(crate) use work::{Reply, Work};

use serde_json::value::RawValue;

use crate::audit::{AuditLog, AuditOutcome};
use crate::auth::Guards;
use crate::context::{RequestScope, State};
use crate::handler::Inputs;
use crate::jsonrpc::ErrorObject;
use crate::limits::Quotas;
use crate::protocol::CallToolRequestParams;
use crate::registry::Registry;
use crate::seal::Keys;

/// What calls need of their server.
#[derive(Debug)]
pub(crate) struct Service {
    pub(crate) registry: Registry,
    pub(crate) state: State,
    pub(crate) limits: Limits,
    pub(crate) guards: Guards,
    pub(crate) quotas: Quotas,
    pub(crate) audit: Arc<AuditLog>,
    pub(crate) layers: Vec<Arc<dyn Layer>>,
    /// What seals the state of calls that ask.
    pub(crate) keys: Keys,
}

impl Service {
    /// Whether lists differ between callers.
    pub(crate) fn is_personal(&self) -> bool {
        let mut tools = self.registry.tools();
        self.guards.are_personal()
            || tools.any(|tool| tool.needs_principal() || !tool.policy().scopes.is_empty())
    }
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
    let record = Record::open(service, scope, "tools/call", &request.name);
    let span = record.span().clone();
    let _entered = span.enter();
    match gated(service, scope, &request, params, record) {
        Ok(work) => work,
        Err(reply) => Work::Ready(*reply),
    }
}

/// The gates in their order, and then the body; what stops a call is the reply.
fn gated(
    service: &Service,
    scope: &RequestScope<'_>,
    request: &CallToolRequestParams<'_>,
    params: &str,
    mut record: Record,
) -> Result<Work<Reply>, Box<Reply>> {
    let arguments = request.arguments.map(RawValue::get);
    record.arguments(arguments, None);
    if service.audit.is_stopped() {
        let error = ErrorObject::internal();
        let error = record.stopped(AuditOutcome::Stopped, error, "the audit log is stopped");
        return Err(Box::new(Err(error)));
    }
    let tool = match resolve::resolve(service, scope, &request.name) {
        Ok(tool) => tool,
        Err(error) => {
            let error = record.stopped(AuditOutcome::Unknown, error, "");
            return Err(Box::new(Err(error)));
        }
    };
    record.arguments(arguments, Some(tool.secrets()));
    let admitted = authorize::authorize(service, tool, scope)
        .and_then(|()| admit::admit(service, tool, scope));
    let permit = match admitted {
        Ok(permit) => permit,
        Err(denial) => {
            let error = record.stopped(denial.outcome, denial.error, &denial.detail);
            return Err(Box::new(Err(error)));
        }
    };
    let target = Target {
        method: "tools/call",
        name: &request.name,
        arguments: request.arguments,
    };
    if let Err(error) = ask::resume(service, scope, target, params) {
        return Err(Box::new(Err(record.unanswerable(error))));
    }
    let mut inputs = Inputs::new(
        tool.arguments(),
        request.arguments,
        params,
        &service.state,
        scope,
    );
    let body = match validate::validate(service, tool, &mut inputs, arguments) {
        Ok(body) => body,
        Err(refusal) => return Err(Box::new(Ok(record.refused(&refusal).into()))),
    };
    record.coercions(inputs.coercions());
    let consent = approve::approve(tool, scope, arguments, || record.fate());
    if rehearse::is_dry_run(scope) {
        let result = rehearse::rehearsed(record, tool, consent.as_ref());
        return Err(Box::new(Ok(result.into())));
    }
    let bounds = Bounds::of(service, tool, permit, &mut record);
    let call = || ToolCall::new(tool.name(), arguments, scope);
    let body = bounds.around(layer::layered(&service.layers, call, body));
    let body = match consent {
        Some(consent) => consent.before(body),
        None => body,
    };
    let questions = Questions::of(service, scope, target);
    let finish = Finish::new(tool, scope, service, record, questions);
    let finish = finish.with_adjustments(inputs.take_adjustments());
    Ok(execute::execute(body, finish))
}
