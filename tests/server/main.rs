//! A server for tests against a real process.

#[path = "../asking/tools.rs"]
mod asking;
mod secretive;
mod tools;

use std::time::Duration;

use mcp_runtime::StdioOptions;

mcp_runtime::main!(|server| {
    let drain = std::env::var("DRAIN_SECONDS").map_or(Ok(2), |seconds| seconds.parse())?;
    let server = server
        .title("A server for tests")
        .client_log(["test_server"])
        .stdio(StdioOptions {
            drain: Duration::from_secs(drain),
            ..StdioOptions::default()
        });
    match std::env::var("PATIENCE_MILLIS") {
        Ok(millis) => server.patience(Duration::from_millis(millis.parse()?)),
        Err(_) => server,
    }
});
