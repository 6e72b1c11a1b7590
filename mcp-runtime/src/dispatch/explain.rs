use std::sync::Arc;

use super::{Dispatcher, Peer};
use crate::auth::Principal;
use crate::call::{self, Stage};
use crate::jsonrpc::RequestId;
use crate::protocol::Revision;

impl Dispatcher {
    /// Says which stages a call of `tool` by that caller would pass, without
    /// making it or counting it.
    ///
    /// ```standalone_crate
    /// use mcp_runtime::{Server, StageEffect, prelude::*};
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
        let peer = Peer::new().spoken_by(principal.as_ref());
        let id = RequestId::Number(0);
        let scope = peer.scope(&id, Revision::NEWEST, None, None);
        call::explain(&self.core().service, &scope, tool)
    }
}
