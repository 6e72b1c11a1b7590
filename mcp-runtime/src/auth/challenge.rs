use std::fmt;

use super::ResourceMetadata;

/// The value of a `WWW-Authenticate` header (RFC 6750, RFC 9728).
///
/// ```
/// use mcp_runtime::auth::{Challenge, ResourceMetadata};
///
/// let metadata = ResourceMetadata::new("https://example.com/mcp", ["https://as.example.com"])?;
/// let challenge = Challenge::no_token().scopes(["notes:read"]).metadata(&metadata);
/// assert_eq!(
///     challenge.to_string(),
///     "Bearer scope=\"notes:read\", \
///      resource_metadata=\"https://example.com/.well-known/oauth-protected-resource/mcp\"",
/// );
/// # Ok::<(), mcp_runtime::auth::InvalidResource>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Challenge {
    error: Option<&'static str>,
    scopes: Vec<String>,
    metadata: Option<String>,
    description: Option<String>,
}

impl Challenge {
    /// Creates the challenge for a request without a token (status 401). It contains no `error`.
    #[must_use]
    pub fn no_token() -> Self {
        Self::with(None)
    }

    /// Creates the challenge for a request with an invalid token (status 401). It does not contain
    /// the reason why the token is invalid.
    #[must_use]
    pub fn invalid_token() -> Self {
        Self::with(Some("invalid_token"))
    }

    /// Creates the challenge for a request whose token is valid but lacks a scope (status 403).
    #[must_use]
    pub fn insufficient_scope() -> Self {
        Self::with(Some("insufficient_scope"))
    }

    fn with(error: Option<&'static str>) -> Self {
        Self {
            error,
            scopes: Vec::new(),
            metadata: None,
            description: None,
        }
    }

    /// Sets the scopes that the request requires.
    ///
    /// The scope `offline_access` is omitted, because a resource server must not request it.
    #[must_use]
    pub fn scopes<S: Into<String>>(mut self, scopes: impl IntoIterator<Item = S>) -> Self {
        let scopes = scopes.into_iter().map(Into::into);
        self.scopes = scopes.filter(|scope| scope != "offline_access").collect();
        self
    }

    /// Sets the URL of the server's resource metadata.
    #[must_use]
    pub fn metadata(mut self, metadata: &ResourceMetadata) -> Self {
        self.metadata = Some(metadata.url());
        self
    }

    /// Sets the description of the error for the developer of the client.
    #[must_use]
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }
}

impl fmt::Display for Challenge {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scopes = (!self.scopes.is_empty()).then(|| self.scopes.join(" "));
        let parameters = [
            ("error", self.error),
            ("scope", scopes.as_deref()),
            ("resource_metadata", self.metadata.as_deref()),
            ("error_description", self.description.as_deref()),
        ];
        formatter.write_str("Bearer")?;
        let present = parameters
            .into_iter()
            .filter_map(|(name, value)| Some((name, value?)));
        for (index, (name, value)) in present.enumerate() {
            let separator = if index == 0 { " " } else { ", " };
            write!(formatter, "{separator}{name}=\"")?;
            // RFC 6750 §3 does not allow quotes or characters that need escaping.
            for character in value.chars().filter(|character| is_allowed(*character)) {
                write!(formatter, "{character}")?;
            }
            formatter.write_str("\"")?;
        }
        Ok(())
    }
}

fn is_allowed(character: char) -> bool {
    matches!(character, ' '..='~') && character != '"' && character != '\\'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(challenge: &Challenge, expected: &str) {
        assert_eq!(challenge.to_string(), expected);
    }

    #[test]
    fn no_token_names_no_error() {
        check(&Challenge::no_token(), "Bearer");
        let scoped = Challenge::no_token().scopes(["a", "offline_access", "b"]);
        check(&scoped, "Bearer scope=\"a b\"");
    }

    #[test]
    fn errors_are_those_of_rfc_6750() {
        check(
            &Challenge::invalid_token(),
            "Bearer error=\"invalid_token\"",
        );
        let metadata = ResourceMetadata::new("https://h/mcp", ["https://as"]).unwrap();
        check(
            &Challenge::insufficient_scope()
                .scopes(["files:write"])
                .metadata(&metadata)
                .description("more is needed"),
            "Bearer error=\"insufficient_scope\", scope=\"files:write\", \
             resource_metadata=\"https://h/.well-known/oauth-protected-resource/mcp\", \
             error_description=\"more is needed\"",
        );
    }

    #[test]
    fn nothing_breaks_out_of_a_value() {
        let hostile = Challenge::no_token().description("a\", x=\"b\\\r\nSet-Cookie: ä");
        check(&hostile, "Bearer error_description=\"a, x=bSet-Cookie: \"");
    }
}
