use mcp_runtime::Server;
use mcp_runtime::prelude::*;
use serde_json::json;

use crate::talk::{ALL, Talk};

struct Counter {
    start: i64,
}

#[tools(prefix = "counter_", group = "counting", scopes("count"))]
impl Counter {
    const STEP: i64 = 2;

    /// Counts on.
    #[tool(read_only, inline)]
    fn on(
        &self,
        /// So far.
        #[arg(default = Self::STEP, range(1..=Self::STEP))]
        by: i64,
    ) -> i64 {
        self.help() + by
    }

    /// Counts later.
    #[tool(name = "later")]
    async fn on_later(&self, ctx: &Context, from: Place) -> Result<Place, ToolError> {
        let _ = ctx.request_id();
        Ok(Place(from.0 + self.help()))
    }

    /// Knows nothing of a counter.
    #[tool(inline)]
    fn constant() -> i64 {
        Self::STEP
    }

    fn help(&self) -> i64 {
        self.start
    }

    /// Is not there.
    #[cfg(any())]
    #[tool]
    fn absent(&self, missing: Missing) {}
}

/// A place.
#[json]
struct Place(i64);

#[test]
fn methods_are_tools_with_a_shared_prefix() {
    for revision in ALL {
        let server = Server::new("tests", "1").state(Counter { start: 40 });
        let mut talk = Talk::with(server, revision);
        let check = |talk: &mut Talk, name: &str, arguments, expected: &str| {
            assert_eq!(talk.text_of_call(name, arguments), expected, "{name}");
        };
        check(&mut talk, "counter_on", json!({}), "42");
        check(&mut talk, "counter_on", json!({ "by": 1 }), "41");
        check(&mut talk, "counter_later", json!({ "from": 1 }), "41");
        check(&mut talk, "counter_constant", json!({}), "2");
        let answer = talk.call("counter_on", json!({ "by": 3 }));
        assert_eq!(answer["result"]["isError"], true);
    }
}

#[test]
fn a_method_needs_its_value_at_the_start() {
    let error = Server::new("tests", "1").build().unwrap_err().to_string();
    assert!(
        error.contains("Counter") && error.contains("counter_on"),
        "{error}"
    );
}
