use std::sync::Arc;

use super::connection::Connection;
use super::dispatcher::Dispatcher;
use crate::auth::Principal;
use crate::call::{self, Stage};
use crate::jsonrpc::RequestId;
use crate::protocol::Revision;

impl Dispatcher {
    /// Returns the pipeline stages of a call of `tool` by `principal`. The dispatcher neither runs
    /// nor counts such a call.
    ///
    /// ```standalone_crate
    /// use mcp_runtime::dispatch::StageEffect;
    /// use mcp_runtime::{Server, prelude::*};
    ///
    /// /// Adds.
    /// #[tool(inline)]
    /// fn add(a: i64, b: i64) -> i64 {
    ///     a + b
    /// }
    ///
    /// let server = Server::new("example", "1.0.0").build()?;
    /// let stages = server.explain("add", None);
    /// assert_eq!(stages[0].name, "resolve");
    /// assert_eq!(stages[0].effect, StageEffect::Passes);
    /// # Ok::<(), mcp_runtime::Error>(())
    /// ```
    #[must_use]
    pub fn explain(&self, tool: &str, principal: Option<&Principal>) -> Vec<Stage> {
        let principal = principal.cloned().map(Arc::new);
        let connection = Connection::new().with_optional_principal(principal.as_ref());
        let id = RequestId::Number(0);
        let parts = connection.request_parts(&id, Revision::NEWEST, None, None);
        call::explain(&self.core().server, &parts, tool)
    }
}
