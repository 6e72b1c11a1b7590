use std::borrow::Cow;
use std::fmt;

use super::Principal;
use crate::context::Channel;

/// Decides beyond scopes who may use what.
///
/// It is asked for lists and for calls alike, after the scopes and before the
/// arguments are read, so it must be quick. What has to be looked up belongs
/// into the [`TokenValidator`](super::TokenValidator), and from there into
/// [`Principal::extra`]. Implemented for closures:
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
    /// Whether the access is allowed.
    fn decide(&self, access: &Access<'_>) -> Decision;
}

/// Somebody wants to see or use a tool, a prompt or a resource.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Access<'a> {
    /// Who; `None` is a local caller without a token.
    pub principal: Option<&'a Principal>,
    /// Through which door.
    pub channel: Channel,
    /// `tool`, `prompt`, `resource` or `resource template`.
    pub kind: &'static str,
    /// The name, or the URI of a resource.
    pub name: &'a str,
    /// The scopes that it needs, all of which the caller has.
    pub scopes: &'a [&'a str],
}

/// What an [`Authorizer`] says.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub enum Decision {
    /// The caller may see and use it.
    Allow,
    /// For this caller it does not exist; the reason is for the audit record only.
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
