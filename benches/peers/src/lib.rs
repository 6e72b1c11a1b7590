//! What the servers of other projects have in common.

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
    /// What is given back.
    pub order: Order,
}

// The arguments of the tools that are listed; what is said here would be listed too.
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
    /// What the tool of that index finds.
    #[must_use]
    pub fn found(&self, index: usize) -> String {
        let Self {
            query,
            limit,
            archived,
        } = self;
        format!("{query} {limit} {archived:?} {index}")
    }
}

/// The name and the description of the tool of that index.
#[must_use]
pub fn catalogue(index: usize) -> (String, String) {
    (
        format!("look_up_{index:04}"),
        format!("Looks up entry {index} of the catalogue and says what it found."),
    )
}

/// What the command line asks for.
#[derive(Debug, Default)]
pub struct Asked {
    /// Where to listen, instead of standard input and output.
    pub http: Option<String>,
    /// How many tools to list, instead of the two that are called.
    pub tools: Option<usize>,
}

/// Reads `[--tools COUNT] [--http ADDRESS]`.
#[must_use]
pub fn asked() -> Asked {
    let mut asked = Asked::default();
    let mut arguments = std::env::args().skip(1);
    while let Some(key) = arguments.next() {
        let value = arguments.next();
        match key.as_str() {
            "--http" => asked.http = value,
            "--tools" => asked.tools = value.and_then(|count| count.parse().ok()),
            _ => {}
        }
    }
    asked
}

/// Serves over HTTP and says where, as our own server does.
///
/// Each write is sent at once, which neither project asks of axum by itself.
///
/// # Errors
/// The address cannot be listened on.
pub async fn serve(router: Router, address: &str) -> io::Result<()> {
    let listener = TcpListener::bind(address).await?;
    eprintln!("listening on http://{}/mcp", listener.local_addr()?);
    let listener = listener.tap_io(|stream| {
        // Without it the stream is slow, and still right.
        let _ = stream.set_nodelay(true);
    });
    axum::serve(listener, router).await
}
