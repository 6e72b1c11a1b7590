//! Many misbehaving clients must leave nothing behind.
//!
//! Prints measurements; run it alone with `cargo test --test soak`.

mod client;
mod load;
mod resource_usage;

use std::time::Duration;

use mcp_runtime::Server;
use mcp_runtime::prelude::*;
use mcp_runtime::transport::{HttpListener, HttpOptions};
use resource_usage::ResourceUsage;

/// Never completes.
#[tool]
async fn forever() -> String {
    std::future::pending().await
}

/// Completes after a short time.
#[tool]
async fn soon() -> &'static str {
    tokio::time::sleep(Duration::from_millis(5)).await;
    "done"
}

/// Bytes that the first pass may leave: tables that have grown to their size.
const MAX_FIRST_PASS_GROWTH: usize = 64 * 1024;
/// Bytes that the later passes may leave: a pass starts when the last task has ended,
/// which may be shortly before its memory is freed.
const MAX_LATER_GROWTH: usize = 4 * 1024;

/// The number of passes: `SOAK_PASSES`, or 3.
fn pass_count() -> usize {
    let count = std::env::var("SOAK_PASSES").ok();
    let count = count.and_then(|count| count.parse().ok());
    count.unwrap_or(3).max(1)
}

#[tokio::main]
async fn main() -> Result<(), mcp_runtime::Error> {
    let options = HttpOptions::new()
        .session_idle_timeout(Duration::from_secs(2))
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
    let start = ResourceUsage::settled(&endpoint, None).await;
    println!("at the start: {start}");
    let mut passes = Vec::new();
    for pass in 1..=pass_count() {
        for (name, load) in load::ALL {
            let started = std::time::Instant::now();
            let before = ResourceUsage::now(&endpoint).heap;
            let (count, open) = load(address).await;
            let elapsed = started.elapsed();
            let growth = ResourceUsage::now(&endpoint).heap.saturating_sub(before);
            let per_item = growth / count;
            println!("pass {pass}: {count} {name} in {elapsed:.1?}, {per_item} bytes each");
            drop(open);
        }
        let usage = ResourceUsage::settled(&endpoint, Some(&start)).await;
        println!("pass {pass}: {usage}");
        passes.push(usage);
    }
    let (first, last) = (passes[0].heap, passes[passes.len() - 1].heap);
    let (first_growth, later_growth) =
        (first.saturating_sub(start.heap), last.saturating_sub(first));
    println!(
        "the first pass leaves {first_growth} bytes of heap, all others together {later_growth}"
    );
    assert!(
        first_growth <= MAX_FIRST_PASS_GROWTH && later_growth <= MAX_LATER_GROWTH,
        "memory does not return"
    );
    let _ = stop.send(());
    served.await.expect("serving does not panic")?;
    println!("1 passed, 0 failed");
    Ok(())
}
