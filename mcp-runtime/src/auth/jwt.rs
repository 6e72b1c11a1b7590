//! The validation of JSON Web Tokens that an authorization server has signed (RFC 7519, RFC 9068).

mod keys;
#[cfg(test)]
mod tests;

use std::fmt;
use std::net::SocketAddr;
use std::time::Duration;

use data_encoding::BASE64URL_NOPAD;
pub use jsonwebtoken::Algorithm;
use jsonwebtoken::{Validation, decode, decode_header};
use serde_json::Value;

pub use keys::{InvalidKeys, JwtKeys};

use super::{Principal, TokenValidator, ValidationFuture};
use crate::protocol::JsonObject;

/// The maximum length of a token, in bytes.
const MAX_TOKEN_BYTES: usize = 16 * 1024;

/// A validator of JSON Web Tokens. It checks the signature, algorithm, issuer, audience and expiry.
///
/// The claim `sub` becomes [`Principal::id`], `name` becomes the display name, and `scope` and
/// `scp` become the scopes. All other claims are stored in [`Principal::extra`]. The claims `exp`,
/// `iss`, `aud` and `sub` are required.
///
/// ```no_run
/// use mcp_runtime::{Server, auth::{JwtKeys, JwtValidator}};
///
/// let keys = JwtKeys::from_file("jwks.json")?;
/// let validator = JwtValidator::new("https://as.example.com", "https://example.com/mcp", keys);
/// let server = Server::new("example", "1.0.0").authenticate(validator);
/// # Ok::<(), mcp_runtime::auth::InvalidKeys>(())
/// ```
pub struct JwtValidator {
    keys: JwtKeys,
    validation: Validation,
}

impl JwtValidator {
    /// Creates a validator for tokens that `issuer` has issued for `audience`, which is the URI of
    /// this server.
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

    /// Sets the allowed signature algorithms. Defaults to `RS256`, `ES256` and `EdDSA`.
    ///
    /// The algorithm in the header of a token must be one of the allowed algorithms, and it must
    /// match the key.
    #[must_use]
    pub fn algorithms(mut self, algorithms: impl IntoIterator<Item = Algorithm>) -> Self {
        self.validation.algorithms = algorithms.into_iter().collect();
        self
    }

    /// Sets the maximum difference between the clocks of the issuer and the server. Defaults to 30
    /// seconds.
    #[must_use]
    pub fn leeway(mut self, leeway: Duration) -> Self {
        // Whole seconds are compared, so a fraction is rounded up.
        let fraction = u64::from(leeway.subsec_nanos() > 0);
        self.validation.leeway = leeway.as_secs().saturating_add(fraction);
        self
    }

    async fn principal(&self, token: &str) -> Result<Principal, TokenError> {
        if token.len() > MAX_TOKEN_BYTES {
            return Err(TokenError("it is too long"));
        }
        check_header(token)?;
        let header = decode_header(token).map_err(|_| TokenError("its header cannot be read"))?;
        if !self.validation.algorithms.contains(&header.alg) {
            return Err(TokenError("its algorithm is not allowed"));
        }
        // `decode` fails if one of the allowed algorithms does not match the family of the key.
        let mut validation = self.validation.clone();
        validation.algorithms = vec![header.alg];
        let candidates = self.keys.find(header.kid.as_deref(), header.alg).await;
        for key in &candidates {
            if let Ok(token) = decode::<JsonObject>(token, key, &validation) {
                check_times(&token.claims)?;
                return principal(token.claims).ok_or(TokenError("it has no subject"));
            }
        }
        Err(match candidates.as_slice() {
            [] => TokenError("its key is unknown"),
            _ => TokenError("its signature or a claim is invalid"),
        })
    }
}

/// The types of an access token; a token without a type is allowed (RFC 9068 §2.1).
const TYPES: [&str; 3] = ["jwt", "at+jwt", "application/at+jwt"];

/// Rejects a token of another type, such as an ID token with a type of its own, and a token with
/// critical header parameters, none of which is supported (RFC 7515 §4.1.11).
fn check_header(token: &str) -> Result<(), TokenError> {
    let unreadable = TokenError("its header cannot be read");
    let encoded = token.split('.').next().unwrap_or_default();
    let Ok(json) = BASE64URL_NOPAD.decode(encoded.as_bytes()) else {
        return Err(unreadable);
    };
    let Ok(header) = serde_json::from_slice::<JsonObject>(&json) else {
        return Err(unreadable);
    };
    if header.contains_key("crit") {
        return Err(TokenError("it has critical header parameters"));
    }
    let is_known = |kind: &str| TYPES.iter().any(|known| known.eq_ignore_ascii_case(kind));
    match header.get("typ") {
        None => Ok(()),
        Some(Value::String(kind)) if is_known(kind) => Ok(()),
        Some(_) => Err(TokenError("it is not an access token")),
    }
}

/// Rejects a time that is not a number, which the validation of claims skips
/// (RFC 7519 §2, *NumericDate*).
fn check_times(claims: &JsonObject) -> Result<(), TokenError> {
    let mut times = ["exp", "nbf", "iat"]
        .into_iter()
        .filter_map(|name| claims.get(name));
    match times.all(Value::is_number) {
        true => Ok(()),
        false => Err(TokenError("a time is not a number")),
    }
}

/// The reason why a token is invalid, for the log. It does not contain the token.
struct TokenError(&'static str);

impl TokenValidator for JwtValidator {
    fn validate<'a>(&'a self, token: &'a str, _: Option<SocketAddr>) -> ValidationFuture<'a> {
        Box::pin(async move {
            let validated = self.principal(token).await;
            validated
                .inspect_err(|TokenError(reason)| tracing::debug!("a token was rejected: {reason}"))
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
