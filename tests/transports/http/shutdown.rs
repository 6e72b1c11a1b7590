//! Graceful shutdown.

use std::time::Duration;

use mcp_runtime::transport::HttpOptions;
use serde_json::json;
use support::wire::Revision;

use crate::http::gated_tools::{gated, start_server};
use support::http_client::HttpClient;
use support::http_connection::TIMEOUT;
use support::http_server::{HttpServer, RUNTIME};

#[test]
fn idle_server_stops_at_once() {
    let mut server = start_server();
    let mut client = HttpClient::initialized(&server, Revision::V2025_11_25);
    server.stop();
    server.wait_for_exit();
    assert!(client.connection.is_closed());
}

#[test]
fn idle_streams_end_cleanly_on_shutdown() {
    let mut server = start_server();
    let mut client = HttpClient::initialized(&server, Revision::V2025_11_25);
    assert!(client.open_stream(&[]).is_stream());
    server.stop();
    while let Some(event) = client.connection.next_event() {
        assert_eq!(event.data.as_deref(), Some(""));
    }
    server.wait_for_exit();
}

#[test]
fn calls_in_flight_complete_before_shutdown() {
    for revision in Revision::ALL {
        let (gate, server) = gated();
        let mut server = HttpServer::start(server);
        let mut client = HttpClient::initialized(&server, revision);
        let call = client.new_call("wait", json!({}));
        // Prevents the server from closing the stream of a 2025-11-25 client.
        client.send(&call, &[("Accept", "application/json")]);
        RUNTIME.block_on(gate.reached.notified());
        server.stop();
        std::thread::sleep(Duration::from_millis(20));
        gate.open.notify_one();
        let (head, body) = client.connection.read_response();
        assert_eq!(head.status, 200, "{revision:?}");
        assert_eq!(client.check(&body)["id"], call["id"]);
        server.wait_for_exit();
    }
}

#[test]
fn shutdown_timeout_aborts_calls() {
    for revision in Revision::ALL {
        let options = HttpOptions::new().shutdown_timeout(Duration::from_millis(100));
        let mut server = HttpServer::start(gated().1.http(options));
        let mut client = HttpClient::initialized(&server, revision);
        let call = client.new_call("forever", json!({}));
        client.send(&call, &[]);
        std::thread::sleep(Duration::from_millis(50));
        server.stop();
        server.wait_for_exit();
        assert!(client.connection.is_closed());
    }
}

#[test]
fn incomplete_requests_do_not_hold_up_shutdown() {
    let incomplete = [
        "P",
        "POST /mcp HTTP/1.1\r\nHost: loc",
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
         Accept: application/json, text/event-stream\r\nContent-Length: 100\r\n\r\n{",
    ];
    for text in incomplete {
        for is_first in [true, false] {
            // Longer than a test waits, like the timeouts of heads and bodies.
            let never = Duration::from_secs(600);
            let options = HttpOptions::new()
                .shutdown_timeout(never)
                .header_read_timeout(never)
                .body_timeout(never);
            let mut server = HttpServer::start(gated().1.http(options));
            let mut client = HttpClient::new(&server, Revision::V2026_07_28);
            if !is_first {
                client.connection.send_request("PUT", &[], None);
                assert_eq!(client.connection.read_response().0.status, 405);
            }
            client.connection.write(text);
            std::thread::sleep(Duration::from_millis(50));
            server.stop();
            server.wait_for_exit();
            assert!(client.connection.is_closed(), "{text}");
        }
    }
}

#[test]
fn request_that_arrives_slowly_completes_during_shutdown() {
    let mut server = start_server();
    let mut client = HttpClient::new(&server, Revision::V2026_07_28);
    client.connection.write("PUT /mcp HTTP/1.1\r\nHost: loc");
    std::thread::sleep(Duration::from_millis(50));
    server.stop();
    client.connection.write("alhost\r\n\r\n");
    assert_eq!(client.connection.read_response().0.status, 405);
    server.wait_for_exit();
}

#[cfg(unix)]
#[test]
fn sigterm_stops_the_process() {
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};

    let mut server = Command::new(env!("CARGO_BIN_EXE_test-server"))
        .args(["--http", "127.0.0.1:0"])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(server.stderr.take().unwrap()).lines();
    let connection = lines.find(|connection| connection.as_ref().unwrap().contains("listening on"));
    let connection = connection.unwrap().unwrap();
    let address = connection
        .split("http://")
        .nth(1)
        .unwrap()
        .strip_suffix("/mcp")
        .unwrap();
    let mut connection =
        support::http_connection::HttpConnection::connect(address.parse().unwrap());
    connection.send_request("PUT", &[], None);
    assert_eq!(connection.read_response().0.status, 405);
    let id = server.id().to_string();
    Command::new("kill").arg(&id).status().unwrap();
    let deadline = std::time::Instant::now() + TIMEOUT;
    let status = loop {
        if let Some(status) = server.try_wait().unwrap() {
            break status;
        }
        assert!(std::time::Instant::now() < deadline);
        std::thread::sleep(Duration::from_millis(5));
    };
    assert!(status.success());
    assert!(connection.is_closed());
}
