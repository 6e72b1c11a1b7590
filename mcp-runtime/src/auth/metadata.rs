use serde::Serialize;

const WELL_KNOWN: &str = "/.well-known/oauth-protected-resource";

/// The metadata of the server as an OAuth protected resource (RFC 9728).
///
/// The server serves this document without authentication at [`paths`](Self::paths).
///
/// ```
/// use mcp_runtime::{Server, auth::ResourceMetadata};
///
/// let metadata = ResourceMetadata::new("https://mcp.example.com/mcp", ["https://id.example.com"])?;
/// let server = Server::new("example", "1.0.0").resource_metadata(metadata);
/// # Ok::<(), mcp_runtime::auth::InvalidResource>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ResourceMetadata {
    /// The canonical URI of the server, which is also the audience of its tokens.
    pub resource: String,
    /// The authorization servers that issue tokens for this server. There is at least one.
    pub authorization_servers: Vec<String>,
    /// The scopes that a client needs for basic use of the server.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub scopes_supported: Vec<String>,
    /// The methods of sending a token. Only the `Authorization` header is supported.
    pub bearer_methods_supported: [&'static str; 1],
    /// The display name of the server.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resource_name: Option<String>,
}

/// The reason why [`ResourceMetadata::new`] rejects its input.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidResource {
    /// The URI is relative, has a query or a fragment, or is not an HTTP URI.
    #[error("`{0}` must be an absolute `http` or `https` URI without query and fragment")]
    Uri(String),
    /// The list of authorization servers is empty.
    #[error("a protected resource needs at least one authorization server")]
    NoAuthorizationServer,
}

impl ResourceMetadata {
    /// Creates the metadata of the server at the URI `resource`.
    ///
    /// # Errors
    /// Returns [`InvalidResource`] if the URI is invalid or there is no authorization server.
    pub fn new<S: Into<String>>(
        resource: impl Into<String>,
        authorization_servers: impl IntoIterator<Item = S>,
    ) -> Result<Self, InvalidResource> {
        let resource = resource.into();
        let servers: Vec<_> = authorization_servers.into_iter().map(Into::into).collect();
        if split(&resource).is_none() {
            return Err(InvalidResource::Uri(resource));
        }
        if servers.is_empty() {
            return Err(InvalidResource::NoAuthorizationServer);
        }
        Ok(Self {
            resource,
            authorization_servers: servers,
            scopes_supported: Vec::new(),
            bearer_methods_supported: ["header"],
            resource_name: None,
        })
    }

    /// Sets the scopes that clients should request initially.
    ///
    /// The scope `offline_access` is omitted, because a resource server must not request it.
    #[must_use]
    pub fn scopes<S: Into<String>>(mut self, scopes: impl IntoIterator<Item = S>) -> Self {
        let scopes = scopes.into_iter().map(Into::into);
        self.scopes_supported = scopes.filter(|scope| scope != "offline_access").collect();
        self
    }

    /// Sets the display name of the server.
    #[must_use]
    pub fn resource_name(mut self, name: impl Into<String>) -> Self {
        self.resource_name = Some(name.into());
        self
    }

    /// Returns the URL of the metadata document. The `WWW-Authenticate` header contains this URL.
    #[must_use]
    pub fn url(&self) -> String {
        let (origin, path) = split(&self.resource).unwrap_or_default();
        format!("{origin}{WELL_KNOWN}{path}")
    }

    /// Returns the paths at which the server serves the metadata document. The preferred path is
    /// the first.
    #[must_use]
    pub fn paths(&self) -> Vec<String> {
        let (_, path) = split(&self.resource).unwrap_or_default();
        let mut paths = vec![format!("{WELL_KNOWN}{path}")];
        if !path.is_empty() {
            paths.push(WELL_KNOWN.to_owned());
        }
        paths
    }

    /// Returns the metadata document as JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// Splits a URI into its origin and its path. The path has no trailing slash.
fn split(uri: &str) -> Option<(&str, &str)> {
    let (scheme, rest) = uri.split_once("://")?;
    let is_http = ["http", "https"]
        .iter()
        .any(|it| scheme.eq_ignore_ascii_case(it));
    let is_plain = !uri.contains(|character: char| {
        matches!(character, '#' | '?') || character.is_whitespace() || character.is_control()
    });
    let host = rest.find('/').unwrap_or(rest.len());
    if !is_http || !is_plain || host == 0 {
        return None;
    }
    let (origin, path) = uri.split_at(scheme.len() + "://".len() + host);
    Some((origin, path.trim_end_matches('/')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(resource: &str, url: &str, paths: &[&str]) {
        let metadata = ResourceMetadata::new(resource, ["https://as"]).unwrap();
        assert_eq!(metadata.url(), url);
        assert_eq!(metadata.paths(), paths);
    }

    #[test]
    fn the_path_is_inserted_after_the_well_known_one() {
        check(
            "https://h/public/mcp",
            "https://h/.well-known/oauth-protected-resource/public/mcp",
            &[
                "/.well-known/oauth-protected-resource/public/mcp",
                "/.well-known/oauth-protected-resource",
            ],
        );
        for root in ["https://h:8443", "https://h:8443/"] {
            check(
                root,
                "https://h:8443/.well-known/oauth-protected-resource",
                &["/.well-known/oauth-protected-resource"],
            );
        }
    }

    #[test]
    fn an_invalid_resource_is_rejected() {
        for uri in [
            "",
            "/mcp",
            "ftp://h/mcp",
            "https://",
            "https:///mcp",
            "https://h/#a",
            "https://h/?a",
        ] {
            let error = ResourceMetadata::new(uri, ["https://as"]).unwrap_err();
            assert_eq!(error, InvalidResource::Uri(uri.to_owned()));
        }
        let none: [&str; 0] = [];
        let error = ResourceMetadata::new("https://h/mcp", none).unwrap_err();
        assert_eq!(error, InvalidResource::NoAuthorizationServer);
    }

    #[test]
    fn the_document_conforms_to_rfc_9728() {
        let metadata = ResourceMetadata::new("https://h/mcp", ["https://as"]).unwrap();
        assert_eq!(
            metadata.scopes(["a", "offline_access"]).to_json(),
            r#"{"resource":"https://h/mcp","authorization_servers":["https://as"],"scopes_supported":["a"],"bearer_methods_supported":["header"]}"#
        );
    }
}
