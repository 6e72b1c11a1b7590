use std::fmt;

use http::uri::Authority;
use http::{HeaderValue, Uri};

use crate::client::ClientError;

/// Where a server is, taken apart.
#[derive(Clone)]
pub(super) struct Address {
    pub(super) host: String,
    pub(super) port: u16,
    /// The path and the query, as requests name them.
    pub(super) target: Uri,
    /// The `Host` of requests.
    pub(super) authority: HeaderValue,
}

impl Address {
    /// Reads `http://127.0.0.1:8080/mcp`; `https` only where somebody brings TLS.
    pub(super) fn parse(url: &str, secure: bool) -> Result<Self, ClientError> {
        let refuse = |reason| ClientError::Address { reason };
        let uri: Uri = url.parse().map_err(|_| refuse("it is no URL"))?;
        let port = match uri.scheme_str() {
            Some("http") => 80,
            Some("https") if secure => 443,
            Some("https") => return Err(refuse("TLS is brought by `ClientBuilder::connector`")),
            _ => return Err(refuse("it must begin with `http://`")),
        };
        let authority = uri.authority().ok_or_else(|| refuse("it names no host"))?;
        if authority.as_str().contains('@') {
            return Err(refuse("credentials are given by `ClientBuilder::header`"));
        }
        let target = uri.path_and_query().map_or("/", |it| it.as_str());
        Ok(Self {
            host: authority.host().trim_matches(['[', ']']).to_owned(),
            port: port_of(authority, port).ok_or_else(|| refuse("its port is none"))?,
            target: target.parse().map_err(|_| refuse("its path is none"))?,
            authority: HeaderValue::from_str(authority.as_str())
                .map_err(|_| refuse("its host is none"))?,
        })
    }
}

/// The port that is named, or the usual one where none is.
///
/// `Authority::port` is silent about a wrong one, and the secrets of the headers
/// would go to whoever listens at the usual one.
fn port_of(authority: &Authority, usual: u16) -> Option<u16> {
    match authority.as_str().strip_prefix(authority.host())? {
        "" => Some(usual),
        named => named.strip_prefix(':')?.parse().ok(),
    }
}

impl fmt::Debug for Address {
    /// Without the path and the query, which may hold a secret.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Address({}:{})", self.host, self.port)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_taken_apart() {
        let check = |url: &str, expected: Option<(&str, u16, &str, &str)>| {
            let read = Address::parse(url, false).ok();
            let read = read.map(|it| {
                let authority = it.authority.to_str().unwrap().to_owned();
                (it.host, it.port, it.target.to_string(), authority)
            });
            let expected = expected.map(|(host, port, target, authority)| {
                (
                    host.to_owned(),
                    port,
                    target.to_owned(),
                    authority.to_owned(),
                )
            });
            assert_eq!(read, expected, "{url}");
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
        for wrong in ["80800", "", "80a0", "-1", "8 0", "80:80", "[80]"] {
            check(&format!("http://localhost:{wrong}/mcp"), None);
            check(&format!("http://[::1]:{wrong}/mcp"), None);
        }
        check("http://[::1]80/mcp", None);
        check("https://example.com/mcp", None);
        check("ftp://example.com", None);
        check("http://me:secret@example.com", None);
        check("/mcp", None);
        check("example.com", None);
        check("", None);
        check("http://exa mple.com", None);
        let secure = Address::parse("https://example.com/mcp", true).unwrap();
        assert_eq!(secure.port, 443);
        assert!(Address::parse("https://example.com:4430000/mcp", true).is_err());
    }
}
