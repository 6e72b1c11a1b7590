use std::borrow::Cow;
use std::fmt;

use super::Principal;
use crate::context::TransportKind;

/// Decides whether a caller may use a tool, prompt or resource, in addition to the scope check.
///
/// The server calls the authorizer for every listed definition and for every call, before it
/// reads the arguments. Therefore the authorizer must be fast. Look data up in the
/// [`TokenValidator`](super::TokenValidator) and store it in [`Principal::extra`].
///
/// The trait is implemented for closures:
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
    /// Decides whether to allow or deny the access.
    fn decide(&self, access: &Access<'_>) -> Decision;
}

/// The access of a caller to a tool, a prompt or a resource. Listing and using a definition are
/// both accesses.
///
/// See [`Authorizer`] for an example.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Access<'a> {
    /// The caller, or `None` for a caller without a token.
    pub principal: Option<&'a Principal>,
    /// The transport of the request.
    pub transport: TransportKind,
    /// The kind of the definition: `tool`, `prompt`, `resource`, `resource template` or `method`. A
    /// `method` is a method that you have added with [`Server::method`](crate::Server::method).
    pub kind: &'static str,
    /// The name of the tool, prompt or method, or the URI of the resource.
    ///
    /// A request for a resource of a resource template is allowed only if the authorizer allows two
    /// accesses. The first access is to the template, and the second access is to the `resource`
    /// with the URI of the request. This URI is normalized (RFC 3986, section 6.2.2), so unreserved
    /// characters are not percent-encoded.
    pub name: &'a str,
    /// The required scopes. The server also checks that the caller has all of them.
    pub scopes: &'a [&'a str],
}

/// The decision of an [`Authorizer`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub enum Decision {
    /// The caller may list and use the definition.
    Allow,
    /// The definition is hidden from the caller. The reason is only written to the audit record.
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
