use std::io;
use std::time::Duration;

use crate::http::{Client, HttpLoad};
use crate::server::Load;
use crate::server_variant::{ServerVariant, Workload};
use crate::table::{Row, Table};

/// One row of the table: a measurement and its goal.
#[derive(Clone, Copy, Debug)]
pub struct Benchmark {
    name: &'static str,
    goal: &'static str,
    measurement: Measurement,
}

#[derive(Clone, Copy, Debug)]
enum Measurement {
    /// Processor time per request over standard input and output.
    Stdio(Workload, Load),
    /// Wall-clock time from the start to the first list of this number of tools.
    Start(usize),
    /// Processor time per request over HTTP.
    Http(Client),
}

const fn stdio(
    name: &'static str,
    goal: &'static str,
    workload: Workload,
    (rounds, in_flight): (u32, u32),
) -> Benchmark {
    let measurement = Measurement::Stdio(workload, Load { rounds, in_flight });
    Benchmark {
        name,
        goal,
        measurement,
    }
}

const fn start(name: &'static str, goal: &'static str, tools: usize) -> Benchmark {
    let measurement = Measurement::Start(tools);
    Benchmark {
        name,
        goal,
        measurement,
    }
}

const fn http(name: &'static str, client: Client) -> Benchmark {
    Benchmark {
        name,
        goal: "≤ 1.3×",
        measurement: Measurement::Http(client),
    }
}

/// Tool calls over standard input and output.
pub const CALLS: [Benchmark; 3] = [
    stdio(
        "`add`, 64 in flight",
        "`inline` ≤ 2×, plain `fn` ≤ 3×",
        Workload::Add,
        (3_000, 64),
    ),
    stdio(
        "`add`, one at a time",
        "`inline` ≤ 1.3×, plain `fn` ≤ 2×",
        Workload::Add,
        (24_000, 1),
    ),
    stdio("`echo` of 15 KB", "≤ 1.25×", Workload::Echo, (100, 64)),
];

/// Lists over standard input and output.
pub const LISTS: [Benchmark; 2] = [
    stdio(
        "`tools/list`, 2 tools",
        "≤ 2×",
        Workload::List(2),
        (1_000, 64),
    ),
    stdio(
        "`tools/list`, 200 tools",
        "≤ 30 µs",
        Workload::List(200),
        (100, 64),
    ),
];

/// The time from the start of the process to its first list.
pub const STARTS: [Benchmark; 3] = [
    start("start to `tools/list`, 2 tools", "≤ 1.3×", 2),
    start("start to `tools/list`, 200 tools", "≤ 3 ms", 200),
    start("start to `tools/list`, 1,000 tools", "≤ 6 ms", 1_000),
];

/// Calls over 16 connections, compared with a bare hyper service.
pub const HTTP: [Benchmark; 2] = [
    http("`add` over HTTP, stateless", Client::Stateless),
    http("`add` over HTTP, in a session", Client::Session),
];

const CONNECTIONS: Load = Load {
    rounds: 4_000,
    in_flight: 16,
};

/// Measures the servers and returns the least of several measurements each.
///
/// # Errors
/// Fails if a server cannot be started or responds with an error.
pub fn measure(
    servers: &[ServerVariant],
    benchmarks: impl IntoIterator<Item = Benchmark>,
) -> io::Result<Table> {
    let rows = benchmarks.into_iter().map(|it| it.row(servers));
    Ok(Table {
        columns: servers.iter().map(|server| server.name).collect(),
        rows: rows.collect::<io::Result<_>>()?,
    })
}

impl Benchmark {
    fn row(self, servers: &[ServerVariant]) -> io::Result<Row> {
        let mut costs = vec![None; servers.len()];
        // The servers take turns, so that other load on the machine affects all of them.
        for _ in 0..self.measurement.turns() {
            for (least, server) in costs.iter_mut().zip(servers) {
                let cost = self.measurement.cost(server).map_err(|error| {
                    io::Error::other(format!("{}, {}: {error}", self.name, server.name))
                })?;
                *least = [*least, cost].into_iter().flatten().min();
            }
        }
        Ok(Row {
            name: self.name,
            costs,
            goal: self.goal,
        })
    }
}

impl Measurement {
    /// A start is short and is measured in wall-clock time, so it is repeated more often.
    fn turns(self) -> u32 {
        match self {
            Self::Start(_) => 50,
            Self::Stdio(..) | Self::Http(_) => 5,
        }
    }

    fn cost(self, variant: &ServerVariant) -> io::Result<Option<Duration>> {
        let workload = match self {
            Self::Stdio(workload, _) => workload,
            Self::Start(tools) => Workload::List(tools),
            Self::Http(_) => Workload::Http,
        };
        let Some(server) = variant.server(workload) else {
            return Ok(None);
        };
        let request = match workload {
            Workload::Add | Workload::Http => crate::add(variant.add),
            Workload::Echo => crate::echo(),
            Workload::List(_) => crate::tools_list(),
        };
        let cost = match self {
            Self::Stdio(_, load) => server.cost(&request, load.divided(variant.load_divisor)),
            Self::Start(_) => server.start_to_list(),
            Self::Http(client) => server.cost_over_http(HttpLoad {
                request: &request,
                client,
                load: CONNECTIONS.divided(variant.load_divisor),
            }),
        };
        cost.map(Some)
    }
}
