use mcp_runtime::Server;
use mcp_runtime::prelude::*;
use serde_json::json;
use support::wire::Revision;

use support::dispatcher_client::DispatcherClient;

struct Counter {
    start: i64,
}

#[tools(prefix = "counter_", group = "counting", scopes("count"))]
impl Counter {
    const STEP: i64 = 2;

    /// Adds to the counter.
    #[tool(read_only, inline)]
    fn on(
        &self,
        /// How much to add.
        #[arg(default = Self::STEP, range(1..=Self::STEP))]
        by: i64,
    ) -> i64 {
        self.help() + by
    }

    /// Adds asynchronously.
    #[tool(name = "later")]
    async fn on_later(&self, ctx: &Context, from: Place) -> Result<Place, ToolError> {
        let _ = ctx.request_id();
        Ok(Place(from.0 + self.help()))
    }

    /// Has no receiver.
    #[tool(inline)]
    fn constant() -> i64 {
        Self::STEP
    }

    fn help(&self) -> i64 {
        self.start
    }

    /// Is compiled out.
    #[cfg(any())]
    #[tool]
    fn absent(&self, missing: Missing) {}
}

/// A place.
#[json]
struct Place(i64);

#[test]
fn methods_are_tools_with_a_shared_prefix() {
    for revision in Revision::ALL {
        let server = Server::new("tests", "1").state(Counter { start: 40 });
        let mut client = DispatcherClient::connect(server, revision);
        let check = |client: &mut DispatcherClient, name: &str, arguments, expected: &str| {
            assert_eq!(client.call_text(name, arguments), expected, "{name}");
        };
        check(&mut client, "counter_on", json!({}), "42");
        check(&mut client, "counter_on", json!({ "by": 1 }), "41");
        check(&mut client, "counter_later", json!({ "from": 1 }), "41");
        check(&mut client, "counter_constant", json!({}), "2");
        let answer = client.call("counter_on", json!({ "by": 3 }));
        assert_eq!(answer["result"]["isError"], true);
    }
}

#[test]
fn method_tool_without_its_state_fails_startup() {
    let error = Server::new("tests", "1").build().unwrap_err().to_string();
    assert!(
        error.contains("Counter") && error.contains("counter_on"),
        "{error}"
    );
}
