use serde::Deserialize;
use serde_json::value::RawValue;

use super::Peer;
use crate::jsonrpc::{Notification, RequestId};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Cancelled {
    request_id: RequestId,
}

/// Takes a notification; those that mean nothing here are ignored, as JSON-RPC wants.
///
/// `notifications/cancelled` says no revision, so it is routed by the id alone
/// to whichever call has it. A malformed one is ignored
/// (specification, *Cancellation*, *Error handling*).
pub(super) fn notified(notification: &Notification<'_>, peer: &Peer) {
    match notification.method.as_ref() {
        "notifications/cancelled" => cancelled(notification, peer),
        "notifications/initialized" => peer.initialized(),
        method => tracing::debug!(method, "notification"),
    }
}

/// Routed by the id alone.
fn cancelled(notification: &Notification<'_>, peer: &Peer) {
    let params = notification.params.map(RawValue::get);
    let parsed = params.and_then(|params| serde_json::from_str::<Cancelled>(params).ok());
    let found = parsed.is_some_and(|cancelled| peer.in_flight().cancel(&cancelled.request_id));
    tracing::debug!(found, "cancellation");
}
