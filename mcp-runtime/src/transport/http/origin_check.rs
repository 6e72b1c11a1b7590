use std::borrow::Cow;

use http::request::Parts;
use http::uri::Authority;
use http::{HeaderValue, StatusCode, Version, header};

use super::headers::{self, InvalidHeader};
use super::options::HttpOptions;

/// The loopback host names. A web page from another machine cannot have one of these hosts.
const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// The allowed values of the `Host` and `Origin` headers. Checking them prevents DNS rebinding by
/// web pages (specification, *Transports*, *Security Warning*).
#[derive(Debug)]
pub(super) struct HostOriginPolicy {
    hosts: Vec<String>,
    any_host: bool,
    origins: Vec<String>,
}

/// The HTTP status and message of the response that rejects a request.
type Rejection = (StatusCode, String);

impl HostOriginPolicy {
    pub(super) fn new(options: &HttpOptions) -> Self {
        Self {
            hosts: options.public_hosts.clone(),
            any_host: options.any_host,
            origins: options.origins.clone(),
        }
    }

    /// Checks `Host` and `Origin`, and returns the origin for the CORS headers of the response. The
    /// origin is `None` if the response needs no CORS headers.
    ///
    /// # Errors
    /// Returns the status and a message for the operator if the request is not allowed.
    pub(super) fn check(&self, parts: &Parts) -> Result<Option<HeaderValue>, Rejection> {
        let forbidden = |message| (StatusCode::FORBIDDEN, message);
        let host = host(parts).map_err(|message| (StatusCode::BAD_REQUEST, message.to_owned()))?;
        let host = host.map(lowercase);
        if !self.any_host {
            let host = host.as_deref().unwrap_or_default();
            self.check_host(host).map_err(forbidden)?;
        }
        let mut cors_origin = None;
        for origin in parts.headers.get_all(header::ORIGIN) {
            let checked = self.check_origin(origin, host.as_deref());
            cors_origin = checked.map_err(forbidden)?;
        }
        Ok(cors_origin)
    }

    fn check_host(&self, host: &str) -> Result<(), String> {
        let name = without_port(host);
        if LOOPBACK.contains(&name) || self.hosts.iter().any(|it| it == host || it == name) {
            return Ok(());
        }
        let host = crate::text::truncate(host, 80);
        Err(format!(
            "the host `{host}` is not served here; if it is a name of this server, \
             add `--public-host {host}` or `HttpOptions::public_host(\"{host}\")`"
        ))
    }

    fn check_origin(
        &self,
        origin: &HeaderValue,
        host: Option<&str>,
    ) -> Result<Option<HeaderValue>, String> {
        let text = origin.to_str().unwrap_or_default().to_ascii_lowercase();
        let authority = text.split_once("://").map(|(_, authority)| authority);
        // A page of this machine, such as an MCP inspector, usually has another port than the
        // server.
        let local = authority.is_some_and(|it| LOOPBACK.contains(&without_port(it)));
        if local || self.origins.contains(&text) {
            return Ok(Some(origin.clone()));
        }
        // A page of this server has the same host as the request, which was checked above.
        let same_host = !self.any_host && host.is_some() && authority == host;
        if same_host {
            return Ok(None);
        }
        let origin = crate::text::truncate(&text, 80);
        Err(format!(
            "pages from `{origin}` may not use this server; to let them, \
             add `--allow-origin {origin}` or `HttpOptions::allow_origin(\"{origin}\")`"
        ))
    }
}

/// Returns the host in the target of a request, or else the host in its `Host` header. HTTP/1.1
/// requires exactly one `Host` header (RFC 9112 §3.2).
fn host(parts: &Parts) -> Result<Option<&str>, &'static str> {
    let header = headers::text(&parts.headers, &header::HOST);
    let header = header.map_err(|InvalidHeader| "`Host` must occur once, in visible ASCII")?;
    if header.is_none() && parts.version == Version::HTTP_11 {
        return Err("`Host` is missing");
    }
    Ok(parts.uri.authority().map(Authority::as_str).or(header))
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
    use http::Request;

    use super::*;

    fn is_allowed(options: &HttpOptions, host: &str, origin: Option<&str>) -> bool {
        let mut request = Request::new(());
        let headers = request.headers_mut();
        headers.insert(header::HOST, host.parse().unwrap());
        if let Some(origin) = origin {
            headers.insert(header::ORIGIN, origin.parse().unwrap());
        }
        let parts = request.into_parts().0;
        HostOriginPolicy::new(options).check(&parts).is_ok()
    }

    #[test]
    fn allows_only_this_machine_by_default() {
        let check = |host, origin, expected| {
            let options = HttpOptions::new();
            assert_eq!(
                is_allowed(&options, host, origin),
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
    fn allows_configured_hosts_and_origins() {
        let options = HttpOptions::new()
            .public_host("Mcp.Example.com")
            .public_host("other.example.com:8443")
            .allow_origin("https://app.example.com");
        let check = |host, origin, expected| {
            assert_eq!(
                is_allowed(&options, host, origin),
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
    fn any_host_still_checks_the_origin() {
        let options = HttpOptions::new().any_host();
        assert!(is_allowed(&options, "anything", None));
        let origin = Some("https://evil.example.com");
        assert!(!is_allowed(&options, "evil.example.com", origin));
    }
}
