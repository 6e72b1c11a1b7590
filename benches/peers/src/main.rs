//! Measures the servers of several projects in one run.
//!
//! The argument is the folder with our own servers, `../../target/release` by default.
//! Build both workspaces with `--release` first.

use std::io;
use std::path::PathBuf;

use drive::{CALLS, ServerVariant, HTTP, LISTS, STARTS};

fn main() -> io::Result<()> {
    let folder = std::env::args_os().nth(1).map(PathBuf::from);
    let ours = folder.unwrap_or_else(|| PathBuf::from("../../target/release"));
    let mut peers = std::env::current_exe()?;
    peers.pop();
    let servers = [
        ServerVariant::floor(&ours),
        ServerVariant::inline(&ours),
        ServerVariant::plain(&ours),
        ServerVariant::peer("rmcp 3.11", peers.join("peer-rmcp")),
        ServerVariant::peer("tower-mcp 0.25", peers.join("peer-tower-mcp")),
    ];
    let benchmarks = CALLS.into_iter().chain(LISTS).chain(HTTP).chain(STARTS);
    println!("{}", drive::measure(&servers, benchmarks)?);
    Ok(())
}
