//! Tools that print more than a pipe holds, and large results.

use std::process::Command;

use mcp_runtime::prelude::*;

/// Prints lines to standard error and to standard output.
#[tool]
fn print_lines(lines: u32) -> String {
    for line in 0..lines {
        eprintln!("error line {line:080}");
        println!("output line {line:080}");
    }
    "printed".to_owned()
}

/// Prints while it holds the lock of standard error.
#[tool]
fn print_locked(bytes: usize) -> std::io::Result<String> {
    use std::io::Write;
    let mut stderr = std::io::stderr().lock();
    stderr.write_all(&vec![b'x'; bytes])?;
    Ok("printed".to_owned())
}

/// Prints in a child process.
#[tool]
fn print_in_child(bytes: usize) -> std::io::Result<String> {
    let script = format!("head -c {bytes} /dev/zero | tr '\\0' x >&2");
    Command::new("sh").args(["-c", &script]).status()?;
    Ok("printed".to_owned())
}

/// Prints from async code.
#[tool]
async fn print_later(bytes: usize) -> String {
    tokio::task::yield_now().await;
    eprint!("{}", "x".repeat(bytes));
    "printed".to_owned()
}

/// Returns a long text.
#[tool]
async fn long_text(bytes: usize) -> String {
    tokio::task::yield_now().await;
    "x".repeat(bytes)
}
