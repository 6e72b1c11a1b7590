//! Checks the layers of ARCHITECTURE.md against the source.

use std::fs;
use std::path::{Path, PathBuf};

use crate::import_graph::{cycles, import_graph};

/// From the bottom up; a module may use its own layer and lower ones.
const LAYERS: [&[&str]; 15] = [
    &["clock", "text", "uri_template"],
    &["jsonrpc", "error"],
    &["protocol"],
    &["codec", "schema", "seal"],
    &["argument", "output", "context", "auth"],
    &["handler", "audit", "limits"],
    &["client_log", "task"],
    &["registry"],
    &["call"],
    &["dispatch"],
    &["testing"],
    &["transport"],
    &["client"],
    &["server"],
    &["cli", "entry", "__private", "prelude", "lib"],
];

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../mcp-runtime/src")
}

/// Every source file of the runtime, with its top-level module and its text.
fn files() -> Vec<(String, String)> {
    let mut files = Vec::new();
    let mut folders = vec![source()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let below = path.strip_prefix(source()).unwrap();
                let module = below
                    .components()
                    .next()
                    .unwrap()
                    .as_os_str()
                    .to_str()
                    .unwrap();
                let module = module.trim_end_matches(".rs").to_owned();
                files.push((module, fs::read_to_string(&path).unwrap()));
            }
        }
    }
    files
}

fn layer(module: &str) -> Option<usize> {
    LAYERS.iter().position(|layer| layer.contains(&module))
}

/// The lines of a file without comment lines.
fn code(text: &str) -> impl Iterator<Item = &str> {
    text.lines()
        .filter(|line| !line.trim_start().starts_with("//"))
}

#[test]
fn modules_use_only_lower_layers() {
    let mut wrong = Vec::new();
    for (module, text) in files() {
        let own = layer(&module).unwrap_or_else(|| panic!("{module} is in no layer"));
        for line in code(&text) {
            for used in line.split("crate::").skip(1) {
                let end = used.find(|letter: char| letter != '_' && !letter.is_alphanumeric());
                let used = &used[..end.unwrap_or(used.len())];
                if layer(used).is_some_and(|layer| layer > own) {
                    wrong.push(format!("{module} uses {used}: {}", line.trim()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn dependencies_are_used_in_designated_modules() {
    let check = |name: &str, allowed: &[&str]| {
        for (module, text) in files() {
            let used = code(&text).any(|line| line.contains(&format!("{name}::")));
            assert!(
                !used || allowed.contains(&module.as_str()),
                "{module} uses {name}"
            );
        }
    };
    check("inventory", &["registry", "__private"]);
    check("schemars", &["schema", "argument", "output"]);
    check("clap", &["cli"]);
    check("rustix", &["transport"]);
    check("rusqlite", &["task"]);
    let async_free = [
        "jsonrpc", "protocol", "codec", "schema", "argument", "output", "registry",
    ];
    for (module, text) in files() {
        let uses = code(&text).any(|line| line.contains("tokio::"));
        assert!(
            !(uses && async_free.contains(&module.as_str())),
            "{module} uses tokio"
        );
    }
}

#[test]
fn files_use_each_other_in_one_direction() {
    let cycles = cycles(&import_graph(&source()));
    assert!(cycles.is_empty(), "{cycles:#?}");
}
