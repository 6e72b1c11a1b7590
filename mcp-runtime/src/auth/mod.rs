//! Authentication and authorization.
//!
//! A [`TokenValidator`] validates a bearer token and returns its [`Principal`]. Scopes and an
//! optional [`Authorizer`] decide which tools, prompts and resources the principal may list and
//! use.

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

pub(crate) use access_control::{AccessControl, AccessOutcome};
pub use authorizer::{Access, Authorizer, Decision};
pub use challenge::Challenge;
#[cfg(feature = "jwt")]
pub use jwt::{Algorithm, InvalidKeys, JwtKeys, JwtValidator};
pub use metadata::{InvalidResource, ResourceMetadata};
pub use principal::Principal;
pub use scopes::ScopeMatching;
pub use tokens::StaticTokens;
pub use validator::{TokenValidator, ValidationFuture};
