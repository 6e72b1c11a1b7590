//! The example with guards: what its page says, and what nobody should send it.
//!
//! The smallest example is here too, for the torture: one of another target has a
//! tool of the same name.

#[cfg(unix)]
#[path = "guarded_notes/crash.rs"]
mod crash;
#[allow(dead_code, reason = "an example has a `main` of its own")]
#[path = "../examples/guarded_notes/main.rs"]
mod example;
#[allow(dead_code, reason = "an example has a `main` of its own")]
#[path = "../examples/hello.rs"]
mod hello;
#[cfg(unix)]
#[path = "guarded_notes/page.rs"]
mod page;

use std::io::Write;
use std::process::{Command, Stdio};

use example::{Notes, guarded};
use mcp_runtime::audit::JsonLines;
use mcp_runtime::auth::{JwtKeys, Principal};
use mcp_runtime::{Dispatcher, Rate, Server, testing};
use serde_json::json;

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

/// What the process says to these lines, and whether it ended well.
fn spoken(token: Option<&str>, lines: &[serde_json::Value]) -> (String, String, bool) {
    let folder = std::env::temp_dir().join(format!("mcp-spoken-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let keys = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../examples/guarded_notes/keys.json"
    );
    let mut command = Command::new(env!("CARGO_BIN_EXE_guarded-notes"));
    command
        .env("KEYS", keys)
        .env_remove("MCP_TOKEN")
        .current_dir(&folder);
    command.envs(token.map(|token| ("MCP_TOKEN", token)));
    let pipes = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = pipes.spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    for line in lines {
        // A process that did not start reads nothing.
        let _ = writeln!(input, "{line}");
    }
    drop(input);
    let output = child.wait_with_output().unwrap();
    let _ = std::fs::remove_dir_all(folder);
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (
        text(output.stdout),
        text(output.stderr),
        output.status.success(),
    )
}

#[test]
fn the_local_user_is_who_the_token_names() {
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let params = json!({ "name": "add_note", "arguments": { "text": "a" }, "_meta": meta });
    let add = [json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params })];
    let tokens = include_str!("../examples/guarded_notes/tokens.sh");
    let alice = tokens.lines().find_map(|line| line.strip_prefix("ALICE="));
    let bob = tokens.lines().find_map(|line| line.strip_prefix("BOB="));
    let (said, _, good) = spoken(alice, &add);
    assert!(good && said.contains("alice"), "{said}");
    for (token, code) in [(bob, "-31403"), (None, "-31401")] {
        let (said, _, good) = spoken(token, &add);
        assert!(good && said.contains(code), "{said}");
    }
    let (said, error, good) = spoken(Some("PLANTED"), &add);
    assert!(!good && said.is_empty(), "{said}");
    assert!(
        error.contains("MCP_TOKEN") && !error.contains("PLANTED"),
        "{error}"
    );
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
