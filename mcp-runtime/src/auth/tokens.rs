use std::fmt;
use std::net::SocketAddr;

use super::equality::equal;
use super::{Principal, TokenValidator, Validated};

/// Tokens that are known beforehand, compared in constant time.
///
/// They should be random and long, for example 32 bytes in base64: nothing slows
/// down somebody who guesses.
///
/// ```
/// use mcp_runtime::{Server, auth::{Principal, StaticTokens}};
///
/// let token = std::env::var("ALICES_TOKEN").unwrap_or_default();
/// let tokens = StaticTokens::new().token(token, Principal::new("alice"));
/// let server = Server::new("example", "1.0.0").authenticate(tokens);
/// ```
#[derive(Clone, Default)]
pub struct StaticTokens(Vec<(String, Principal)>);

impl StaticTokens {
    /// No tokens at all.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// With a token and whose it is; an empty one is nobody's.
    #[must_use]
    pub fn token(mut self, token: impl Into<String>, principal: Principal) -> Self {
        let token = token.into();
        if !token.is_empty() {
            self.0.push((token, principal));
        }
        self
    }

    /// Looks at all tokens, so that the time does not tell which one it was.
    fn find(&self, token: &str) -> Option<&Principal> {
        let mut found = None;
        for (secret, principal) in &self.0 {
            if equal(token.as_bytes(), secret.as_bytes()) {
                found = Some(principal);
            }
        }
        found
    }
}

impl TokenValidator for StaticTokens {
    fn validate<'a>(&'a self, token: &'a str, _: Option<SocketAddr>) -> Validated<'a> {
        let found = self.find(token).cloned();
        Box::pin(std::future::ready(found))
    }
}

/// Shows whose tokens there are, and none of them.
impl fmt::Debug for StaticTokens {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let owners = self.0.iter().map(|(_, principal)| &principal.id);
        formatter.debug_list().entries(owners).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(token: &str, expected: Option<&str>) {
        let tokens = StaticTokens::new()
            .token("", Principal::new("nobody"))
            .token("planted-1", Principal::new("alice"))
            .token("planted-2", Principal::new("bob"));
        let found = tokens.find(token).map(|principal| &*principal.id);
        assert_eq!(found, expected);
        assert!(!format!("{tokens:?}").contains("planted"));
    }

    #[test]
    fn a_token_is_its_owners() {
        check("planted-1", Some("alice"));
        check("planted-2", Some("bob"));
    }

    #[test]
    fn anything_else_is_nobodys() {
        for token in ["", "planted-", "planted-11", "PLANTED-1", " planted-1"] {
            check(token, None);
        }
    }
}
