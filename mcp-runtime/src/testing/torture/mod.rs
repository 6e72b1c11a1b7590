//! Checks that send invalid and hostile messages to a server.

mod envelopes;
mod handshake;
mod in_flight;
mod lists;
mod methods;
mod tools;

use std::sync::Arc;

use super::raw_client::RawClient;
use super::report::{TortureReport, TortureRow};
use crate::auth::Principal;
use crate::dispatch::Dispatcher;
use crate::protocol::Revision;

/// Sends invalid and hostile messages to a server and reports wrong responses.
///
/// The messages contain invalid JSON and JSON-RPC, misplaced methods and unknown names. For every
/// tool, they also contain typical mistakes of models, such as strings instead of numbers, `null`
/// for optional arguments, and misspelt or missing argument names.
///
/// No handler runs, because each call has an unknown tool or invalid arguments, or is a dry run.
/// The server counts the calls towards rate limits and writes audit records, so build a separate
/// server for the test. The report treats a call that access control denies as correct. If [custom
/// methods](crate::Server::method) of the server need a tokio runtime, call this function inside
/// it.
///
/// # Examples
/// ```standalone_crate
/// use mcp_runtime::{Server, prelude::*, testing::torture};
///
/// /// Adds.
/// #[tool(inline)]
/// fn add(a: i64, b: i64) -> i64 {
///     a + b
/// }
///
/// let report = torture(&Server::new("example", "1.0.0").build()?);
/// assert_eq!(report.problems().count(), 0, "{report}");
/// # Ok::<(), mcp_runtime::Error>(())
/// ```
#[must_use]
pub fn torture(server: &Dispatcher) -> TortureReport {
    run(server, None)
}

/// Runs the same checks as [`torture`](torture()) with an authenticated caller, who may see more
/// tools.
///
/// # Examples
/// ```standalone_crate
/// use mcp_runtime::{Server, auth::Principal, prelude::*, testing::torture_as};
///
/// /// Reads a note.
/// #[tool(inline, scopes("notes:read"))]
/// fn read(number: u8) -> String {
///     number.to_string()
/// }
///
/// let server = Server::new("example", "1.0.0").authenticate(|_: String, _| async { None });
/// let alice = Principal::new("alice").with_scopes(["notes:read"]);
/// let report = torture_as(&server.build()?, alice);
/// assert_eq!(report.problems().count(), 0, "{report}");
/// # Ok::<(), mcp_runtime::Error>(())
/// ```
#[must_use]
pub fn torture_as(server: &Dispatcher, caller: Principal) -> TortureReport {
    run(server, Some(Arc::new(caller)))
}

fn run(server: &Dispatcher, caller: Option<Arc<Principal>>) -> TortureReport {
    let mut rows = handshake::check(server, caller.as_ref());
    for revision in Revision::ALL {
        let mut raw_client = RawClient::connected(server, caller.as_ref(), revision);
        rows.extend(envelopes::check(&mut raw_client));
        rows.extend(methods::check(&mut raw_client));
        rows.extend(in_flight::check(&mut raw_client));
        rows.extend(lists::check(&mut raw_client));
        rows.extend(tools::check(&mut raw_client));
    }
    TortureReport { rows }
}
