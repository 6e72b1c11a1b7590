use serde::Deserialize;
use serde_json::value::RawValue;

use super::connection::Connection;
use crate::jsonrpc::{Notification, RequestId};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CancelledParams {
    request_id: RequestId,
}

/// Handles a notification of the client; unknown ones are ignored, as JSON-RPC requires.
pub(super) fn handle(notification: &Notification<'_>, connection: &Connection) {
    match notification.method.as_ref() {
        "notifications/cancelled" => cancel(notification, connection),
        "notifications/initialized" => connection.session().set_initialized(),
        method => tracing::debug!(method, "ignored an unknown notification"),
    }
}

/// Cancels the request with the id, in whatever revision it was sent: the notification
/// names none. A malformed notification is ignored (specification, *Cancellation*,
/// *Error handling*).
fn cancel(notification: &Notification<'_>, connection: &Connection) {
    let params = notification.params.map(RawValue::get);
    let params = params.and_then(|params| serde_json::from_str::<CancelledParams>(params).ok());
    let found = params.is_some_and(|params| connection.in_flight().cancel(&params.request_id));
    tracing::debug!(found, "cancellation");
}
