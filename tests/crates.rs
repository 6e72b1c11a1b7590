//! Tools in several crates, of several editions, under several names.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const LIBRARY: &str = r#"
//! Tools of a library, which calls the runtime by another name.
#![deny(warnings)]

/// Adds.
#[mcp::tool(crate = mcp, inline)]
pub fn add(#[arg(default = 1, range(0..=9))] a: u8, point: Point) -> u8 {
    a + point.x
}

/// A type.
#[mcp::json(crate = mcp)]
pub struct Point {
    /// A field.
    #[arg(range(0..))]
    pub x: u8,
}

/// Has tools.
pub struct Notes;

#[mcp::tools(crate = mcp, prefix = "notes_")]
impl Notes {
    /// Counts.
    #[tool]
    pub fn count(&self, #[arg(clamp(1..=2))] by: u8) -> u8 {
        by
    }
}
"#;

const PROGRAM: &str = r#"
//! Tools of a program.
#![forbid(unsafe_code)]
use library as _;
use mcp_runtime::prelude::*;

/// Adds too.
#[tool(name = "NAME")]
fn plus() {}

fn main() {
    let server = mcp_runtime::server!().state(library::Notes);
    println!("{}", server.build().unwrap().tool_count());
}
"#;

/// A workspace of two crates that stand on this checkout.
struct Workspace(PathBuf);

impl Workspace {
    fn new() -> Self {
        let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("two-crates");
        let write = |path: &str, text: &str| {
            let path = root.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        let runtime = checkout.join("mcp-runtime").canonicalize().unwrap();
        let runtime = format!("path = {runtime:?}, default-features = false");
        write(
            "Cargo.toml",
            "[workspace]\nresolver = \"3\"\nmembers = [\"library\", \"program\"]\n",
        );
        let member = |name: &str, edition: &str, dependencies: &str| {
            let package = format!("name = {name:?}\nversion = \"0.1.0\"\nedition = {edition:?}");
            let text = format!("[package]\n{package}\n\n[dependencies]\n{dependencies}\n");
            write(&format!("{name}/Cargo.toml"), &text);
        };
        let renamed = format!("mcp = {{ package = \"mcp-runtime\", {runtime} }}");
        member("library", "2021", &renamed);
        let plain = format!("mcp-runtime = {{ {runtime} }}\nlibrary = {{ path = \"../library\" }}");
        member("program", "2024", &plain);
        write("library/src/lib.rs", LIBRARY);
        fs::copy(checkout.join("Cargo.lock"), root.join("Cargo.lock")).unwrap();
        Self(root)
    }

    /// Builds and runs the program, whose own tool has that name.
    fn run(&self, name: &str) -> Result<String, String> {
        let text = PROGRAM.replace("NAME", name);
        fs::write(self.0.join("program/src/main.rs"), text).unwrap();
        let output = Command::new(env!("CARGO"))
            .args(["run", "--offline", "--quiet", "-p", "program"])
            .current_dir(&self.0)
            .env("CARGO_TARGET_DIR", self.0.join("target"))
            .output()
            .unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        match output.status.success() {
            true => Ok(text(output.stdout)),
            false => Err(text(output.stderr)),
        }
    }
}

#[test]
fn crates_share_no_name_and_editions_do_not_matter() {
    let workspace = Workspace::new();
    fs::create_dir_all(workspace.0.join("program/src")).unwrap();
    assert_eq!(workspace.run("plus").as_deref(), Ok("3\n"));
    let refused = workspace.run("add").unwrap_err();
    assert!(refused.contains("two_tools_are_named__add"), "{refused}");
}
