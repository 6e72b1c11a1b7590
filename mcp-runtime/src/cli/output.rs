use std::io::{self, Write};

/// Prints a line, ignoring a closed pipe.
pub(super) fn print(line: &str) {
    let _ = writeln!(io::stdout().lock(), "{line}");
}
