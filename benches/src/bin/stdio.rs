//! What a request costs over standard input and output, beside the floor.
//!
//! `cargo build --release -p benches && target/release/stdio`

use std::io;

use drive::{CALLS, Column, LISTS, STARTS};

fn main() -> io::Result<()> {
    let mut folder = std::env::current_exe()?;
    folder.pop();
    let columns = [Column::floor, Column::inline, Column::plain].map(|column| column(&folder));
    let works = CALLS.into_iter().chain(LISTS).chain(STARTS);
    println!("{}", drive::measure(&columns, works)?);
    Ok(())
}
