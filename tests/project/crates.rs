//! Separate user crates, for what cannot be tested within one crate.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};
use support::wire::{Conversation, Revision};

const ADD: &str = r#"
//! One tool.

use mcp_runtime::prelude::*;

/// Adds two whole numbers.
#[tool(KEYS)]
pub fn add(a: i64, b: i64) -> i64 {
    a + b
}
"#;

const TWO: &str = "
//! A server with the tools of two crates.
use {FIRST as _, SECOND as _};
mcp_runtime::main!(|server| server.CHOICE);
";

/// Every macro, with the runtime renamed to `mcp`.
const RENAMED: &str = r#"
//! A server with a renamed dependency on the runtime.
#![deny(warnings, missing_docs)]

use mcp::prelude::*;

/// A point.
#[json(crate = mcp)]
struct Point {
    /// To the right.
    #[arg(range(0..=9))]
    x: u8,
}

/// Which way.
#[json(crate = mcp)]
enum Way {
    /// Up.
    Up,
    /// Down.
    Down { steps: u8 },
}

/// Moves.
#[tool(crate = mcp)]
fn shift(point: Point, #[arg(default = 1)] by: u8, way: Option<Way>) -> Result<u8, ToolError> {
    let steps = match way {
        Some(Way::Down { steps }) => steps,
        Some(Way::Up) | None => 0,
    };
    Ok(point.x + by + steps)
}

struct Notes;

#[tools(crate = mcp, prefix = "note_")]
impl Notes {
    /// Counts.
    #[tool]
    async fn count(&self) -> usize {
        0
    }
}

/// Greets.
#[prompt(crate = mcp)]
fn greeting(name: String) -> String {
    name
}

/// The settings.
#[resource("config://app", crate = mcp)]
fn settings() -> &'static str {
    "none"
}

mcp::main!(|server| server.state(Notes));
"#;

/// A workspace outside of this one, with the same locked versions.
struct Workspace {
    root: PathBuf,
}

impl Workspace {
    fn new(name: &str, members: &[&str]) -> Self {
        let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let lock = Path::new(env!("CARGO_MANIFEST_DIR")).join("../Cargo.lock");
        fs::create_dir_all(&root).unwrap();
        fs::copy(lock, root.join("Cargo.lock")).unwrap();
        let manifest = format!("[workspace]\nresolver = \"2\"\nmembers = {members:?}\n");
        fs::write(root.join("Cargo.toml"), manifest).unwrap();
        Self { root }
    }

    fn write(&self, name: &str, edition: &str, dependencies: &str, file: &str, source: &str) {
        let folder = self.root.join(name);
        fs::create_dir_all(folder.join("src")).unwrap();
        let runtime = Path::new(env!("CARGO_MANIFEST_DIR")).join("../mcp-runtime");
        let dependencies = dependencies.replace("RUNTIME", &runtime.display().to_string());
        let manifest = format!(
            "[package]\nname = \"{name}\"\nversion = \"1.2.3\"\nedition = \"{edition}\"\n\
             [dependencies]\n{dependencies}\n"
        );
        fs::write(folder.join("Cargo.toml"), manifest).unwrap();
        fs::write(folder.join("src").join(file), source.trim_start()).unwrap();
    }

    fn cargo(&self, arguments: &[&str]) -> Command {
        let mut cargo = Command::new(env!("CARGO"));
        // One target directory for all, so that the runtime is built once.
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("crates-target");
        cargo
            .args(arguments)
            .args(["--quiet", "--offline", "--target-dir"])
            .arg(target)
            .current_dir(&self.root)
            // These describe the test, not the user's crate.
            .env_remove("CARGO_PKG_NAME")
            .env_remove("CARGO_BIN_NAME");
        cargo
    }
}

const RUNTIME: &str = "mcp-runtime = { path = \"RUNTIME\", default-features = false }";

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Runs a server with these messages as its input.
fn run_with_input(mut server: Command, messages: &[Value]) -> Output {
    let pipes = server.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = pipes.stderr(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    for message in messages {
        writeln!(input, "{message}").unwrap();
    }
    drop(input);
    child.wait_with_output().unwrap()
}

#[test]
fn duplicate_tool_names_in_two_crates_are_rejected() {
    let servers = ["both", "all_groups", "one_group"];
    let members = ["plain", "plain_too", "grouped"];
    let workspace = Workspace::new("duplicate", &[&members[..], &servers[..]].concat());
    let tool = |keys| ADD.replace("KEYS", keys);
    workspace.write("plain", "2024", RUNTIME, "lib.rs", &tool(""));
    workspace.write("plain_too", "2021", RUNTIME, "lib.rs", &tool("inline"));
    workspace.write(
        "grouped",
        "2024",
        RUNTIME,
        "lib.rs",
        &tool("group = \"sums\""),
    );
    for (server, second, choice) in [
        ("both", "plain_too", "title(\"\")"),
        ("all_groups", "grouped", "title(\"\")"),
        ("one_group", "grouped", "groups([\"products\"])"),
    ] {
        let tools = ["plain", second].map(|name| format!("{name} = {{ path = \"../{name}\" }}"));
        let dependencies = format!("{RUNTIME}\n{}", tools.join("\n"));
        let source = TWO.replace("FIRST", "plain").replace("SECOND", second);
        let source = source.replace("CHOICE", choice);
        workspace.write(server, "2024", &dependencies, "main.rs", &source);
    }
    let run = |server| run_with_input(workspace.cargo(&["run", "-p", server]), &[]);

    let both = run("both");
    assert!(!both.status.success());
    assert!(
        text(&both.stderr).contains("two_tools_are_named__add"),
        "{}",
        text(&both.stderr)
    );
    // Tools of different groups may be served separately, so only startup can detect this.
    let all_groups = run("all_groups");
    assert_eq!(all_groups.status.code(), Some(1));
    assert!(text(&all_groups.stderr).contains("two tools are named `add`"));
    let one_group = run("one_group");
    assert!(one_group.status.success(), "{}", text(&one_group.stderr));
}

#[test]
fn renamed_dependency_works_in_edition_2021() {
    let workspace = Workspace::new("renamed", &["shifter"]);
    let runtime = RUNTIME.replace("mcp-runtime = {", "mcp = { package = \"mcp-runtime\",");
    workspace.write("shifter", "2021", &runtime, "main.rs", RENAMED);
    let info = json!({ "name": "probe", "version": "1" });
    let initialize =
        json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": info });
    let point = json!({ "point": { "x": 4 }, "way": { "Down": { "steps": 2 } } });
    let messages = [
        json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": initialize }),
        json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }),
        json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call",
            "params": { "name": "shift", "arguments": point } }),
    ];
    let mut conversation = Conversation::new(Revision::V2025_06_18);
    messages
        .iter()
        .for_each(|message| conversation.sent_by_client(message));
    let output = run_with_input(workspace.cargo(&["run"]), &messages);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let lines = text(&output.stdout);
    let responses: Vec<Value> = lines
        .lines()
        .map(|line| conversation.sent_by_server_text(line).unwrap())
        .collect();
    assert_eq!(responses[0]["result"]["serverInfo"]["name"], "shifter");
    assert_eq!(
        responses[1]["result"]["structuredContent"],
        json!({ "result": 7 })
    );
}
