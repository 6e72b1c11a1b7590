//! A client that opens streams and connections, and leaves them idle.

use mcp_runtime::transport::HttpOptions;
use serde_json::json;
use support::http_client::HttpClient;
use support::http_connection::HttpConnection;
use support::http_server::HttpServer;
use support::wire::Revision;

fn start(options: HttpOptions) -> HttpServer {
    HttpServer::start(mcp_runtime::Server::new("tests", "1.0.0").http(options))
}

fn assert_served(server: &HttpServer) {
    for revision in [Revision::V2025_11_25, Revision::V2026_07_28] {
        let mut other = HttpClient::initialized(server, revision);
        assert_eq!(other.request("tools/list", json!({})).0, 200);
    }
}

#[test]
fn idle_streams_leave_connections_for_others() {
    let server = start(HttpOptions::new().max_connections(200).max_streams(100));
    let mut streams = Vec::new();
    let mut rejected = 0;
    for _ in 0..20 {
        let mut client = HttpClient::initialized(&server, Revision::V2025_06_18);
        for _ in 0..8 {
            let head = client.open_stream(&[]);
            match head.status {
                200 => streams.push(client.reconnect(&server)),
                503 => {
                    assert_eq!(head.header("retry-after"), Some("1"));
                    rejected += 1;
                    client.reconnect(&server);
                }
                status => panic!("{status}"),
            }
        }
    }
    assert_eq!((streams.len(), rejected), (75, 85));
    assert_eq!(server.endpoint.stream_count(), 75);
    assert_served(&server);
}

#[test]
fn streams_of_a_session_are_few() {
    let server = start(HttpOptions::new());
    let mut client = HttpClient::initialized(&server, Revision::V2025_06_18);
    let mut streams: Vec<HttpConnection> = Vec::new();
    for _ in 0..100 {
        assert!(client.open_stream(&[]).is_stream());
        streams.push(client.reconnect(&server));
    }
    for stream in &mut streams[..92] {
        assert_eq!(stream.next_event(), None);
    }
    assert_served(&server);
}

#[test]
fn connections_of_an_address_leave_room_for_others() {
    let server = start(HttpOptions::new().max_connections(40));
    let idle: Vec<_> = (0..30).map(|_| server.connect()).collect();
    let mut rejected = server.connect();
    assert_eq!(rejected.read_head().status, 503);
    assert!(rejected.is_closed());
    drop(idle);
    let deadline = std::time::Instant::now() + support::http_connection::TIMEOUT;
    loop {
        let mut connection = server.connect();
        connection.try_write("PUT /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n");
        if connection.read_head().status == 405 {
            break;
        }
        assert!(std::time::Instant::now() < deadline);
    }
}

/// Listen streams have a limit of their own: of one caller 1024, as the docs say.
#[test]
fn listen_streams_over_the_limit_are_503() {
    let server = start(HttpOptions::new());
    let mut streams = Vec::new();
    let params = json!({ "notifications": {} });
    for _ in 0..1024 {
        let mut client = HttpClient::initialized(&server, Revision::V2026_07_28);
        let request = client.new_request("subscriptions/listen", params.clone());
        client.send(&request, &[]);
        assert_eq!(client.connection.read_head().status, 200);
        streams.push(client);
    }
    let mut client = HttpClient::initialized(&server, Revision::V2026_07_28);
    let request = client.new_request("subscriptions/listen", params);
    let (head, _) = client.post(&request, &[]);
    assert_eq!((head.status, head.header("retry-after")), (503, Some("1")));
    assert_served(&server);
}
