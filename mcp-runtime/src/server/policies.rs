use std::sync::Arc;

use crate::audit::AuditLog;
use crate::auth::AccessControl;
use crate::call::Middleware;
use crate::clock::Clock;
use crate::error::Error;
use crate::limits::Quotas;
use crate::registry::Snapshot;

/// The settings that restrict or record calls.
#[derive(Debug, Default)]
pub(super) struct ServerPolicies {
    pub(super) access_control: AccessControl,
    pub(super) quotas: Quotas,
    pub(super) audit: AuditLog,
    pub(super) middleware: Vec<Arc<dyn Middleware>>,
    pub(super) clock: Clock,
}

impl ServerPolicies {
    /// Returns an error if the timeout is zero, or if a definition requires an authenticated caller
    /// but the server has no authentication.
    pub(super) fn check(&self, snapshot: &Snapshot) -> Result<(), Error> {
        if self.quotas.timeout.is_some_and(|limit| limit.is_zero()) {
            return Err(Error::ZeroTimeout);
        }
        if self.access_control.validator.is_some() || self.access_control.allow_local {
            return Ok(());
        }
        let closed = snapshot
            .definitions()
            .filter(|definition| definition.is_restricted());
        let errors = closed.map(|definition| Error::NoAuthentication {
            kind: definition.kind.as_str(),
            name: definition.name.clone().into_owned(),
            location: definition.location,
        });
        Error::from_list(errors.collect())
    }
}
