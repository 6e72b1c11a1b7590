//! Who is let in: hosts, origins, addresses, paths.

use mcp_runtime::auth::ResourceMetadata;
use mcp_runtime::{Error, HttpListener, HttpOptions};
use serde_json::json;
use wire::Revision;

use crate::caller::Caller;
use crate::host::{Host, RUNTIME};
use crate::talkative::gated;

fn status(host: &Host, more: &[(&str, &str)]) -> u16 {
    let mut caller = Caller::ready(host, Revision::V2026_07_28);
    let request = caller.request("server/discover", json!({}));
    caller.send(&request, more);
    let (head, _) = caller.line.reply();
    head.status
}

#[test]
fn other_names_and_pages_are_refused() {
    let host = Host::start();
    let own = host.address.to_string();
    let own_page = format!("http://{own}");
    assert_eq!(status(&host, &[("Host", &own), ("Origin", &own_page)]), 200);
    assert_eq!(status(&host, &[("Host", "evil.example.com")]), 403);
    assert_eq!(status(&host, &[("Origin", "http://evil.example.com")]), 403);
    assert_eq!(status(&host, &[("Origin", "null")]), 403);
}

#[test]
fn a_refusal_says_which_setting_lets_in() {
    let check = |more: &[(&str, &str)], settings: [&str; 2]| {
        let host = Host::start();
        let mut line = host.connect();
        line.request("GET", more, None);
        let (head, body) = line.reply();
        assert_eq!(head.status, 403);
        for setting in settings {
            assert!(body.contains(setting), "{body}");
        }
    };
    check(
        &[("Host", "mcp.example.com")],
        ["--public-host mcp.example.com", "public_host("],
    );
    let page = [("Origin", "https://app.example.com")];
    check(
        &page,
        ["--allow-origin https://app.example.com", "allow_origin("],
    );
}

#[test]
fn named_hosts_and_origins_are_let_in() {
    let options = HttpOptions::new()
        .public_host("mcp.example.com")
        .allow_origin("https://app.example.com");
    let host = Host::with(options);
    assert_eq!(status(&host, &[("Host", "mcp.example.com")]), 200);
    assert_eq!(status(&host, &[("Host", "mcp.example.com:8443")]), 200);
    assert_eq!(status(&host, &[("Origin", "https://app.example.com")]), 200);
    assert_eq!(
        status(&host, &[("Origin", "https://app.example.com.evil.example")]),
        403
    );
}

#[test]
fn cors_is_for_named_origins_only() {
    let preflight = |host: &Host, origin: &str| {
        let mut line = host.connect();
        let headers = [
            ("Origin", origin),
            ("Access-Control-Request-Method", "POST"),
            ("Access-Control-Request-Headers", "mcp-param-region"),
        ];
        line.request("OPTIONS", &headers, None);
        line.reply().0
    };
    let page = "https://app.example.com";
    let host = Host::with(HttpOptions::new().allow_origin(page));
    let head = preflight(&host, page);
    assert_eq!(head.status, 204);
    assert_eq!(head.header("access-control-allow-origin"), Some(page));
    assert_eq!(
        head.header("access-control-allow-headers"),
        Some("mcp-param-region")
    );
    assert_eq!(head.header("vary"), Some("Origin"));

    let mut caller = Caller::ready(&host, Revision::V2026_07_28);
    let request = caller.request("tools/list", json!({}));
    let (head, _) = caller.say(&request, &[("Origin", page)]);
    assert_eq!(head.header("access-control-allow-origin"), Some(page));
    let exposed = head.header("access-control-expose-headers").unwrap();
    assert!(exposed.contains("Mcp-Session-Id"));

    let head = preflight(&Host::start(), "http://localhost:3000");
    assert_eq!(
        (head.status, head.header("access-control-allow-origin")),
        (405, None)
    );
}

#[test]
fn pages_of_named_origins_read_what_the_server_tells_of_itself() {
    let page = "https://app.example.com";
    let metadata = ResourceMetadata::new("https://example.com/mcp", ["https://as.example.com"]);
    let server = gated().1.resource_metadata(metadata.unwrap());
    let host = Host::of(server.http(HttpOptions::new().allow_origin(page)));
    let ask = |method: &str, origin: &str| {
        let path = "/.well-known/oauth-protected-resource/mcp";
        let head = format!("{method} {path} HTTP/1.1\r\nHost: localhost\r\n");
        let mut line = host.connect();
        line.write(format!("{head}{origin}\r\n"));
        line.reply()
    };
    let origin = format!("Origin: {page}\r\n");
    for (method, status) in [("OPTIONS", 204), ("GET", 200)] {
        let (head, _) = ask(method, &origin);
        let allowed = head.header("access-control-allow-origin");
        assert_eq!((head.status, allowed), (status, Some(page)));
        assert_eq!(head.header("vary"), Some("Origin"));
    }
    let (head, body) = ask("GET", "");
    assert_eq!(head.header("access-control-allow-origin"), None);
    assert!(body.contains("https://as.example.com"), "{body}");
}

#[test]
fn an_address_that_others_reach_needs_a_name_and_callers_who_are_known() {
    let check = |options: HttpOptions, wanted: Option<&str>| {
        let server = gated().1.http(options);
        // Bound, and never accepted from.
        let listener = RUNTIME.block_on(HttpListener::bind("0.0.0.0:0")).unwrap();
        let served = RUNTIME.block_on(server.serve_http_on(listener, async {}));
        assert_eq!(served.is_err(), wanted.is_some());
        if let (Err(error), Some(wanted)) = (served, wanted) {
            assert!(matches!(
                error,
                Error::NoPublicHost { .. } | Error::OpenToAll { .. }
            ));
            assert!(error.to_string().contains(wanted), "{error}");
        }
    };
    let named = || HttpOptions::new().public_host("mcp.example.com");
    check(HttpOptions::new(), Some("--public-host"));
    check(HttpOptions::new().anonymous(), Some("--public-host"));
    check(named(), Some("--anonymous"));
    check(HttpOptions::new().any_host(), Some("--anonymous"));
    check(named().anonymous(), None);
    check(HttpOptions::new().any_host().anonymous(), None);
}

#[test]
fn only_its_path_is_the_endpoint() {
    let host = Host::with(HttpOptions::new().path("/elsewhere"));
    let mut line = host.connect();
    line.request("GET", &[], None);
    let (head, body) = line.reply();
    assert_eq!(head.status, 404);
    assert!(body.contains("/elsewhere"), "{body}");
}

#[cfg(unix)]
#[test]
fn a_unix_socket_is_served() {
    use std::io::{Read, Write};
    use std::os::unix::net::UnixStream;

    let path = std::env::temp_dir().join(format!("mcp-{}.sock", std::process::id()));
    let address = format!("unix:{}", path.display());
    let listener = RUNTIME.block_on(HttpListener::bind(&address)).unwrap();
    assert_eq!(listener.local_addr(), None);
    let server = gated().1;
    RUNTIME.spawn(server.serve_http_on(listener, std::future::pending()));
    let mut socket = UnixStream::connect(&path).unwrap();
    socket
        .write_all(b"PUT /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        .unwrap();
    let mut answer = String::new();
    socket.read_to_string(&mut answer).unwrap();
    std::fs::remove_file(path).unwrap();
    assert!(answer.starts_with("HTTP/1.1 405"), "{answer}");
}
