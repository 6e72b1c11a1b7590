use std::fmt;

use http::uri::Authority;
use http::{HeaderValue, Uri};

use crate::client::ClientError;

/// The address of a server, parsed from its URL.
#[derive(Clone)]
pub(super) struct ServerAddress {
    pub(super) host: String,
    pub(super) port: u16,
    /// The path and the query.
    pub(super) path_and_query: Uri,
    /// The value of the `Host` header.
    pub(super) authority: HeaderValue,
}

impl ServerAddress {
    /// Parses a URL such as `http://127.0.0.1:8080/mcp`. Accepts `https` only if `tls` is true.
    pub(super) fn parse(url: &str, tls: bool) -> Result<Self, ClientError> {
        let invalid = |reason| ClientError::InvalidConfig { reason };
        let uri: Uri = url.parse().map_err(|_| invalid("the URL is not valid"))?;
        let port = match uri.scheme_str() {
            Some("http") => 80,
            Some("https") if tls => 443,
            Some("https") => return Err(invalid("`https` needs a `ClientBuilder::connector`")),
            _ => return Err(invalid("the URL must start with `http://`")),
        };
        let authority = uri
            .authority()
            .ok_or_else(|| invalid("the URL has no host"))?;
        if authority.as_str().contains('@') {
            return Err(invalid(
                "set credentials with `ClientBuilder::header`, not in the URL",
            ));
        }
        let path = uri.path_and_query().map_or("/", |it| it.as_str());
        Ok(Self {
            host: authority.host().trim_matches(['[', ']']).to_owned(),
            port: port_of(authority, port).ok_or_else(|| invalid("the port is not valid"))?,
            path_and_query: path.parse().map_err(|_| invalid("the path is not valid"))?,
            authority: HeaderValue::from_str(authority.as_str())
                .map_err(|_| invalid("the host is not valid"))?,
        })
    }
}

/// Returns the port of the URL, or `default` if it has none.
///
/// It does not use `Authority::port`, which returns `None` for an invalid port. The client would
/// then send secrets in headers to the default port.
fn port_of(authority: &Authority, default: u16) -> Option<u16> {
    match authority.as_str().strip_prefix(authority.host())? {
        "" => Some(default),
        port => port.strip_prefix(':')?.parse().ok(),
    }
}

impl fmt::Debug for ServerAddress {
    /// Writes only the host and the port, because the path and the query may contain secrets.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "ServerAddress({}:{})", self.host, self.port)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_are_parsed() {
        let check = |url: &str, expected: Option<(&str, u16, &str, &str)>| {
            let parsed = ServerAddress::parse(url, false).ok();
            let parsed = parsed.map(|it| {
                let authority = it.authority.to_str().unwrap().to_owned();
                (it.host, it.port, it.path_and_query.to_string(), authority)
            });
            let expected = expected.map(|(host, port, path, authority)| {
                (host.to_owned(), port, path.to_owned(), authority.to_owned())
            });
            assert_eq!(parsed, expected, "{url}");
        };
        check(
            "http://127.0.0.1:8080/mcp",
            Some(("127.0.0.1", 8080, "/mcp", "127.0.0.1:8080")),
        );
        check(
            "http://localhost",
            Some(("localhost", 80, "/", "localhost")),
        );
        check(
            "http://[::1]:1/a?b=c",
            Some(("::1", 1, "/a?b=c", "[::1]:1")),
        );
        for invalid in ["80800", "", "80a0", "-1", "8 0", "80:80", "[80]"] {
            check(&format!("http://localhost:{invalid}/mcp"), None);
            check(&format!("http://[::1]:{invalid}/mcp"), None);
        }
        check("http://[::1]80/mcp", None);
        check("https://example.com/mcp", None);
        check("ftp://example.com", None);
        check("http://me:secret@example.com", None);
        check("/mcp", None);
        check("example.com", None);
        check("", None);
        check("http://exa mple.com", None);
        let secure = ServerAddress::parse("https://example.com/mcp", true).unwrap();
        assert_eq!(secure.port, 443);
        assert!(ServerAddress::parse("https://example.com:4430000/mcp", true).is_err());
    }
}
