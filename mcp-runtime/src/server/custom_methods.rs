use std::future::Future;
use std::sync::Arc;

use super::Server;
use crate::dispatch::{ClientNotification, Method, MethodCall, MethodWrapper, NextMethod};
use crate::jsonrpc::ErrorObject;
use crate::protocol::JsonObject;

impl Server {
    /// Adds a custom method, or replaces a method of the protocol.
    ///
    /// The server authorizes each request of this method with the
    /// [`Authorizer`](crate::auth::Authorizer), whose access has the kind `method`, and writes an
    /// audit record. Rate and concurrency limits count the request under the name of the method. If
    /// you replace a method of the protocol, its checks of scopes, arguments and consent no longer
    /// run.
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

    /// Calls `handler` for every notification of `method`, after the server has handled the
    /// notification itself.
    ///
    /// `method` can be a custom method or a protocol method, such as `notifications/initialized`,
    /// `notifications/cancelled` or `notifications/roots/list_changed`.
    ///
    /// A method can have several handlers. The server runs them before it reads the next message,
    /// which keeps the order of messages. Start a task in a handler that takes long. The server
    /// sends no response, even if a handler panics. It authenticates notifications, but it does not
    /// authorize, rate limit, audit or validate them.
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

    /// Wraps a method of the protocol or a custom method in `wrapper`.
    ///
    /// If the server has no method of this name, it logs a warning.
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
