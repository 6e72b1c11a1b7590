//! The server of the tests that start a process.
//!
//! `SHUTDOWN_TIMEOUT_SECONDS` and `INPUT_TIMEOUT_MILLIS` set its timeouts.

#[path = "../fixtures/basic_tools.rs"]
mod basic_tools;
#[path = "../fixtures/input_request_tools.rs"]
mod input_request_tools;
mod noisy_tools;
mod secret_panics;

use std::time::Duration;

use mcp_runtime::transport::StdioOptions;

mcp_runtime::main!(|server| {
    let shutdown_timeout =
        std::env::var("SHUTDOWN_TIMEOUT_SECONDS").map_or(Ok(2), |seconds| seconds.parse())?;
    let server = server
        .title("A server for tests")
        .client_log(["test_server"])
        .stdio(StdioOptions {
            shutdown_timeout: Duration::from_secs(shutdown_timeout),
            ..StdioOptions::default()
        });
    match std::env::var("INPUT_TIMEOUT_MILLIS") {
        Ok(millis) => server.input_timeout(Duration::from_millis(millis.parse()?)),
        Err(_) => server,
    }
});
