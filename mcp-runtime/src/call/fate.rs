use std::sync::{Arc, OnceLock};

use crate::audit::{AuditDecision, AuditOutcome};

/// Where something around a body says how the call ends, whatever it returns.
#[derive(Clone, Debug, Default)]
pub(super) struct Fate(Arc<Known>);

#[derive(Debug, Default)]
struct Known {
    outcome: OnceLock<AuditOutcome>,
    /// Who let a body run that a person has to agree to.
    consent: OnceLock<AuditDecision>,
}

impl Fate {
    /// How the call ends; what is said first counts.
    pub(super) fn is(&self, outcome: AuditOutcome) {
        self.0.outcome.get_or_init(|| outcome);
    }

    /// Who let the body run; what is said first counts.
    pub(super) fn decided(&self, decision: AuditDecision) {
        self.0.consent.get_or_init(|| decision);
    }

    pub(super) fn outcome(&self) -> Option<AuditOutcome> {
        self.0.outcome.get().copied()
    }

    pub(super) fn decision(&self) -> Option<AuditDecision> {
        self.0.consent.get().copied()
    }
}
