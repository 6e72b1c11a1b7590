use std::sync::{Arc, OnceLock};

use crate::audit::{AuditDecision, AuditOutcome};

/// The outcome that a stage around the handler sets for the call. It takes precedence over the
/// outcome of the handler.
#[derive(Clone, Debug, Default)]
pub(super) struct CallOutcome(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    outcome: OnceLock<AuditOutcome>,
    /// The decision of the user, if the user has to confirm the call.
    decision: OnceLock<AuditDecision>,
}

impl CallOutcome {
    /// Sets the outcome, unless it is already set.
    pub(super) fn set(&self, outcome: AuditOutcome) {
        self.0.outcome.get_or_init(|| outcome);
    }

    /// Sets the decision of the user, unless it is already set.
    pub(super) fn set_decision(&self, decision: AuditDecision) {
        self.0.decision.get_or_init(|| decision);
    }

    pub(super) fn get(&self) -> Option<AuditOutcome> {
        self.0.outcome.get().copied()
    }

    pub(super) fn decision(&self) -> Option<AuditDecision> {
        self.0.decision.get().copied()
    }
}
