use super::ServerContext;
use super::authorize::authorize;
use crate::audit::AuditOutcome;
use crate::context::RequestParts;
use crate::jsonrpc::ErrorObject;
use crate::registry::Definition;
use crate::registry::RegisteredTool;

/// A stage of the call pipeline and its effect on a call.
///
/// See [`Dispatcher::explain`](crate::Dispatcher::explain) for an example.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stage {
    /// The name of the stage: `resolve`, `authorize`, `admit`, `validate`, `approve`, `execute` or
    /// `audit`.
    pub name: &'static str,
    /// The effect of the stage on the call.
    pub effect: StageEffect,
}

/// The effect of a pipeline stage on a call. See [`Stage`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StageEffect {
    /// The call passes the stage with any arguments.
    Passes,
    /// The effect depends on the arguments, on other calls, or on the user, as the text explains.
    Depends(String),
    /// The call ends in this stage with this outcome, and the handler does not run.
    Stops(AuditOutcome),
}

/// Returns the effects of all pipeline stages on a call of `tool`, without running the stages.
pub(crate) fn explain(server: &ServerContext, parts: &RequestParts<'_>, tool: &str) -> Vec<Stage> {
    use StageEffect::{Depends, Passes, Stops};
    let mut stages = Vec::new();
    let mut stage = |name, effect| stages.push(Stage { name, effect });
    let snapshot = server.registry.snapshot();
    let Some(found) = snapshot.tools.get(tool) else {
        stage("resolve", Stops(AuditOutcome::Unknown));
        stage("audit", Passes);
        return stages;
    };
    stage("resolve", Passes);
    if let Err(denial) = authorize(server, found.meta(), parts, tool, ErrorObject::internal) {
        stage("authorize", Stops(denial.outcome));
        stage("audit", Passes);
        return stages;
    }
    stage("authorize", Passes);
    let definition = found.meta();
    let (policy, quotas) = (definition.policy, &server.quotas);
    let free = quotas.is_unlimited(RegisteredTool::METHOD, tool) && !server.audit.has_sinks();
    stage(
        "admit",
        match free {
            true => Passes,
            false => Depends("on the number of calls".to_owned()),
        },
    );
    stage("validate", Depends("on the arguments".to_owned()));
    stage(
        "approve",
        match policy.confirm {
            None => Passes,
            Some(message) => Depends(format!("on the user: {message}")),
        },
    );
    stage(
        "execute",
        match policy.timeout.or(quotas.timeout) {
            None => Passes,
            Some(limit) => Depends(format!("on finishing within {limit:?}")),
        },
    );
    stage("audit", Passes);
    stages
}
