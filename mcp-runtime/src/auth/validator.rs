use std::fmt;
use std::future::Future;
use std::net::SocketAddr;
use std::pin::Pin;

use super::Principal;

/// The future that a [`TokenValidator`] returns. Its output is the principal, or `None` for an
/// invalid token.
pub type ValidationFuture<'a> = Pin<Box<dyn Future<Output = Option<Principal>> + Send + 'a>>;

/// Validates bearer tokens.
///
/// The server calls the validator for every HTTP request, including requests within a session. On
/// standard input and output, it calls the validator once for the environment variable `MCP_TOKEN`.
/// If the validator returns `None`, the token is rejected. The validator cannot return a reason,
/// because callers must not learn why a token is rejected.
///
/// The trait is implemented for `async` closures:
///
/// ```
/// use std::net::SocketAddr;
/// use mcp_runtime::{Server, auth::Principal};
///
/// let server = Server::new("example", "1.0.0")
///     .authenticate(|token: String, _peer: Option<SocketAddr>| async move {
///         (token == "not a good secret").then(|| Principal::new("alice"))
///     });
/// ```
pub trait TokenValidator: Send + Sync + 'static {
    /// Returns the principal of a valid token, or `None` for an invalid token. `peer` is the
    /// network address of the client.
    fn validate<'a>(&'a self, token: &'a str, peer: Option<SocketAddr>) -> ValidationFuture<'a>;
}

impl<F, A> TokenValidator for F
where
    F: Fn(String, Option<SocketAddr>) -> A + Send + Sync + 'static,
    A: Future<Output = Option<Principal>> + Send + 'static,
{
    fn validate<'a>(&'a self, token: &'a str, peer: Option<SocketAddr>) -> ValidationFuture<'a> {
        Box::pin(self(token.to_owned(), peer))
    }
}

impl fmt::Debug for dyn TokenValidator {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("TokenValidator")
    }
}
