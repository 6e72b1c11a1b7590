use std::collections::HashMap;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::connection::Connection;
use crate::auth::Principal;
use crate::context::TransportKind;
use crate::jsonrpc::{Notification, RequestId};
use crate::protocol::Revision;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CancelledParams {
    request_id: RequestId,
}

/// A notification from a client, which [`Server::on_notification`](crate::Server::on_notification)
/// passes to your handler.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ClientNotification {
    /// The method, for example `notifications/roots/list_changed`.
    pub method: String,
    /// The parameters as the client sent them, without validation.
    pub params: Option<Value>,
    /// The authenticated caller.
    pub principal: Option<Arc<Principal>>,
    /// The transport that received the notification.
    pub transport: TransportKind,
    /// The protocol revision of the session, or `None` if the session has no handshake.
    pub revision: Option<Revision>,
}

type NotificationHandler = Box<dyn Fn(ClientNotification) + Send + Sync>;

/// The notification handlers of the user, by method.
#[derive(Default)]
pub(crate) struct NotificationHandlers(HashMap<String, Vec<NotificationHandler>>);

impl NotificationHandlers {
    pub(crate) fn add(&mut self, method: String, handler: NotificationHandler) {
        self.0.entry(method).or_default().push(handler);
    }

    pub(super) fn handles(&self, method: &str) -> bool {
        self.0.contains_key(method)
    }

    /// Calls the handlers of a notification in the order in which they were added.
    fn call(&self, notification: &Notification<'_>, connection: &Connection) {
        let params = notification.params.map(RawValue::get);
        let method = notification.method.as_ref();
        for handler in self.0.get(method).into_iter().flatten() {
            let notification = ClientNotification {
                method: method.to_owned(),
                params: params.and_then(|params| serde_json::from_str(params).ok()),
                principal: connection.shared_principal(),
                transport: connection.session().transport,
                revision: connection.revision(),
            };
            if catch_unwind(AssertUnwindSafe(|| handler(notification))).is_err() {
                tracing::error!(method, "the handler of a notification panicked");
            }
        }
    }
}

impl fmt::Debug for NotificationHandlers {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut methods: Vec<_> = self.0.keys().collect();
        methods.sort_unstable();
        write!(formatter, "NotificationHandlers({methods:?})")
    }
}

/// Handles a notification of the client. Ignores an unknown notification, as JSON-RPC requires.
///
/// The handlers of the user run after the server has handled the notification.
pub(super) fn handle(
    notification: &Notification<'_>,
    connection: &Connection,
    handlers: &NotificationHandlers,
) {
    match notification.method.as_ref() {
        "notifications/cancelled" => cancel(notification, connection),
        "notifications/initialized" => connection.session().set_initialized(),
        method if handlers.handles(method) => {}
        method => tracing::debug!(method, "ignored an unknown notification"),
    }
    handlers.call(notification, connection);
}

/// Cancels the request that a notification names. The request can have any protocol revision,
/// because the notification contains none. Ignores a malformed notification (specification,
/// *Cancellation*, *Error handling*).
fn cancel(notification: &Notification<'_>, connection: &Connection) {
    let params = notification.params.map(RawValue::get);
    let params = params.and_then(|params| serde_json::from_str::<CancelledParams>(params).ok());
    let found = params.is_some_and(|params| connection.in_flight().cancel(&params.request_id));
    tracing::debug!(found, "cancellation");
}
