use std::time::Duration;

/// The options of the stdio transport, for [`Server::stdio`](crate::Server::stdio).
///
/// ```
/// use std::time::Duration;
/// use mcp_runtime::transport::StdioOptions;
///
/// let options = StdioOptions { shutdown_timeout: Duration::from_secs(30), ..StdioOptions::default() };
/// assert_eq!(options.max_line_bytes, 8 * 1024 * 1024);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct StdioOptions {
    /// The maximum length of a message in bytes. The server skips a longer message and replies with
    /// an error. Defaults to 8 MiB.
    pub max_line_bytes: usize,
    /// The maximum number of async handlers that run at the same time, and separately of blocking
    /// handlers. Further calls wait. Defaults to 64.
    pub concurrency: usize,
    /// The time that calls may continue after the end of input or SIGTERM. Defaults to 1.5 seconds.
    ///
    /// The official clients send SIGTERM 2 seconds after they close the input, and kill the process
    /// another 2 seconds later. If SIGTERM arrives during this time, the server ends the calls at
    /// once.
    pub shutdown_timeout: Duration,
}

impl Default for StdioOptions {
    fn default() -> Self {
        Self {
            max_line_bytes: 8 * 1024 * 1024,
            concurrency: 64,
            shutdown_timeout: Duration::from_millis(1500),
        }
    }
}
