//! The `guarded_notes` example: its README, and hostile messages.
//!
//! The `hello` example is here too, for `testing::torture`: an example of another
//! binary has a tool with the same name.

#[cfg(unix)]
mod crash;
#[allow(dead_code, reason = "an example has its own `main`")]
#[path = "../../examples/guarded_notes/main.rs"]
mod example;
#[allow(dead_code, reason = "an example has its own `main`")]
#[path = "../../examples/hello.rs"]
mod hello;
#[cfg(unix)]
mod readme;

use std::io::Write;
use std::process::{Command, Stdio};

use example::{Notes, protect};
use mcp_runtime::audit::JsonLines;
use mcp_runtime::auth::{JwtKeys, Principal};
use mcp_runtime::{Dispatcher, Rate, Server, testing};
use serde_json::json;

fn server(rate: Rate) -> Dispatcher {
    let keys = include_str!("../../examples/guarded_notes/keys.json");
    let audit = std::env::temp_dir().join(format!("mcp-notes-{}.jsonl", std::process::id()));
    let server = protect(
        Server::new("guarded-notes", "1.0.0"),
        JwtKeys::from_json(keys).unwrap(),
        JsonLines::open(&audit).unwrap(),
    );
    // The open file remains usable.
    std::fs::remove_file(audit).unwrap();
    let server = server.unwrap().state(Notes::open(":memory:").unwrap());
    server.rate_limit(rate).build().unwrap()
}

/// Runs the example with this token and input; returns stdout, stderr and success.
fn run_example(token: Option<&str>, lines: &[serde_json::Value]) -> (String, String, bool) {
    let folder = std::env::temp_dir().join(format!("mcp-example-{}", std::process::id()));
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
        // A process that fails to start reads nothing.
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
fn token_variable_identifies_the_local_user() {
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let params = json!({ "name": "add_note", "arguments": { "text": "a" }, "_meta": meta });
    let add = [json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params })];
    let tokens = include_str!("../../examples/guarded_notes/tokens.sh");
    let alice = tokens.lines().find_map(|line| line.strip_prefix("ALICE="));
    let bob = tokens.lines().find_map(|line| line.strip_prefix("BOB="));
    let (output, _, success) = run_example(alice, &add);
    assert!(success && output.contains("alice"), "{output}");
    for (token, code) in [(bob, "-31403"), (None, "-31401")] {
        let (output, _, success) = run_example(token, &add);
        assert!(success && output.contains(code), "{output}");
    }
    let (output, error, success) = run_example(Some("PLANTED"), &add);
    assert!(!success && output.is_empty(), "{output}");
    assert!(
        error.contains("MCP_TOKEN") && !error.contains("PLANTED"),
        "{error}"
    );
}

#[test]
fn guarded_notes_passes_torture() {
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
