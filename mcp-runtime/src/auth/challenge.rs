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
    /// With status 401, where no token was sent: no error is named then.
    #[must_use]
    pub fn no_token() -> Self {
        Self::with(None)
    }

    /// With status 401, where the token is not good; why is not said.
    #[must_use]
    pub fn invalid_token() -> Self {
        Self::with(Some("invalid_token"))
    }

    /// With status 403, where the token is good and not enough.
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

    /// Names all the scopes that the operation needs.
    ///
    /// `offline_access` is left out: it is not for a resource to ask for.
    #[must_use]
    pub fn scopes<S: Into<String>>(mut self, scopes: impl IntoIterator<Item = S>) -> Self {
        let scopes = scopes.into_iter().map(Into::into);
        self.scopes = scopes.filter(|scope| scope != "offline_access").collect();
        self
    }

    /// Says where the metadata of the resource is.
    #[must_use]
    pub fn metadata(mut self, metadata: &ResourceMetadata) -> Self {
        self.metadata = Some(metadata.url());
        self
    }

    /// A sentence for the developer of the client.
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
            // RFC 6750 §3 allows neither quotes nor anything that would need an escape.
            for letter in value.chars().filter(|letter| is_allowed(*letter)) {
                write!(formatter, "{letter}")?;
            }
            formatter.write_str("\"")?;
        }
        Ok(())
    }
}

fn is_allowed(letter: char) -> bool {
    matches!(letter, ' '..='~') && letter != '"' && letter != '\\'
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
