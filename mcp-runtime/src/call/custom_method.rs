use tokio::sync::OwnedSemaphorePermit;

use super::ServerContext;
use super::admit::admit;
use super::authorize::Denial;
use super::record::CallRecord;
use crate::audit::AuditOutcome;
use crate::auth::{Access, AccessOutcome};
use crate::context::RequestParts;
use crate::jsonrpc::ErrorObject;
use crate::protocol::JsonObject;

/// A request for a custom method that has passed authorization and admission. It writes one audit
/// record, however the request ends.
#[derive(Debug)]
pub(crate) struct CustomMethodCall {
    record: CallRecord,
    _permit: Option<OwnedSemaphorePermit>,
}

impl CustomMethodCall {
    /// Authorizes and admits a request for the custom method.
    ///
    /// # Errors
    /// Returns the error for the client if the authorizer hides the method or a limit is exceeded.
    pub(crate) fn start(
        server: &ServerContext,
        parts: &RequestParts<'_>,
        method: &'static str,
    ) -> Result<Self, ErrorObject> {
        let record = CallRecord::open(server, parts, method, "");
        let access = Access {
            principal: parts.principal.as_deref(),
            transport: parts.transport,
            kind: "method",
            name: method,
            scopes: &[],
        };
        let permit = match server.access_control.decide(&access, false) {
            AccessOutcome::Hidden(reason) => Err(Denial {
                outcome: AuditOutcome::Denied,
                error: ErrorObject::method_not_found(method),
                detail: reason.into_owned(),
            }),
            _ => admit(server, method, parts, method),
        };
        match permit {
            Ok(permit) => Ok(Self {
                record,
                _permit: permit,
            }),
            Err(denial) => record.finished_request(Err(denial)),
        }
    }

    /// Records the result of the method.
    pub(crate) fn finish(
        self,
        result: Result<JsonObject, ErrorObject>,
    ) -> Result<JsonObject, ErrorObject> {
        let result = result.map_err(|error| Denial {
            outcome: AuditOutcome::Error,
            detail: error.message.to_string(),
            error,
        });
        self.record.finished_request(result)
    }
}
