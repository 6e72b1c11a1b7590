//! Who calls, and what that caller may use.
//!
//! One seam brings callers in: a [`TokenValidator`] makes a [`Principal`] of a
//! bearer token. One seam decides: scopes, and an [`Authorizer`] after them.
//! Lists and calls ask the same `Guards`, so they cannot disagree.

mod authorizer;
mod challenge;
mod equality;
mod guards;
#[cfg(feature = "jwt")]
mod jwt;
mod metadata;
mod principal;
mod scopes;
mod tokens;
mod validator;

pub use authorizer::{Access, Authorizer, Decision};
pub use challenge::Challenge;
pub(crate) use guards::{Guards, Verdict};
#[cfg(feature = "jwt")]
pub use jwt::{Algorithm, InvalidKeys, JwtKeys, JwtValidator};
pub use metadata::{InvalidResource, ResourceMetadata};
pub use principal::Principal;
pub use scopes::ScopeMatching;
pub use tokens::StaticTokens;
pub use validator::{TokenValidator, Validated};
