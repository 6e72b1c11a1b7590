//! What a request costs servers of several projects, in one run.
//!
//! Takes the folder with our own servers as its argument, `../../target/release`
//! if there is none; both are built with `--release` before.

use std::io;
use std::path::PathBuf;

use drive::{CALLS, Column, HTTP, LISTS, STARTS};

fn main() -> io::Result<()> {
    let given = std::env::args_os().nth(1).map(PathBuf::from);
    let ours = given.unwrap_or_else(|| PathBuf::from("../../target/release"));
    let mut peers = std::env::current_exe()?;
    peers.pop();
    let columns = [
        Column::floor(&ours),
        Column::inline(&ours),
        Column::plain(&ours),
        Column::peer("rmcp 3.11", peers.join("peer-rmcp")),
        Column::peer("tower-mcp 0.25", peers.join("peer-tower-mcp")),
    ];
    let works = CALLS.into_iter().chain(LISTS).chain(HTTP).chain(STARTS);
    println!("{}", drive::measure(&columns, works)?);
    Ok(())
}
