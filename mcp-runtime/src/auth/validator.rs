use std::fmt;
use std::future::Future;
use std::net::SocketAddr;
use std::pin::Pin;

use super::Principal;

/// What a [`TokenValidator`] comes to.
pub type Validated<'a> = Pin<Box<dyn Future<Output = Option<Principal>> + Send + 'a>>;

/// Makes a [`Principal`] of a bearer token.
///
/// It is asked for every HTTP request, also inside a session, and once for the
/// variable `MCP_TOKEN` where the server speaks on standard input and output.
/// `None` refuses; why does not cross this seam, so that no caller can learn it.
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
    /// Who sent the token from that address, if it is good now.
    fn validate<'a>(&'a self, token: &'a str, peer: Option<SocketAddr>) -> Validated<'a>;
}

impl<F, A> TokenValidator for F
where
    F: Fn(String, Option<SocketAddr>) -> A + Send + Sync + 'static,
    A: Future<Output = Option<Principal>> + Send + 'static,
{
    fn validate<'a>(&'a self, token: &'a str, peer: Option<SocketAddr>) -> Validated<'a> {
        Box::pin(self(token.to_owned(), peer))
    }
}

impl fmt::Debug for dyn TokenValidator {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("TokenValidator")
    }
}
