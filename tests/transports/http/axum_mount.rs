//! The endpoint as a service of an axum application.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};

use axum::Router;
use axum::routing::get;
use mcp_runtime::Client;
use serde_json::Value;

use crate::http::gated_tools::gated;
use support::http_connection::TIMEOUT;
use support::http_server::RUNTIME;

fn application() -> SocketAddr {
    let endpoint = gated().1.http_endpoint().unwrap();
    let application = Router::new()
        .route("/", get(|| async { "the tools are at /mcp" }))
        .route_service("/mcp", endpoint);
    RUNTIME.block_on(async {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async { axum::serve(listener, application).await });
        address
    })
}

#[test]
fn axum_serves_the_endpoint_beside_its_own_routes() {
    let address = application();
    let ask = |text: &str| {
        let mut socket = TcpStream::connect(address).unwrap();
        socket.set_read_timeout(Some(TIMEOUT)).unwrap();
        socket.write_all(text.as_bytes()).unwrap();
        let mut answer = String::new();
        socket.read_to_string(&mut answer).unwrap();
        answer
    };
    let start = ask("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    assert!(start.ends_with("the tools are at /mcp"), "{start}");
    // The headers that curl sends by default.
    let body = support::http_client::initialize("2025-11-25").to_string();
    let answer = ask(&format!(
        "POST /mcp HTTP/1.1\r\nHost: {address}\r\nUser-Agent: curl/8.5.0\r\nAccept: */*\r\n\
         Content-Type: application/json\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    ));
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    assert!(
        head.starts_with("HTTP/1.1 200 ") && head.contains("mcp-session-id: "),
        "{head}"
    );
    let answer: Value = serde_json::from_str(body).unwrap();
    assert_eq!(answer["result"]["protocolVersion"], "2025-11-25");
}

#[test]
fn clients_of_every_revision_work_with_axum() {
    let url = format!("http://{}/mcp", application());
    for revision in mcp_runtime::protocol::Revision::ALL {
        let called = RUNTIME.block_on(async {
            let client = Client::builder().revision(revision).http(&url).await?;
            client.call::<i64>("add", [("a", 2), ("b", 3)]).await
        });
        assert_eq!(called.unwrap(), 5, "{revision}");
    }
}
