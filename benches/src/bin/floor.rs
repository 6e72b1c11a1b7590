//! The floor as a server with one blocking loop: `floor add`, `floor echo` or
//! `floor list 2`.

use std::io::{self, BufRead, BufReader, Write};

use drive::{Catalogue, floor};

fn main() -> io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let workload = arguments.next().unwrap_or_default();
    let tools = arguments.next().and_then(|count| count.parse().ok());
    let list = Catalogue::new(tools.unwrap_or(0));
    let mut input = BufReader::with_capacity(64 * 1024, io::stdin().lock());
    let mut output = io::stdout().lock();
    let (mut line, mut out) = (Vec::new(), Vec::new());
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        match workload.as_str() {
            "add" => floor::add(&line, &mut out)?,
            "echo" => floor::echo(&line, &mut out)?,
            _ => floor::list(&line, &mut out, &list)?,
        }
        if input.buffer().is_empty() {
            output.write_all(&out)?;
            output.flush()?;
            out.clear();
        }
    }
}
