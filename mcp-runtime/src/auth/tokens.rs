use std::fmt;
use std::net::SocketAddr;

use super::constant_time::constant_time_eq;
use super::{Principal, TokenValidator, ValidationFuture};

/// A validator with a fixed set of tokens, which are compared in constant time.
///
/// Tokens should be random and long, such as 32 bytes in base64, because an attacker can try many
/// tokens per second.
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
    /// Creates a validator without tokens.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a token and its principal. Ignores an empty token.
    #[must_use]
    pub fn token(mut self, token: impl Into<String>, principal: Principal) -> Self {
        let token = token.into();
        if !token.is_empty() {
            self.0.push((token, principal));
        }
        self
    }

    /// Finds the principal of a token. The search compares all tokens, because its time must not
    /// disclose which token matches.
    fn find(&self, token: &str) -> Option<&Principal> {
        let mut found = None;
        for (secret, principal) in &self.0 {
            if constant_time_eq(token.as_bytes(), secret.as_bytes()) {
                found = Some(principal);
            }
        }
        found
    }
}

impl TokenValidator for StaticTokens {
    fn validate<'a>(&'a self, token: &'a str, _: Option<SocketAddr>) -> ValidationFuture<'a> {
        let found = self.find(token).cloned();
        Box::pin(std::future::ready(found))
    }
}

/// Formats the ids of the principals without their tokens.
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
