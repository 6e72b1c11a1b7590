//! What a request costs over HTTP with 16 connections, beside a bare hyper service.
//!
//! `cargo build --release -p benches && target/release/http`

use std::io;

use drive::{Column, HTTP};

fn main() -> io::Result<()> {
    let mut folder = std::env::current_exe()?;
    folder.pop();
    let columns = [Column::floor, Column::inline, Column::plain].map(|column| column(&folder));
    println!("{}", drive::measure(&columns, HTTP)?);
    Ok(())
}
