//! Authentication and authorization.
//!
//! A [`TokenValidator`] turns a bearer token into a [`Principal`]. Scopes, and then an
//! optional [`Authorizer`], decide what the principal may use. Lists and calls use the
//! same `AccessControl`, so they always agree.

mod access_control;
mod authorizer;
mod challenge;
mod constant_time;
#[cfg(feature = "jwt")]
mod jwt;
mod metadata;
mod principal;
mod scopes;
mod tokens;
mod validator;

pub(crate) use access_control::{AccessControl, Verdict};
pub use authorizer::{Access, Authorizer, Decision};
pub use challenge::Challenge;
#[cfg(feature = "jwt")]
pub use jwt::{Algorithm, InvalidKeys, JwtKeys, JwtValidator};
pub use metadata::{InvalidResource, ResourceMetadata};
pub use principal::Principal;
pub use scopes::ScopeMatching;
pub use tokens::StaticTokens;
pub use validator::{TokenValidator, ValidationFuture};
