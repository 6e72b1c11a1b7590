//! Measures requests over standard input and output, compared with the floor.
//!
//! `cargo build --release -p benches && target/release/stdio`

use std::io;

use drive::{CALLS, LISTS, STARTS, ServerVariant};

fn main() -> io::Result<()> {
    let mut folder = std::env::current_exe()?;
    folder.pop();
    let servers = [
        ServerVariant::floor,
        ServerVariant::inline,
        ServerVariant::plain,
    ]
    .map(|server| server(&folder));
    let benchmarks = CALLS.into_iter().chain(LISTS).chain(STARTS);
    println!("{}", drive::measure(&servers, benchmarks)?);
    Ok(())
}
