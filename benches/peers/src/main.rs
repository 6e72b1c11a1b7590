//! What a request costs servers of several projects, in one run.
//!
//! Takes the folder with our own servers as its argument, `../../target/release`
//! if there is none; both are built with `--release` before.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use drive::{Load, Row, Server, Table};
use serde_json::Value;

const COLUMNS: [&str; 5] = [
    "floor",
    "ours, inline",
    "ours, plain `fn`",
    "rmcp",
    "tower-mcp",
];

/// What is asked for, of which kind it is, the request, and how often.
type Work = (&'static str, &'static str, Value, Load);

fn main() -> io::Result<()> {
    let given = std::env::args_os().nth(1).map(PathBuf::from);
    let ours = given.unwrap_or_else(|| PathBuf::from("../../target/release"));
    let mut peers = std::env::current_exe()?;
    peers.pop();
    let servers = |kind: &str| servers(&ours, &peers, kind);
    let rows = work().into_iter().map(|work| row(&servers(work.1), work));
    let mut rows = rows.collect::<io::Result<Vec<_>>>()?;
    rows.push(starts(&servers("list"))?);
    let columns = COLUMNS.to_vec();
    println!("{}", Table { columns, rows });
    Ok(())
}

/// One server a column; the floor knows one kind of work.
fn servers(ours: &Path, peers: &Path, kind: &str) -> [Server; 5] {
    let own = Server::new(ours.join("ours"));
    [
        Server::floor(ours.join("floor"), kind),
        own.clone(),
        own,
        Server::new(peers.join("peer-rmcp")),
        Server::new(peers.join("peer-tower-mcp")),
    ]
}

fn work() -> [Work; 4] {
    let load = |requests, at_once| Load { requests, at_once };
    let (add, list) = (drive::add("add"), drive::tools_list());
    [
        ("`add`, 64 in flight", "add", add.clone(), load(64_000, 64)),
        ("`add`, one at a time", "add", add, load(12_000, 1)),
        ("`echo` of 15 KB", "echo", drive::echo(), load(3_200, 64)),
        ("`tools/list`, few tools", "list", list, load(32_000, 64)),
    ]
}

fn row(servers: &[Server], (work, kind, request, load): Work) -> io::Result<Row> {
    let costs = servers.iter().enumerate().map(|(index, server)| {
        let request = match (index, kind) {
            (2, "add") => drive::add("add_blocking"),
            (2, _) => return Ok(None),
            _ => request.clone(),
        };
        cost(server, &request, load).map(Some)
    });
    let costs = costs.collect::<io::Result<_>>()?;
    Ok(Row { work, costs })
}

fn starts(servers: &[Server]) -> io::Result<Row> {
    let costs = servers
        .iter()
        .enumerate()
        .map(|(index, server)| match index {
            2 => Ok(None),
            _ => best(|| server.start_to_list()).map(Some),
        });
    Ok(Row {
        work: "start to `tools/list`",
        costs: costs.collect::<io::Result<_>>()?,
    })
}

fn cost(server: &Server, request: &Value, load: Load) -> io::Result<Duration> {
    best(|| server.cost(request, load))
}

/// The least of several: whatever else runs can only add.
fn best(measure: impl Fn() -> io::Result<Duration>) -> io::Result<Duration> {
    let mut least = measure()?;
    for _ in 1..3 {
        least = least.min(measure()?);
    }
    Ok(least)
}
