use std::fmt;
use std::future::Future;
use std::net::SocketAddr;
use std::pin::Pin;

use super::Principal;

/// The future of a [`TokenValidator`]: the principal, or `None` for an invalid token.
pub type ValidationFuture<'a> = Pin<Box<dyn Future<Output = Option<Principal>> + Send + 'a>>;

/// Validates a bearer token and returns its [`Principal`].
///
/// It is called for every HTTP request, also within a session, and once for the
/// environment variable `MCP_TOKEN` on standard input and output. `None` rejects the
/// token; the trait has no place for a reason, so that no caller can learn it.
/// Implemented for `async` closures:
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
    /// Returns the principal of the token that was sent from the address `peer`, if the
    /// token is valid.
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
