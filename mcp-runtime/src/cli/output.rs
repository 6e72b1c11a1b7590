use std::io::{self, Write};

/// Prints a line to standard output. Ignores a closed pipe.
pub(super) fn print(line: &str) {
    let _ = writeln!(io::stdout().lock(), "{line}");
}
