//! What a request costs servers of several projects, in one run.
//!
//! Takes the folder with our own servers as its argument, `../../target/release`
//! if there is none; both are built with `--release` before.

use std::io;
use std::path::PathBuf;
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

fn main() -> io::Result<()> {
    let given = std::env::args_os().nth(1).map(PathBuf::from);
    let ours = given.unwrap_or_else(|| PathBuf::from("../../target/release"));
    let mut peers = std::env::current_exe()?;
    peers.pop();
    let servers = |work: &str| {
        let own = Server::new(ours.join("ours"));
        [
            Server::floor(ours.join("floor"), work),
            own.clone(),
            own,
            Server::new(peers.join("peer-rmcp")),
            Server::new(peers.join("peer-tower-mcp")),
        ]
    };
    let load = |requests, at_once| Load { requests, at_once };
    let work = [
        (
            "`add`, 64 in flight",
            "add",
            drive::add("add"),
            load(64_000, 64),
        ),
        (
            "`add`, one at a time",
            "add",
            drive::add("add"),
            load(12_000, 1),
        ),
        ("`echo` of 15 KB", "echo", drive::echo(), load(3_200, 64)),
        (
            "`tools/list`, few tools",
            "list",
            drive::tools_list(),
            load(32_000, 64),
        ),
    ];
    let mut rows = Vec::new();
    for (work, kind, request, load) in work {
        let servers = servers(kind);
        let costs = servers.iter().enumerate().map(|(index, server)| {
            let request = match (index, kind) {
                (2, "add") => drive::add("add_blocking"),
                (2, _) => return Ok(None),
                _ => request.clone(),
            };
            cost(server, &request, load).map(Some)
        });
        rows.push(Row {
            work,
            costs: costs.collect::<io::Result<_>>()?,
        });
    }
    let starts = servers("list");
    let costs = starts
        .iter()
        .enumerate()
        .map(|(index, server)| match index {
            2 => Ok(None),
            _ => best(|| server.start_to_list()).map(Some),
        });
    rows.push(Row {
        work: "start to `tools/list`",
        costs: costs.collect::<io::Result<_>>()?,
    });
    println!(
        "{}",
        Table {
            columns: COLUMNS.to_vec(),
            rows
        }
    );
    Ok(())
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
