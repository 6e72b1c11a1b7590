//! Many clients that behave badly: what they leave behind must be nothing.
//!
//! Prints figures; run it alone with `cargo test --test soak`.

#[path = "soak/client.rs"]
mod client;
#[path = "soak/figures.rs"]
mod figures;
#[path = "soak/load.rs"]
mod load;

use std::time::Duration;

use figures::Figures;
use mcp_runtime::prelude::*;
use mcp_runtime::{HttpListener, HttpOptions, Server};

/// Never ends by itself.
#[tool]
async fn forever() -> String {
    std::future::pending().await
}

/// Ends a little later.
#[tool]
async fn soon() -> &'static str {
    tokio::time::sleep(Duration::from_millis(5)).await;
    "done"
}

/// What may be made once and then stays: tables that have grown to their size.
const ONCE: usize = 64 * 1024;
/// How much of the heap a pass may leave, whatever it was: the next one begins when
/// the last task has gone, which may be a moment before its memory has.
const LEFT: usize = 4 * 1024;

/// As `SOAK_PASSES` says, or 3.
fn passes_wanted() -> usize {
    let wanted = std::env::var("SOAK_PASSES").ok();
    let wanted = wanted.and_then(|wanted| wanted.parse().ok());
    wanted.unwrap_or(3).max(1)
}

#[tokio::main]
async fn main() -> Result<(), mcp_runtime::Error> {
    let options = HttpOptions::new()
        .session_idle(Duration::from_secs(2))
        .keep_alive(Duration::from_millis(200))
        .max_requests(20_000);
    let endpoint = Server::new("soak", "1.0.0").http(options).http_endpoint()?;
    let listener = HttpListener::bind("127.0.0.1:0").await?;
    let address = listener
        .local_addr()
        .expect("a TCP listener has an address");
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let served = tokio::spawn(endpoint.clone().serve(listener, async {
        let _ = stopped.await;
    }));
    let start = Figures::settled(&endpoint, None).await;
    println!("at the start: {start}");
    let mut passes = Vec::new();
    for pass in 1..=passes_wanted() {
        for (name, load) in load::ALL {
            let began = std::time::Instant::now();
            let before = Figures::now(&endpoint).heap;
            let (count, open) = load(address).await;
            let took = began.elapsed();
            let more = Figures::now(&endpoint).heap.saturating_sub(before);
            let each = more / count;
            println!("pass {pass}: {count} {name} in {took:.1?}, {each} bytes more for each");
            drop(open);
        }
        let figures = Figures::settled(&endpoint, Some(&start)).await;
        println!("pass {pass}: {figures}");
        passes.push(figures);
    }
    let (first, last) = (passes[0].heap, passes[passes.len() - 1].heap);
    let (once, left) = (first.saturating_sub(start.heap), last.saturating_sub(first));
    println!("the first pass leaves {once} bytes of heap, all others together {left}");
    assert!(once <= ONCE && left <= LEFT, "memory does not return");
    let _ = stop.send(());
    served.await.expect("serving does not panic")?;
    println!("1 passed, 0 failed");
    Ok(())
}
