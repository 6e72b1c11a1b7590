use std::io;
use std::time::Duration;

use crate::column::{Column, Kind};
use crate::http::{Client, Posts};
use crate::server::Load;
use crate::table::{Row, Table};

/// One row of the table: what is measured, and what ours should cost.
#[derive(Clone, Copy, Debug)]
pub struct Work {
    name: &'static str,
    goal: &'static str,
    measure: Measure,
}

#[derive(Clone, Copy, Debug)]
enum Measure {
    /// Processor time of a request over standard input and output.
    Lines(Kind, Load),
    /// Time that passes to the first list of so many tools.
    Start(usize),
    /// Processor time of a request over HTTP.
    Http(Client),
}

const fn lines(
    name: &'static str,
    goal: &'static str,
    kind: Kind,
    (rounds, at_once): (u32, u32),
) -> Work {
    let measure = Measure::Lines(kind, Load { rounds, at_once });
    Work {
        name,
        goal,
        measure,
    }
}

const fn start(name: &'static str, goal: &'static str, tools: usize) -> Work {
    let measure = Measure::Start(tools);
    Work {
        name,
        goal,
        measure,
    }
}

const fn http(name: &'static str, client: Client) -> Work {
    Work {
        name,
        goal: "≤ 1.3×",
        measure: Measure::Http(client),
    }
}

/// Calls of tools over standard input and output.
pub const CALLS: [Work; 3] = [
    lines(
        "`add`, 64 in flight",
        "`inline` ≤ 2×, plain `fn` ≤ 3×",
        Kind::Add,
        (3_000, 64),
    ),
    lines(
        "`add`, one at a time",
        "`inline` ≤ 1.3×, plain `fn` ≤ 2×",
        Kind::Add,
        (24_000, 1),
    ),
    lines("`echo` of 15 KB", "≤ 1.25×", Kind::Echo, (100, 64)),
];

/// Lists over standard input and output.
pub const LISTS: [Work; 2] = [
    lines("`tools/list`, 2 tools", "≤ 2×", Kind::List(2), (1_000, 64)),
    lines(
        "`tools/list`, 200 tools",
        "≤ 30 µs",
        Kind::List(200),
        (100, 64),
    ),
];

/// From the start of the process to its first list.
pub const STARTS: [Work; 3] = [
    start("start to `tools/list`, 2 tools", "≤ 1.3×", 2),
    start("start to `tools/list`, 200 tools", "≤ 3 ms", 200),
    start("start to `tools/list`, 1,000 tools", "≤ 6 ms", 1_000),
];

/// Calls over 16 connections, beside a bare hyper service.
pub const HTTP: [Work; 2] = [
    http("`add` over HTTP, stateless", Client::Stateless),
    http("`add` over HTTP, in a session", Client::Session),
];

const CONNECTIONS: Load = Load {
    rounds: 4_000,
    at_once: 16,
};

/// What some work costs some servers, the least of several times.
///
/// # Errors
/// A server cannot be started, or answers wrongly.
pub fn measure(columns: &[Column], works: impl IntoIterator<Item = Work>) -> io::Result<Table> {
    let rows = works.into_iter().map(|work| work.row(columns));
    Ok(Table {
        columns: columns.iter().map(|column| column.name).collect(),
        rows: rows.collect::<io::Result<_>>()?,
    })
}

impl Work {
    fn row(self, columns: &[Column]) -> io::Result<Row> {
        let mut costs = vec![None; columns.len()];
        // In turns, so that whatever else runs meets all of them; it can only add.
        for _ in 0..self.measure.turns() {
            for (least, column) in costs.iter_mut().zip(columns) {
                let cost = self.measure.cost(column).map_err(|error| {
                    io::Error::other(format!("{}, {}: {error}", self.name, column.name))
                })?;
                *least = [*least, cost].into_iter().flatten().min();
            }
        }
        Ok(Row {
            work: self.name,
            costs,
            goal: self.goal,
        })
    }
}

impl Measure {
    /// A start is short, and its time passes while others run too.
    fn turns(self) -> u32 {
        match self {
            Self::Start(_) => 50,
            Self::Lines(..) | Self::Http(_) => 5,
        }
    }

    fn cost(self, column: &Column) -> io::Result<Option<Duration>> {
        let kind = match self {
            Self::Lines(kind, _) => kind,
            Self::Start(tools) => Kind::List(tools),
            Self::Http(_) => Kind::Http,
        };
        let Some(server) = column.server(kind) else {
            return Ok(None);
        };
        let request = match kind {
            Kind::Add | Kind::Http => crate::add(column.add),
            Kind::Echo => crate::echo(),
            Kind::List(_) => crate::tools_list(),
        };
        let cost = match self {
            Self::Lines(_, load) => server.cost(&request, load.divided(column.rarer)),
            Self::Start(_) => server.start_to_list(),
            Self::Http(client) => server.cost_over_http(Posts {
                request: &request,
                client,
                load: CONNECTIONS.divided(column.rarer),
            }),
        };
        cost.map(Some)
    }
}
