use serde::Serialize;

const WELL_KNOWN: &str = "/.well-known/oauth-protected-resource";

/// What the server tells about itself as a protected resource (RFC 9728).
///
/// It is served without a token at [`paths`](Self::paths).
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
    /// The canonical URI of the server, to which tokens must be issued.
    pub resource: String,
    /// Who issues tokens for it; at least one.
    pub authorization_servers: Vec<String>,
    /// The least that is needed to use the server at all.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub scopes_supported: Vec<String>,
    /// How tokens are sent: in the header alone.
    pub bearer_methods_supported: [&'static str; 1],
    /// A name for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resource_name: Option<String>,
}

/// A URI that does not name a resource, or no server that issues tokens for it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidResource {
    /// It is relative, has a fragment or a query, or is not HTTP.
    #[error("`{0}` must be an absolute `http` or `https` URI without query and fragment")]
    Uri(String),
    /// No authorization server was named.
    #[error("a protected resource needs an authorization server at least")]
    NoAuthorizationServer,
}

impl ResourceMetadata {
    /// Of the server at `resource`, for which those servers issue tokens.
    ///
    /// # Errors
    /// [`InvalidResource`] as its variants say.
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

    /// With the scopes that clients should ask for at first.
    ///
    /// `offline_access` is left out: it is not for a resource to ask for.
    #[must_use]
    pub fn scopes<S: Into<String>>(mut self, scopes: impl IntoIterator<Item = S>) -> Self {
        let scopes = scopes.into_iter().map(Into::into);
        self.scopes_supported = scopes.filter(|scope| scope != "offline_access").collect();
        self
    }

    /// With a name for people.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.resource_name = Some(name.into());
        self
    }

    /// Where the document is, for `WWW-Authenticate`.
    #[must_use]
    pub fn url(&self) -> String {
        let (origin, path) = split(&self.resource).unwrap_or_default();
        format!("{origin}{WELL_KNOWN}{path}")
    }

    /// The paths on the server that answer with the document, the best first.
    #[must_use]
    pub fn paths(&self) -> Vec<String> {
        let (_, path) = split(&self.resource).unwrap_or_default();
        let mut paths = vec![format!("{WELL_KNOWN}{path}")];
        if !path.is_empty() {
            paths.push(WELL_KNOWN.to_owned());
        }
        paths
    }

    /// The document as JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// The origin, and the path without a slash at its end.
fn split(uri: &str) -> Option<(&str, &str)> {
    let (scheme, rest) = uri.split_once("://")?;
    let known = ["http", "https"]
        .iter()
        .any(|it| scheme.eq_ignore_ascii_case(it));
    let plain = !uri.contains(|letter: char| {
        letter == '#' || letter == '?' || letter.is_whitespace() || letter.is_control()
    });
    let host = rest.find('/').unwrap_or(rest.len());
    if !known || !plain || host == 0 {
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
    fn what_is_no_resource_is_refused() {
        for uri in [
            "",
            "/mcp",
            "ftp://h/mcp",
            "https://",
            "https:///mcp",
            "https://h/#a",
            "https://h/?a",
        ] {
            let refused = ResourceMetadata::new(uri, ["https://as"]).unwrap_err();
            assert_eq!(refused, InvalidResource::Uri(uri.to_owned()));
        }
        let none: [&str; 0] = [];
        let refused = ResourceMetadata::new("https://h/mcp", none).unwrap_err();
        assert_eq!(refused, InvalidResource::NoAuthorizationServer);
    }

    #[test]
    fn the_document_has_what_rfc_9728_demands() {
        let metadata = ResourceMetadata::new("https://h/mcp", ["https://as"]).unwrap();
        assert_eq!(
            metadata.scopes(["a", "offline_access"]).to_json(),
            r#"{"resource":"https://h/mcp","authorization_servers":["https://as"],"scopes_supported":["a"],"bearer_methods_supported":["header"]}"#
        );
    }
}
