//! The dispatcher in the process, compared with the floor: `cargo bench -p benches`.
//!
//! The table at the end has what divan does not print: the ratio to the floor, measured
//! in turns.

use std::fmt;
use std::time::{Duration, Instant};

use divan::Bencher;
use drive::{Catalogue, Row, Table, floor, order::Order};
use mcp_runtime::Dispatcher;
use mcp_runtime::dispatch::Connection;
use mcp_runtime::prelude::*;
use serde_json::{Value, json};

mod few {
    use mcp_runtime::prelude::*;
    include!(concat!(env!("OUT_DIR"), "/few.rs"));
}

mod many {
    use mcp_runtime::prelude::*;
    include!(concat!(env!("OUT_DIR"), "/many.rs"));
}

/// Adds two whole numbers.
#[tool(read_only, inline, group = "calls")]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Returns an order unchanged.
#[tool(read_only, inline, group = "calls")]
fn echo(order: Order) -> Order {
    order
}

/// A request, the group of tools that is served, and the floor for it.
struct Scenario {
    name: &'static str,
    group: &'static str,
    request: fn() -> Value,
    floor: fn() -> Floor,
}

type Floor = Box<dyn Fn(&[u8], &mut Vec<u8>) -> serde_json::Result<()>>;

/// Writes one response.
type Responder = Box<dyn Fn(&mut Vec<u8>)>;

const SCENARIOS: [Scenario; 4] = [
    Scenario {
        name: "`add`",
        group: "calls",
        request: || drive::add("add"),
        floor: || Box::new(floor::add),
    },
    Scenario {
        name: "`echo` of 15 KB",
        group: "calls",
        request: drive::echo,
        floor: || Box::new(floor::echo),
    },
    Scenario {
        name: "`tools/list`, 2 tools",
        group: "few",
        request: drive::tools_list,
        floor: || list(2),
    },
    Scenario {
        name: "`tools/list`, 200 tools",
        group: "many",
        request: drive::tools_list,
        floor: || list(200),
    },
];

fn list(count: usize) -> Floor {
    let list = Catalogue::new(count);
    Box::new(move |line, out| floor::list(line, out, &list))
}

#[divan::bench(args = SCENARIOS, sample_size = 64)]
fn floor(bencher: Bencher<'_, '_>, scenario: &Scenario) {
    bench(bencher, &scenario.floor());
}

#[divan::bench(args = SCENARIOS, sample_size = 64)]
fn ours(bencher: Bencher<'_, '_>, scenario: &Scenario) {
    bench(bencher, &scenario.ours());
}

fn bench(bencher: Bencher<'_, '_>, respond: &Responder) {
    let mut out = Vec::new();
    bencher.bench_local(|| {
        out.clear();
        respond(&mut out);
        out.len()
    });
}

fn main() {
    SCENARIOS.iter().for_each(Scenario::check);
    divan::main();
    if std::env::args().any(|argument| argument == "--bench") {
        let table = Table {
            columns: vec!["floor", "ours"],
            rows: SCENARIOS.iter().map(Scenario::row).collect(),
        };
        println!("\n{table}");
    }
}

impl Scenario {
    fn request_line(&self) -> String {
        to_line((self.request)())
    }

    fn floor(&self) -> Responder {
        let (request, floor) = (self.request_line(), (self.floor)());
        Box::new(move |out| floor(request.as_bytes(), out).expect("the floor handles this request"))
    }

    fn ours(&self) -> Responder {
        let (request, (dispatcher, connection)) = (self.request_line(), connected(self.group));
        Box::new(move |out| {
            let _ = dispatcher.dispatch(request.as_bytes(), &connection, out);
        })
    }

    /// Checks that the floor and our server write the same response.
    fn check(&self) {
        let responses = [self.floor(), self.ours()].map(|respond| {
            let mut out = Vec::new();
            respond(&mut out);
            serde_json::from_slice::<Value>(&out).expect("a response is JSON")
        });
        assert_eq!(responses[0], responses[1], "{self}");
    }

    fn row(&self) -> Row {
        let responses = [self.floor(), self.ours()];
        let mut least = [Duration::MAX; 2];
        for _ in 0..20 {
            for (least, respond) in least.iter_mut().zip(&responses) {
                *least = cost(respond).min(*least);
            }
        }
        Row {
            name: self.name,
            costs: least.map(Some).into(),
            goal: "–",
        }
    }
}

impl fmt::Display for Scenario {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name)
    }
}

/// Measures the time of one response.
fn cost(respond: &Responder) -> Duration {
    let (started, mut out, mut responses) = (Instant::now(), Vec::new(), 0);
    while started.elapsed() < Duration::from_millis(20) {
        for _ in 0..64 {
            out.clear();
            respond(&mut out);
            std::hint::black_box(&out);
        }
        responses += 64;
    }
    started.elapsed() / responses
}

/// Returns a dispatcher and a connection after its handshake.
fn connected(group: &str) -> (Dispatcher, Connection) {
    let dispatcher = Server::new("bench", "1")
        .groups([group])
        .build()
        .expect("the server is valid");
    let connection = Connection::new();
    let params = json!({
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": { "name": "bench", "version": "1" },
    });
    let initialize = to_line(json!({ "method": "initialize", "params": params }));
    let _ = dispatcher.dispatch(initialize.as_bytes(), &connection, &mut Vec::new());
    (dispatcher, connection)
}

fn to_line(mut request: Value) -> String {
    request["jsonrpc"] = "2.0".into();
    request["id"] = 1.into();
    request.to_string()
}
