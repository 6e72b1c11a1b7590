//! Shared code of the servers of other projects.

use std::io;

use axum::Router;
use axum::serve::ListenerExt;
use drive::order::Order;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio::net::TcpListener;

/// The arguments of `add`.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Add {
    /// The first addend.
    pub a: i64,
    /// The second addend.
    pub b: i64,
}

/// The result of `add`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Sum {
    /// The sum.
    pub result: i64,
}

/// The arguments of `echo`.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Echo {
    /// The order to return.
    pub order: Order,
}

// The arguments of the generated tools; a doc comment here would be part of the list.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct LookUp {
    /// What to look for, in plain words.
    pub query: String,
    /// How many entries to give at most.
    pub limit: u32,
    /// Whether to look into old entries too.
    pub archived: Option<bool>,
}

impl LookUp {
    /// Returns the result of the tool with this index.
    #[must_use]
    pub fn result(&self, index: usize) -> String {
        let Self {
            query,
            limit,
            archived,
        } = self;
        format!("{query} {limit} {archived:?} {index}")
    }
}

/// Returns the name and the description of the tool with this index.
#[must_use]
pub fn catalogue(index: usize) -> (String, String) {
    (
        format!("look_up_{index:04}"),
        format!("Looks up entry {index} of the catalogue and says what it found."),
    )
}

/// The command line of a server.
#[derive(Debug, Default)]
pub struct Args {
    /// The address to listen on, instead of standard input and output.
    pub http: Option<String>,
    /// The number of generated tools, instead of `add` and `echo`.
    pub tools: Option<usize>,
}

/// Parses `[--tools COUNT] [--http ADDRESS]`.
#[must_use]
pub fn parse_args() -> Args {
    let mut args = Args::default();
    let mut arguments = std::env::args().skip(1);
    while let Some(key) = arguments.next() {
        let value = arguments.next();
        match key.as_str() {
            "--http" => args.http = value,
            "--tools" => args.tools = value.and_then(|count| count.parse().ok()),
            _ => {}
        }
    }
    args
}

/// Serves over HTTP and logs the address, like our own server.
///
/// Sets `TCP_NODELAY`, which neither project does by default.
///
/// # Errors
/// Fails if the address cannot be bound.
pub async fn serve(router: Router, address: &str) -> io::Result<()> {
    let listener = TcpListener::bind(address).await?;
    eprintln!("listening on http://{}/mcp", listener.local_addr()?);
    let listener = listener.tap_io(|stream| {
        // If this fails, the stream is slow but works.
        let _ = stream.set_nodelay(true);
    });
    axum::serve(listener, router).await
}
