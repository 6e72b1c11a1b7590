//! Checks of host, origin, address and path.

use mcp_runtime::Error;
use mcp_runtime::auth::ResourceMetadata;
use mcp_runtime::transport::{HttpListener, HttpOptions};
use serde_json::json;
use support::wire::Revision;

use crate::http::gated_tools::{gated, start_server, start_server_with};
use support::http_client::HttpClient;
use support::http_server::{HttpServer, RUNTIME};

fn status(server: &HttpServer, more: &[(&str, &str)]) -> u16 {
    let mut client = HttpClient::initialized(server, Revision::V2026_07_28);
    let request = client.new_request("server/discover", json!({}));
    client.send(&request, more);
    let (head, _) = client.connection.read_response();
    head.status
}

#[test]
fn unknown_host_and_origin_are_403() {
    let server = start_server();
    let own = server.address.to_string();
    let own_page = format!("http://{own}");
    assert_eq!(
        status(&server, &[("Host", &own), ("Origin", &own_page)]),
        200
    );
    assert_eq!(status(&server, &[("Host", "evil.example.com")]), 403);
    assert_eq!(
        status(&server, &[("Origin", "http://evil.example.com")]),
        403
    );
    assert_eq!(status(&server, &[("Origin", "null")]), 403);
}

#[test]
fn forbidden_response_names_the_option_to_set() {
    let check = |more: &[(&str, &str)], settings: [&str; 2]| {
        let server = start_server();
        let mut connection = server.connect();
        connection.send_request("GET", more, None);
        let (head, body) = connection.read_response();
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
fn configured_hosts_and_origins_are_allowed() {
    let options = HttpOptions::new()
        .public_host("mcp.example.com")
        .allow_origin("https://app.example.com");
    let server = start_server_with(options);
    assert_eq!(status(&server, &[("Host", "mcp.example.com")]), 200);
    assert_eq!(status(&server, &[("Host", "mcp.example.com:8443")]), 200);
    assert_eq!(
        status(&server, &[("Origin", "https://app.example.com")]),
        200
    );
    assert_eq!(
        status(
            &server,
            &[("Origin", "https://app.example.com.evil.example")]
        ),
        403
    );
}

#[test]
fn cors_headers_are_sent_to_allowed_origins_only() {
    let preflight = |server: &HttpServer, origin: &str| {
        let mut connection = server.connect();
        let headers = [
            ("Origin", origin),
            ("Access-Control-Request-Method", "POST"),
            ("Access-Control-Request-Headers", "mcp-param-region"),
        ];
        connection.send_request("OPTIONS", &headers, None);
        connection.read_response().0
    };
    let page = "https://app.example.com";
    let server = start_server_with(HttpOptions::new().allow_origin(page));
    let head = preflight(&server, page);
    assert_eq!(head.status, 204);
    assert_eq!(head.header("access-control-allow-origin"), Some(page));
    assert_eq!(
        head.header("access-control-allow-headers"),
        Some("mcp-param-region")
    );
    assert_eq!(head.header("vary"), Some("Origin"));

    let mut client = HttpClient::initialized(&server, Revision::V2026_07_28);
    let request = client.new_request("tools/list", json!({}));
    let (head, _) = client.post(&request, &[("Origin", page)]);
    assert_eq!(head.header("access-control-allow-origin"), Some(page));
    let exposed = head.header("access-control-expose-headers").unwrap();
    assert!(exposed.contains("Mcp-Session-Id"));

    // Pages of this machine, such as an inspector, need no option.
    for page in [
        "http://localhost:6274",
        "http://127.0.0.1:3000",
        "http://[::1]:1",
    ] {
        let server = start_server();
        let head = preflight(&server, page);
        let allowed = head.header("access-control-allow-origin");
        assert_eq!((head.status, allowed), (204, Some(page)));
        let mut client = HttpClient::initialized(&server, Revision::V2025_11_25);
        let request = client.new_request("tools/list", json!({}));
        let (head, _) = client.post(&request, &[("Origin", page)]);
        assert_eq!(head.header("access-control-allow-origin"), Some(page));
        let exposed = head.header("access-control-expose-headers").unwrap();
        assert!(exposed.contains("Mcp-Session-Id"));
    }
    let head = preflight(&start_server(), "http://localhost.example.com");
    assert_eq!(
        (head.status, head.header("access-control-allow-origin")),
        (403, None)
    );
}

#[test]
fn trailing_slash_is_the_same_endpoint() {
    for (served, path, status) in [
        ("/mcp", "/mcp/", 405),
        ("/mcp/", "/mcp", 405),
        ("/mcp", "/mcp//", 404),
        ("/mcp", "/other", 404),
        ("/", "/", 405),
    ] {
        let server = start_server_with(HttpOptions::new().path(served));
        let mut connection = server.connect();
        connection.write(format!("PUT {path} HTTP/1.1\r\nHost: localhost\r\n\r\n"));
        let (head, _) = connection.read_response();
        assert_eq!(head.status, status, "{served} {path}");
    }
}

#[test]
fn allowed_origins_can_read_resource_metadata() {
    let page = "https://app.example.com";
    let metadata = ResourceMetadata::new("https://example.com/mcp", ["https://as.example.com"]);
    let server = gated().1.resource_metadata(metadata.unwrap());
    let server = HttpServer::start(server.http(HttpOptions::new().allow_origin(page)));
    let send = |method: &str, origin: &str| {
        let path = "/.well-known/oauth-protected-resource/mcp";
        let head = format!("{method} {path} HTTP/1.1\r\nHost: localhost\r\n");
        let mut connection = server.connect();
        connection.write(format!("{head}{origin}\r\n"));
        connection.read_response()
    };
    let origin = format!("Origin: {page}\r\n");
    for (method, status) in [("OPTIONS", 204), ("GET", 200)] {
        let (head, _) = send(method, &origin);
        let allowed = head.header("access-control-allow-origin");
        assert_eq!((head.status, allowed), (status, Some(page)));
        assert_eq!(head.header("vary"), Some("Origin"));
    }
    let (head, body) = send("GET", "");
    assert_eq!(head.header("access-control-allow-origin"), None);
    assert!(body.contains("https://as.example.com"), "{body}");
}

#[test]
fn public_address_needs_public_host_and_authentication() {
    let check = |options: HttpOptions, wanted: Option<&str>| {
        let server = gated().1.http(options);
        // Bound, but never accepts a connection.
        let listener = RUNTIME.block_on(HttpListener::bind("0.0.0.0:0")).unwrap();
        let served = RUNTIME.block_on(server.serve_http_on(listener, async {}));
        assert_eq!(served.is_err(), wanted.is_some());
        if let (Err(error), Some(wanted)) = (served, wanted) {
            assert!(matches!(
                error,
                Error::NoPublicHost { .. } | Error::PublicWithoutAuth { .. }
            ));
            assert!(error.to_string().contains(wanted), "{error}");
        }
    };
    let named = || HttpOptions::new().public_host("mcp.example.com");
    check(HttpOptions::new(), Some("--public-host"));
    check(HttpOptions::new().allow_anonymous(), Some("--public-host"));
    check(named(), Some("--anonymous"));
    check(HttpOptions::new().any_host(), Some("--anonymous"));
    check(named().allow_anonymous(), None);
    check(HttpOptions::new().any_host().allow_anonymous(), None);
}

#[test]
fn other_paths_are_404() {
    let server = start_server_with(HttpOptions::new().path("/elsewhere"));
    let mut connection = server.connect();
    connection.send_request("GET", &[], None);
    let (head, body) = connection.read_response();
    assert_eq!(head.status, 404);
    assert!(body.contains("/elsewhere"), "{body}");
}

#[cfg(unix)]
#[test]
fn unix_socket_is_served() {
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

#[test]
fn host_is_needed_once_and_every_origin_is_checked() {
    let server = start_server();
    let check = |version: &str, headers: &str, expected: u16| {
        let mut connection = server.connect();
        connection.write(format!("PUT /mcp HTTP/{version}\r\n{headers}\r\n"));
        assert_eq!(connection.read_head().status, expected, "{headers}");
    };
    check("1.1", "", 400);
    check("1.0", "", 403);
    check("1.1", "Host: localhost\r\nHost: localhost\r\n", 400);
    check("1.1", "Host: localhost\r\nHost: evil.example\r\n", 400);
    check("1.1", "Host: evil.example\r\nHost: localhost\r\n", 400);
    check("1.1", "Host: localhost\r\n", 405);
    check("1.0", "Host: localhost\r\n", 405);
    let good = "Origin: http://localhost\r\n";
    let evil = "Origin: http://evil.example\r\n";
    for (origins, expected) in [
        ([good, good], 405),
        ([good, evil], 403),
        ([evil, good], 403),
    ] {
        let headers = format!("Host: localhost\r\n{}", origins.concat());
        check("1.1", &headers, expected);
    }
}

#[test]
fn host_of_an_absolute_target_is_the_one_to_check() {
    let server = start_server_with(HttpOptions::new().public_host("mcp.example.com"));
    let check = |target: &str, host: &str, expected: u16| {
        let mut connection = server.connect();
        connection.write(format!("PUT {target} HTTP/1.1\r\nHost: {host}\r\n\r\n"));
        assert_eq!(connection.read_head().status, expected, "{target}");
    };
    check("http://evil.example/mcp", "localhost", 403);
    check("http://localhost@evil.example/mcp", "localhost", 403);
    check("http://evil.example@localhost/mcp", "localhost", 403);
    check("http://localhost/mcp", "localhost", 405);
    check("http://mcp.example.com/mcp", "evil.example", 405);
    check("http://MCP.example.com:443/mcp", "mcp.example.com", 405);
}
