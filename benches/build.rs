//! Generates tools of three parameters, one file and one group per number of tools.
//!
//! `many` has `BENCH_TOOLS` tools, 200 by default.

use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-env-changed=BENCH_TOOLS");
    let many = env::var("BENCH_TOOLS")
        .ok()
        .and_then(|count| count.parse().ok());
    let folder = env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    for (group, count) in [
        ("few", 2),
        ("many", many.unwrap_or(200)),
        ("thousand", 1000),
    ] {
        let file = Path::new(&folder).join(group).with_extension("rs");
        fs::write(file, tools(group, count)).expect("OUT_DIR is writable");
    }
}

/// Returns the source of the tools that `src/catalogue.rs` describes.
fn tools(group: &str, count: u32) -> String {
    let mut tools = String::new();
    for index in 0..count {
        let _ = write!(
            tools,
            "/// Looks up entry {index} of the catalogue and says what it found.\n\
             #[tool(read_only, group = \"{group}\")]\n\
             pub fn look_up_{index:04}(\n\
             /// What to look for, in plain words.\n\
             query: String,\n\
             /// How many entries to give at most.\n\
             limit: u32,\n\
             /// Whether to look into old entries too.\n\
             archived: Option<bool>,\n\
             ) -> String {{ format!(\"{{query}} {{limit}} {{archived:?}} {index}\") }}\n"
        );
    }
    tools
}
