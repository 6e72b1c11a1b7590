//! Questions to a server that clients ask by mistake, and attackers on purpose.
//!
//! A file is a kind of question; a question is a row of the report.

mod envelopes;
mod flight;
mod handshake;
mod lists;
mod methods;
mod tools;

use std::fmt;
use std::sync::Arc;

use super::probe::Probe;
use crate::auth::Principal;
use crate::dispatch::Dispatcher;
use crate::protocol::Revision;

/// What a server answered to hostile and odd messages, row by row.
#[derive(Clone, Debug)]
pub struct Torture {
    /// One a question, in a fixed order.
    pub rows: Vec<TortureRow>,
}

/// One question.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TortureRow {
    /// What was asked, and of which revision or tool.
    pub question: String,
    /// What came, shortened; empty for silence.
    pub answer: String,
    /// What should have come instead; `None` if it is good.
    pub problem: Option<String>,
}

impl Torture {
    /// The rows that are not as they should be.
    pub fn problems(&self) -> impl Iterator<Item = &TortureRow> {
        self.rows.iter().filter(|row| row.problem.is_some())
    }
}

/// Asks a server what clients get wrong, and what attackers try.
///
/// Broken JSON and broken messages, methods out of place, names that do not
/// exist, and for every tool the arguments that models really send: texts for
/// numbers, `null` for what is optional, misspelt and missing names.
///
/// No body runs: a call names a tool that does not exist, brings arguments that
/// its schema refuses, or is a dry run. All of them count for rate limits and are
/// written down, so ask a server that is made for the test; rows that a gate
/// refuses are good. Must be called inside a tokio runtime if methods of the
/// server's own use one.
///
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
pub fn torture(server: &Dispatcher) -> Torture {
    tortured(server, None)
}

/// As [`torture`], in the name of a caller, who sees more than nobody does.
///
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
pub fn torture_as(server: &Dispatcher, caller: Principal) -> Torture {
    tortured(server, Some(Arc::new(caller)))
}

fn tortured(server: &Dispatcher, caller: Option<Arc<Principal>>) -> Torture {
    let mut rows = handshake::ask(server, caller.as_ref());
    for revision in Revision::ALL {
        let mut probe = Probe::ready(server, caller.as_ref(), revision);
        rows.extend(envelopes::ask(&mut probe));
        rows.extend(methods::ask(&mut probe));
        rows.extend(flight::ask(&mut probe));
        rows.extend(lists::ask(&mut probe));
        rows.extend(tools::ask(&mut probe));
    }
    Torture { rows }
}

impl fmt::Display for Torture {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in &self.rows {
            row.fmt(formatter)?;
            writeln!(formatter)?;
        }
        Ok(())
    }
}

impl fmt::Display for TortureRow {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            question, answer, ..
        } = self;
        match &self.problem {
            None => write!(formatter, "good  {question}"),
            Some(problem) => write!(formatter, "BAD   {question}: {problem}, got {answer}"),
        }
    }
}
