//! Measures requests over HTTP with 16 connections, compared with a bare hyper service.
//!
//! `cargo build --release -p benches && target/release/http`

use std::io;

use drive::{HTTP, ServerVariant};

fn main() -> io::Result<()> {
    let mut folder = std::env::current_exe()?;
    folder.pop();
    let servers = [
        ServerVariant::floor,
        ServerVariant::inline,
        ServerVariant::plain,
    ]
    .map(|server| server(&folder));
    println!("{}", drive::measure(&servers, HTTP)?);
    Ok(())
}
