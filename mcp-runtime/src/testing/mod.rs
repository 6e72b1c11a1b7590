//! Checks that you call in the tests of a server.

mod raw_client;
mod report;
mod torture;

pub use crate::schema::lint::LintFinding;
pub use report::{TortureReport, TortureRow};
pub use torture::{torture, torture_as};

use crate::codec;
use crate::protocol::Revision;
use crate::registry::{self, RegisteredTool};
use crate::schema::lint::lint;

/// Returns the parts of the schemas of static tools that a known client or model API rejects.
///
/// Some clients reject all tools of a server if they reject the schema of one tool. Every server
/// should therefore have this test.
///
/// # Examples
/// ```standalone_crate
/// use mcp_runtime::prelude::*;
///
/// /// Adds.
/// #[tool]
/// fn add(a: i64, b: Option<i64>) -> i64 {
///     a + b.unwrap_or_default()
/// }
///
/// assert_eq!(mcp_runtime::testing::lint_schemas(), []);
/// ```
#[must_use]
pub fn lint_schemas() -> Vec<LintFinding> {
    lint_tools(registry::static_tools().iter())
}

/// Returns the lint findings for the schemas of registered tools.
pub(crate) fn lint_tools<'a>(tools: impl Iterator<Item = &'a RegisteredTool>) -> Vec<LintFinding> {
    let findings = tools.flat_map(|tool| {
        // Lint the schema of the newest legacy revision, which the strictest clients use.
        let tool = codec::convert_tool(tool.to_protocol(), Revision::NEWEST_LEGACY);
        let tool = tool.with_schemas(codec::Schema::into_tree);
        lint(
            &tool.name,
            tool.description.as_deref(),
            &tool.input_schema,
            tool.output_schema.as_deref(),
        )
    });
    findings.collect()
}
