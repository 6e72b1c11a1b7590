use std::future::Future;
use std::sync::Arc;

use super::Server;
use crate::dispatch::{ClientNotification, Method, MethodCall, MethodWrapper, NextMethod};
use crate::jsonrpc::ErrorObject;
use crate::protocol::JsonObject;

impl Server {
    /// Adds a method of your own, or replaces a method of the protocol.
    ///
    /// A request for it is authorized by the [`Authorizer`](crate::auth::Authorizer) with the
    /// kind `method`, counts towards the rate and concurrency limits under the name of the
    /// method, and is audited. A method that replaces one of the protocol replaces its checks
    /// of scopes, arguments and consent as well.
    ///
    /// ```
    /// use mcp_runtime::dispatch::MethodCall;
    /// use mcp_runtime::Server;
    /// use serde_json::{Map, json};
    ///
    /// let server = Server::new("example", "1.0.0").method("example/echo", |call: MethodCall| async move {
    ///     Ok(Map::from_iter([("params".to_owned(), json!(call.params))]))
    /// });
    /// ```
    #[must_use]
    pub fn method(mut self, name: impl Into<String>, method: impl Method) -> Self {
        self.methods.insert(name.into(), Arc::new(method));
        self
    }

    /// Calls `handler` for every notification of `method`: one of your own, or one of the
    /// protocol such as `notifications/initialized`, `notifications/cancelled` and
    /// `notifications/roots/list_changed`, after the server itself has handled it.
    ///
    /// A method can have several handlers. They run while the message is read, so that the
    /// order of messages is kept; a handler that takes long should start a task. Nothing is
    /// sent to the client, also if a handler panics. Notifications pass authentication, but
    /// neither authorization, rate limits nor the audit log, and their parameters are not
    /// validated.
    ///
    /// ```
    /// use mcp_runtime::Server;
    /// use mcp_runtime::dispatch::ClientNotification;
    ///
    /// let server = Server::new("example", "1.0.0")
    ///     .on_notification("notifications/roots/list_changed", |notification: ClientNotification| {
    ///         println!("the roots of {:?} changed", notification.principal);
    ///     });
    /// ```
    #[must_use]
    pub fn on_notification(
        mut self,
        method: impl Into<String>,
        handler: impl Fn(ClientNotification) + Send + Sync + 'static,
    ) -> Self {
        self.notifications.add(method.into(), Box::new(handler));
        self
    }

    /// Wraps a method of the protocol, or one of your own.
    ///
    /// An unknown method name is ignored, with a warning in the log.
    ///
    /// ```
    /// use mcp_runtime::dispatch::{MethodCall, NextMethod};
    /// use mcp_runtime::Server;
    ///
    /// let server = Server::new("example", "1.0.0")
    ///     .wrap_method("tools/list", |call: MethodCall, next: NextMethod| async move {
    ///         println!("{} lists the tools", call.context.request_id());
    ///         next.run(call).await
    ///     });
    /// ```
    #[must_use]
    pub fn wrap_method<F, A>(mut self, name: &str, wrapper: F) -> Self
    where
        F: Fn(MethodCall, NextMethod) -> A + Send + Sync + 'static,
        A: Future<Output = Result<JsonObject, ErrorObject>> + Send + 'static,
    {
        let wrapper: MethodWrapper = Arc::new(move |call, next| Box::pin(wrapper(call, next)));
        if !self.methods.wrap(name, wrapper) {
            tracing::warn!("there is no method `{name}` to wrap");
        }
        self
    }
}
