//! What the tests of a server can ask of it.

mod probe;
mod torture;

pub use crate::schema::lint::LintFinding;
pub use torture::{Torture, TortureRow, torture, torture_as};

use crate::codec;
use crate::protocol::Revision;
use crate::registry;
use crate::schema::lint::lint;

/// Everything in the linked tools that a known client or model API refuses.
///
/// One refused tool often takes all tools of a server with it, so this belongs
/// into the tests of every server:
///
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
    let tools = registry::linked_tools();
    let findings = tools.iter().flat_map(|tool| {
        // As the clients see it that refuse the most.
        let tool = codec::tool(tool.to_protocol(), Revision::NEWEST_LEGACY);
        let tool = tool.with_schemas(codec::Schema::into_tree);
        lint(
            &tool.name,
            &tool.input_schema,
            tool.output_schema.as_deref(),
        )
    });
    findings.collect()
}
