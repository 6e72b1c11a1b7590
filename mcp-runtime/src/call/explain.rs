use super::Service;
use super::authorize::authorize;
use super::target::Target;
use crate::audit::AuditOutcome;
use crate::context::RequestScope;
use crate::jsonrpc::ErrorObject;
use crate::registry::RegisteredTool;

/// A stage that a call would pass, or where it would stop.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stage {
    /// `resolve`, `authorize`, `admit`, `validate`, `approve`, `execute` or `audit`.
    pub name: &'static str,
    /// What it does with the call.
    pub effect: StageEffect,
}

/// What a stage does with a call.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StageEffect {
    /// Nothing stands in the way, whatever the arguments are.
    Passes,
    /// That depends on the arguments, on other calls, or on a person.
    Depends(String),
    /// The call ends here, and no body runs.
    Stops(AuditOutcome),
}

/// The stages of a call of `tool` in their order; none of them is taken.
pub(crate) fn explain(service: &Service, scope: &RequestScope<'_>, tool: &str) -> Vec<Stage> {
    use StageEffect::{Depends, Passes, Stops};
    let mut stages = Vec::new();
    let mut stage = |name, effect| stages.push(Stage { name, effect });
    let snapshot = service.registry.snapshot();
    let Some(found) = snapshot.tools.get(tool) else {
        stage("resolve", Stops(AuditOutcome::Unknown));
        stage("audit", Passes);
        return stages;
    };
    stage("resolve", Passes);
    if let Err(denial) = authorize(service, &**found, scope, ErrorObject::internal) {
        stage("authorize", Stops(denial.outcome));
        stage("audit", Passes);
        return stages;
    }
    stage("authorize", Passes);
    let common = crate::registry::Defined::common(&**found);
    let (policy, quotas) = (common.policy, &service.quotas);
    let free = quotas.is_free(RegisteredTool::METHOD, tool) && !service.audit.is_used();
    stage(
        "admit",
        match free {
            true => Passes,
            false => Depends("on how many calls there are".to_owned()),
        },
    );
    stage("validate", Depends("on the arguments".to_owned()));
    stage(
        "approve",
        match policy.confirm {
            None => Passes,
            Some(question) => Depends(format!("on a person: {question}")),
        },
    );
    stage(
        "execute",
        match policy.timeout.or(quotas.timeout) {
            None => Passes,
            Some(limit) => Depends(format!("on being done within {limit:?}")),
        },
    );
    stage("audit", Passes);
    stages
}
