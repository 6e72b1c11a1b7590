//! What a request costs over standard input and output, beside the floor.
//!
//! `cargo build --release -p benches && target/release/stdio`

use std::io;
use std::path::Path;
use std::time::Duration;

use drive::{Load, Row, Server, Table};
use serde_json::Value;

const MANY: Load = Load {
    requests: 192_000,
    at_once: 64,
};
const ONE_BY_ONE: Load = Load {
    requests: 24_000,
    at_once: 1,
};
const LARGE: Load = Load {
    requests: 6_400,
    at_once: 64,
};

/// A server, what it is asked, and how often.
type Asked<'a> = Option<(&'a Server, Value, Load)>;

fn main() -> io::Result<()> {
    let mut folder = std::env::current_exe()?;
    folder.pop();
    let table = Table {
        columns: vec!["floor", "inline", "plain `fn`"],
        rows: requests(&folder)?
            .into_iter()
            .chain(starts(&folder)?)
            .collect(),
    };
    println!("{table}");
    Ok(())
}

fn requests(folder: &Path) -> io::Result<Vec<Row>> {
    let ours = &Server::new(folder.join("ours"));
    let few = &Server::new(folder.join("few"));
    let several = &Server::new(folder.join("many"));
    let [add, echo, list] =
        ["add", "echo", "list"].map(|work| Server::floor(folder.join("floor"), work));
    let adds = |load| -> [Asked<'_>; 3] {
        [
            Some((&add, drive::add("add"), load)),
            Some((ours, drive::add("add"), load)),
            Some((ours, drive::add("add_blocking"), load)),
        ]
    };
    let alike = |floor, ours, request: Value, load| -> [Asked<'_>; 3] {
        [
            Some((floor, request.clone(), load)),
            Some((ours, request, load)),
            None,
        ]
    };
    let rows = [
        ("`add`, 64 in flight", adds(MANY)),
        ("`add`, one at a time", adds(ONE_BY_ONE)),
        ("`echo` of 15 KB", alike(&echo, ours, drive::echo(), LARGE)),
        (
            "`tools/list`, 2 tools",
            alike(&list, few, drive::tools_list(), MANY),
        ),
        (
            "`tools/list`, 200 tools",
            [None, Some((several, drive::tools_list(), LARGE)), None],
        ),
    ];
    let measured = rows.map(|(work, asked)| {
        let cost =
            |(server, request, load): (&Server, Value, Load)| best(|| server.cost(&request, load));
        let costs = asked.map(|asked| asked.map(cost).transpose());
        let costs = costs.into_iter().collect::<io::Result<_>>()?;
        Ok(Row { work, costs })
    });
    measured.into_iter().collect()
}

fn starts(folder: &Path) -> io::Result<[Row; 2]> {
    let start = |server: Server| best(|| server.start_to_list()).map(Some);
    let floor = start(Server::floor(folder.join("floor"), "list"))?;
    let few = start(Server::new(folder.join("few")))?;
    let many = start(Server::new(folder.join("many")))?;
    let row = |work, ours| Row {
        work,
        costs: vec![floor, ours, None],
    };
    Ok([
        row("start to `tools/list`, 2 tools", few),
        row("start to `tools/list`, 200 tools", many),
    ])
}

/// The least of several: whatever else runs can only add.
fn best(measure: impl Fn() -> io::Result<Duration>) -> io::Result<Duration> {
    let mut least = measure()?;
    for _ in 1..5 {
        least = least.min(measure()?);
    }
    Ok(least)
}
