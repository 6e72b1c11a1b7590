//! The dispatcher inside the process, beside the floor: `cargo bench -p benches`.
//!
//! The table at the end has what divan does not print: each shape in turns with
//! its floor, and the ratio.

use std::fmt;
use std::time::{Duration, Instant};

use divan::Bencher;
use drive::{Catalogue, Row, Table, floor, order::Order};
use mcp_runtime::prelude::*;
use mcp_runtime::{Dispatcher, Peer};
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

/// Gives an order back.
#[tool(read_only, inline, group = "calls")]
fn echo(order: Order) -> Order {
    order
}

/// A request, the tools that are served, and what answers it with the least work.
struct Shape {
    name: &'static str,
    group: &'static str,
    request: fn() -> Value,
    floor: fn() -> Floor,
}

type Floor = Box<dyn Fn(&[u8], &mut Vec<u8>) -> serde_json::Result<()>>;

/// Writes one answer.
type Answer = Box<dyn Fn(&mut Vec<u8>)>;

const SHAPES: [Shape; 4] = [
    Shape {
        name: "`add`",
        group: "calls",
        request: || drive::add("add"),
        floor: || Box::new(floor::add),
    },
    Shape {
        name: "`echo` of 15 KB",
        group: "calls",
        request: drive::echo,
        floor: || Box::new(floor::echo),
    },
    Shape {
        name: "`tools/list`, 2 tools",
        group: "few",
        request: drive::tools_list,
        floor: || list(2),
    },
    Shape {
        name: "`tools/list`, 200 tools",
        group: "many",
        request: drive::tools_list,
        floor: || list(200),
    },
];

fn list(count: usize) -> Floor {
    let list = Catalogue::of(count);
    Box::new(move |line, out| floor::list(line, out, &list))
}

#[divan::bench(args = SHAPES, sample_size = 64)]
fn floor(bencher: Bencher<'_, '_>, shape: &Shape) {
    bench(bencher, &shape.floor());
}

#[divan::bench(args = SHAPES, sample_size = 64)]
fn ours(bencher: Bencher<'_, '_>, shape: &Shape) {
    bench(bencher, &shape.ours());
}

fn bench(bencher: Bencher<'_, '_>, answer: &Answer) {
    let mut out = Vec::new();
    bencher.bench_local(|| {
        out.clear();
        answer(&mut out);
        out.len()
    });
}

fn main() {
    SHAPES.iter().for_each(Shape::check);
    divan::main();
    if std::env::args().any(|argument| argument == "--bench") {
        let table = Table {
            columns: vec!["floor", "ours"],
            rows: SHAPES.iter().map(Shape::row).collect(),
        };
        println!("\n{table}");
    }
}

impl Shape {
    fn framed(&self) -> String {
        framed((self.request)())
    }

    fn floor(&self) -> Answer {
        let (request, floor) = (self.framed(), (self.floor)());
        Box::new(move |out| floor(request.as_bytes(), out).expect("the floor knows this request"))
    }

    fn ours(&self) -> Answer {
        let (request, (dispatcher, peer)) = (self.framed(), connected(self.group));
        Box::new(move |out| {
            let _ = dispatcher.dispatch(request.as_bytes(), &peer, out);
        })
    }

    /// Nothing is compared that does not say the same.
    fn check(&self) {
        let answers = [self.floor(), self.ours()].map(|answer| {
            let mut out = Vec::new();
            answer(&mut out);
            serde_json::from_slice::<Value>(&out).expect("an answer is JSON")
        });
        assert_eq!(answers[0], answers[1], "{self}");
    }

    fn row(&self) -> Row {
        let answers = [self.floor(), self.ours()];
        let mut least = [Duration::MAX; 2];
        for _ in 0..20 {
            for (least, answer) in least.iter_mut().zip(&answers) {
                *least = cost(answer).min(*least);
            }
        }
        Row {
            work: self.name,
            costs: least.map(Some).into(),
            goal: "–",
        }
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name)
    }
}

/// The time that one answer takes.
fn cost(answer: &Answer) -> Duration {
    let (begun, mut out, mut answers) = (Instant::now(), Vec::new(), 0);
    while begun.elapsed() < Duration::from_millis(20) {
        for _ in 0..64 {
            out.clear();
            answer(&mut out);
            std::hint::black_box(&out);
        }
        answers += 64;
    }
    begun.elapsed() / answers
}

/// A dispatcher, and a peer that shook hands with it.
fn connected(group: &str) -> (Dispatcher, Peer) {
    let dispatcher = Server::new("bench", "1")
        .groups([group])
        .build()
        .expect("the tools are sound");
    let peer = Peer::new();
    let params = json!({
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": { "name": "bench", "version": "1" },
    });
    let initialize = framed(json!({ "method": "initialize", "params": params }));
    let _ = dispatcher.dispatch(initialize.as_bytes(), &peer, &mut Vec::new());
    (dispatcher, peer)
}

fn framed(mut request: Value) -> String {
    request["jsonrpc"] = "2.0".into();
    request["id"] = 1.into();
    request.to_string()
}
