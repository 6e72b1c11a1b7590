//! The example with guards: what its page says, and what nobody should send it.
//!
//! The smallest example is here too, for the torture: one of another target has a
//! tool of the same name.

#[allow(dead_code, reason = "an example has a `main` of its own")]
#[path = "../examples/guarded_notes/main.rs"]
mod example;
#[allow(dead_code, reason = "an example has a `main` of its own")]
#[path = "../examples/hello.rs"]
mod hello;
#[cfg(unix)]
#[path = "guarded_notes/page.rs"]
mod page;

use example::{Notes, guarded};
use mcp_runtime::audit::JsonLines;
use mcp_runtime::auth::{JwtKeys, Principal};
use mcp_runtime::{Dispatcher, Rate, Server, testing};

fn server(rate: Rate) -> Dispatcher {
    let keys = include_str!("../examples/guarded_notes/keys.json");
    let audit = std::env::temp_dir().join(format!("mcp-notes-{}.jsonl", std::process::id()));
    let server = guarded(
        Server::new("guarded-notes", "1.0.0"),
        JwtKeys::json(keys).unwrap(),
        JsonLines::open(&audit).unwrap(),
    );
    // The file lives on for whoever has it open.
    std::fs::remove_file(audit).unwrap();
    let server = server.unwrap().state(Notes::open(":memory:").unwrap());
    server.rate_limit(rate).build().unwrap()
}

#[test]
fn it_stands_the_torture() {
    let alice = || Principal::new("alice").with_scopes(["notes:read", "notes:write"]);
    let all = server(Rate::per_second(1_000_000));
    for report in [
        testing::torture(&all),
        testing::torture_as(&all, alice()),
        testing::torture_as(&server(Rate::per_hour(30)), alice()),
    ] {
        assert_eq!(report.problems().count(), 0, "{report}");
    }
}
