//! Tokens that are signed by an authorization server (RFC 7519, RFC 9068).

mod keys;
#[cfg(test)]
mod tests;

use std::fmt;
use std::net::SocketAddr;
use std::time::Duration;

pub use jsonwebtoken::Algorithm;
use jsonwebtoken::{Validation, decode, decode_header};
use serde_json::Value;

pub use keys::{InvalidKeys, JwtKeys};

use super::{Principal, TokenValidator, Validated};
use crate::protocol::JsonObject;

/// Longer tokens are not looked at.
const LONGEST: usize = 16 * 1024;

/// Validates JSON Web Tokens: signature, algorithm, issuer, audience, expiry.
///
/// `sub` becomes [`Principal::id`], `name` the display name, `scope` and `scp`
/// the scopes, and every other claim goes to [`Principal::extra`]. `exp`, `iss`,
/// `aud` and `sub` must be there.
///
/// ```no_run
/// use mcp_runtime::{Server, auth::{JwtKeys, JwtValidator}};
///
/// let keys = JwtKeys::file("jwks.json")?;
/// let validator = JwtValidator::new("https://as.example.com", "https://example.com/mcp", keys);
/// let server = Server::new("example", "1.0.0").authenticate(validator);
/// # Ok::<(), mcp_runtime::auth::InvalidKeys>(())
/// ```
pub struct JwtValidator {
    keys: JwtKeys,
    validation: Validation,
}

impl JwtValidator {
    /// For tokens of `issuer` that are meant for `audience`, the URI of this server.
    pub fn new(issuer: impl Into<String>, audience: impl Into<String>, keys: JwtKeys) -> Self {
        let mut validation = Validation::new(Algorithm::RS256);
        validation.set_issuer(&[issuer.into()]);
        validation.set_audience(&[audience.into()]);
        validation.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
        validation.validate_nbf = true;
        let this = Self { keys, validation };
        this.algorithms([Algorithm::RS256, Algorithm::ES256, Algorithm::EdDSA])
            .leeway(Duration::from_secs(30))
    }

    /// Takes tokens that are signed so; `RS256`, `ES256` and `EdDSA` unless said.
    ///
    /// A token's own word about its algorithm only counts among these, and only
    /// with a key that is for it.
    #[must_use]
    pub fn algorithms(mut self, algorithms: impl IntoIterator<Item = Algorithm>) -> Self {
        self.validation.algorithms = algorithms.into_iter().collect();
        self
    }

    /// How far the clocks of issuer and server may differ; 30 s unless said.
    #[must_use]
    pub fn leeway(mut self, leeway: Duration) -> Self {
        self.validation.leeway = leeway.as_secs();
        self
    }

    async fn principal(&self, token: &str) -> Result<Principal, Refused> {
        if token.len() > LONGEST {
            return Err(Refused("it is too long"));
        }
        let header = decode_header(token).map_err(|_| Refused("its header is not readable"))?;
        if !self.validation.algorithms.contains(&header.alg) {
            return Err(Refused("its algorithm is not allowed"));
        }
        // The algorithms of one call must all be for the family of its key.
        let mut validation = self.validation.clone();
        validation.algorithms = vec![header.alg];
        let candidates = self.keys.find(header.kid.as_deref(), header.alg).await;
        for key in &candidates {
            if let Ok(token) = decode::<JsonObject>(token, key, &validation) {
                return principal(token.claims).ok_or(Refused("it has no subject"));
            }
        }
        Err(match candidates.as_slice() {
            [] => Refused("no key is known for it"),
            _ => Refused("its signature or a claim is not good"),
        })
    }
}

/// Why a token is not good: for the log of the operator, without the token.
struct Refused(&'static str);

impl TokenValidator for JwtValidator {
    fn validate<'a>(&'a self, token: &'a str, _: Option<SocketAddr>) -> Validated<'a> {
        Box::pin(async move {
            let validated = self.principal(token).await;
            validated
                .inspect_err(|Refused(reason)| tracing::debug!("a token was refused: {reason}"))
                .ok()
        })
    }
}

fn principal(mut claims: JsonObject) -> Option<Principal> {
    let id = match claims.remove("sub") {
        Some(Value::String(id)) if !id.is_empty() => id,
        _ => return None,
    };
    let mut principal = Principal::new(id);
    for claim in ["scope", "scp"] {
        match claims.remove(claim) {
            Some(Value::String(scopes)) => {
                principal = principal.with_scopes(scopes.split_whitespace());
            }
            Some(Value::Array(scopes)) => {
                principal = principal.with_scopes(scopes.iter().filter_map(Value::as_str));
            }
            _ => {}
        }
    }
    if let Some(Value::String(name)) = claims.get("name") {
        principal.display_name = Some(name.clone());
    }
    principal.extra = claims;
    Some(principal)
}

impl fmt::Debug for JwtValidator {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("JwtValidator")
            .field("issuer", &self.validation.iss)
            .field("audience", &self.validation.aud)
            .field("algorithms", &self.validation.algorithms)
            .finish_non_exhaustive()
    }
}
