use std::borrow::Cow;
use std::fmt;

use super::Principal;
use crate::context::TransportKind;

/// Decides who may use what, in addition to scopes.
///
/// It is called for lists and for calls, after the scope check and before the arguments
/// are read, so it must be fast. Look data up in the
/// [`TokenValidator`](super::TokenValidator) and store it in [`Principal::extra`].
/// Implemented for closures:
///
/// ```
/// use mcp_runtime::{Server, auth::{Access, Decision}};
///
/// let server = Server::new("example", "1.0.0").authorizer(|access: &Access<'_>| {
///     match access.name.starts_with("admin_") {
///         true => Decision::Deny("not on this server".into()),
///         false => Decision::Allow,
///     }
/// });
/// ```
pub trait Authorizer: Send + Sync + 'static {
    /// Allows or denies the access.
    fn decide(&self, access: &Access<'_>) -> Decision;
}

/// The access of a caller to a tool, a prompt or a resource, when it is listed or used.
///
/// See [`Authorizer`] for an example.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Access<'a> {
    /// The caller; `None` is a local caller without a token.
    pub principal: Option<&'a Principal>,
    /// The transport of the request.
    pub transport: TransportKind,
    /// `tool`, `prompt`, `resource` or `resource template`.
    pub kind: &'static str,
    /// The name, or the URI of a resource.
    pub name: &'a str,
    /// The required scopes, all of which the caller has.
    pub scopes: &'a [&'a str],
}

/// The decision of an [`Authorizer`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub enum Decision {
    /// The caller may list and use it.
    Allow,
    /// It does not exist for this caller; only the audit record contains the reason.
    Deny(Cow<'static, str>),
}

impl<F: Fn(&Access<'_>) -> Decision + Send + Sync + 'static> Authorizer for F {
    fn decide(&self, access: &Access<'_>) -> Decision {
        self(access)
    }
}

impl fmt::Debug for dyn Authorizer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Authorizer")
    }
}
