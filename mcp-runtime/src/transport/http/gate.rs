use std::borrow::Cow;

use http::{HeaderMap, HeaderValue, header};

use super::HttpOptions;

/// Names of this machine, which a page from elsewhere cannot have as its host.
const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// Who may talk to an endpoint at all: its `Host` and `Origin` rules, against
/// pages that reach a local server through a name of their own
/// (specification, *Transports*, *Security Warning*).
#[derive(Debug)]
pub(super) struct Gate {
    hosts: Vec<String>,
    any_host: bool,
    origins: Vec<String>,
}

/// Why a request is not let in, for whoever runs the server.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Refused(pub(super) String);

/// A request that was let in.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Admitted {
    /// The origin to name in CORS headers.
    pub(super) cors: Option<HeaderValue>,
}

impl Gate {
    pub(super) fn new(options: &HttpOptions) -> Self {
        Self {
            hosts: options.public_hosts.clone(),
            any_host: options.any_host,
            origins: options.origins.clone(),
        }
    }

    pub(super) fn admit(
        &self,
        headers: &HeaderMap,
        authority: Option<&str>,
    ) -> Result<Admitted, Refused> {
        let named = headers.get(header::HOST).map(|host| host.to_str());
        let host = match named {
            Some(Ok(host)) => Some(host),
            Some(Err(_)) => return Err(Refused("the `Host` header is not text".to_owned())),
            // HTTP/2 has it in the URI.
            None => authority,
        };
        let host = host.map(lowercase);
        if !self.any_host {
            self.admit_host(host.as_deref().unwrap_or_default())?;
        }
        match headers.get(header::ORIGIN) {
            None => Ok(Admitted { cors: None }),
            Some(origin) => self.admit_origin(origin, host.as_deref()),
        }
    }

    fn admit_host(&self, host: &str) -> Result<(), Refused> {
        let name = without_port(host);
        if LOOPBACK.contains(&name) || self.hosts.iter().any(|it| it == host || it == name) {
            return Ok(());
        }
        let host = crate::text::shortened(host, 80);
        Err(Refused(format!(
            "the host `{host}` is not served here; if it is a name of this server, \
             add `--public-host {host}` or `HttpOptions::public_host(\"{host}\")`"
        )))
    }

    fn admit_origin(&self, origin: &HeaderValue, host: Option<&str>) -> Result<Admitted, Refused> {
        let text = origin.to_str().unwrap_or_default().to_ascii_lowercase();
        if self.origins.contains(&text) {
            let cors = Some(origin.clone());
            return Ok(Admitted { cors });
        }
        let authority = text.split_once("://").map(|(_, authority)| authority);
        let local = authority.is_some_and(|it| LOOPBACK.contains(&without_port(it)));
        // A page from a host that is known to be this server's.
        let own = !self.any_host && host.is_some() && authority == host;
        if local || own {
            return Ok(Admitted { cors: None });
        }
        let origin = crate::text::shortened(&text, 80);
        Err(Refused(format!(
            "pages from `{origin}` may not use this server; to let them, \
             add `--allow-origin {origin}` or `HttpOptions::allow_origin(\"{origin}\")`"
        )))
    }
}

fn lowercase(text: &str) -> Cow<'_, str> {
    match text.bytes().any(|byte| byte.is_ascii_uppercase()) {
        true => Cow::Owned(text.to_ascii_lowercase()),
        false => Cow::Borrowed(text),
    }
}

fn without_port(authority: &str) -> &str {
    match authority.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => authority,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn admitted(options: &HttpOptions, host: &str, origin: Option<&str>) -> bool {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, host.parse().unwrap());
        if let Some(origin) = origin {
            headers.insert(header::ORIGIN, origin.parse().unwrap());
        }
        Gate::new(options).admit(&headers, None).is_ok()
    }

    #[test]
    fn only_names_of_this_machine_are_served() {
        let check = |host, origin, expected| {
            let options = HttpOptions::new();
            assert_eq!(
                admitted(&options, host, origin),
                expected,
                "{host} {origin:?}"
            );
        };
        check("127.0.0.1:8080", None, true);
        check("LocalHost:1", None, true);
        check("[::1]:8080", None, true);
        check("[::1]", None, true);
        check("evil.example.com", None, false);
        check("localhost.evil.example.com", None, false);
        check("127.0.0.1.evil.example.com:8080", None, false);
        check("", None, false);
        check("localhost", Some("http://localhost:3000"), true);
        check("localhost", Some("http://127.0.0.1:8080"), true);
        check("localhost", Some("http://[::1]:8080"), true);
        check("localhost", Some("https://evil.example.com"), false);
        check(
            "localhost",
            Some("http://localhost.evil.example.com"),
            false,
        );
        check(
            "localhost",
            Some("http://localhost@evil.example.com"),
            false,
        );
        check("localhost", Some("null"), false);
        check("localhost", Some(""), false);
        check("evil.example.com", Some("http://evil.example.com"), false);
    }

    #[test]
    fn named_hosts_and_origins_are_served() {
        let options = HttpOptions::new()
            .public_host("Mcp.Example.com")
            .public_host("other.example.com:8443")
            .allow_origin("https://app.example.com");
        let check = |host, origin, expected| {
            assert_eq!(
                admitted(&options, host, origin),
                expected,
                "{host} {origin:?}"
            );
        };
        check("mcp.example.com", None, true);
        check("mcp.example.com:443", None, true);
        check("other.example.com:8443", None, true);
        check("other.example.com", None, false);
        check("mcp.example.com", Some("https://mcp.example.com"), true);
        check("mcp.example.com", Some("https://app.example.com"), true);
        check(
            "mcp.example.com",
            Some("https://app.example.com:444"),
            false,
        );
        check("mcp.example.com", Some("http://app.example.com"), false);
    }

    #[test]
    fn any_host_still_has_its_origins_checked() {
        let options = HttpOptions::new().any_host();
        assert!(admitted(&options, "anything", None));
        let origin = Some("https://evil.example.com");
        assert!(!admitted(&options, "evil.example.com", origin));
    }
}
