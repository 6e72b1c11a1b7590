//! Writes as many tools of three parameters as `BENCH_TOOLS` says, 200 if it says nothing.

use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-env-changed=BENCH_TOOLS");
    let count = env::var("BENCH_TOOLS")
        .ok()
        .and_then(|count| count.parse().ok());
    let mut tools = String::new();
    for index in 0..count.unwrap_or(200) {
        let _ = write!(
            tools,
            "/// Looks up entry {index} of the catalogue and says what it found.\n\
             #[tool(read_only)]\n\
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
    let folder = env::var("OUT_DIR").expect("cargo says where a build script writes");
    fs::write(Path::new(&folder).join("tools.rs"), tools).expect("that folder can be written");
}
