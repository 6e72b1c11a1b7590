//! What a request costs over HTTP with 16 connections, beside a bare hyper service.
//!
//! `cargo build --release -p benches && target/release/http`

use std::io;
use std::time::Duration;

use drive::{Client, HttpServer, Row, Table};

const CONNECTIONS: usize = 16;
const ROUNDS: u32 = 4_000;

fn main() -> io::Result<()> {
    let mut folder = std::env::current_exe()?;
    folder.pop();
    let floor = HttpServer::floor(folder.join("floor_http"));
    let ours = HttpServer::new(folder.join("ours"));
    let row = |work, client| {
        let columns = [(&floor, "add"), (&ours, "add"), (&ours, "add_blocking")];
        let mut least = [Duration::MAX; 3];
        // In turns, so that whatever else runs meets all of them.
        for _ in 0..5 {
            for (least, (server, tool)) in least.iter_mut().zip(&columns) {
                let cost = server.cost(&drive::add(tool), client, CONNECTIONS, ROUNDS)?;
                *least = cost.min(*least);
            }
        }
        let costs = least.into_iter().map(Some).collect();
        io::Result::Ok(Row { work, costs })
    };
    let table = Table {
        columns: vec!["bare hyper", "inline", "plain `fn`"],
        rows: vec![
            row("`add`, stateless", Client::Stateless)?,
            row("`add`, in a session", Client::Session)?,
        ],
    };
    println!("{table}");
    Ok(())
}
