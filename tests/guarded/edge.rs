//! Layers of tower around the endpoint, before anything of a message is read.

use std::net::SocketAddr;

use axum::Router;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::middleware::{Next, from_fn};
use axum::response::Response;
use mcp_runtime::Server;
use mcp_runtime::auth::{Principal, StaticTokens};
use serde_json::json;

use crate::http::{calling, post};
use crate::line::Line;
use crate::server::{Book, RUNTIME};

/// Lets nobody pass who does not say so, and marks what comes back.
async fn gate(request: Request, next: Next) -> Result<Response, StatusCode> {
    if !request.headers().contains_key("x-let-me-in") {
        return Err(StatusCode::IM_A_TEAPOT);
    }
    let mut response = next.run(request).await;
    let passed = "passed".parse().unwrap();
    response.headers_mut().insert("x-gate", passed);
    Ok(response)
}

fn host(book: &Book) -> SocketAddr {
    let tokens = StaticTokens::new().token("alices", Principal::new("alice"));
    let server = Server::new("tests", "1.0.0").authenticate(tokens);
    let endpoint = book.kept(server).http_endpoint().unwrap();
    let app = Router::new()
        .fallback_service(endpoint)
        .layer(from_fn(gate));
    RUNTIME.block_on(async {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async { axum::serve(listener, app).await });
        address
    })
}

#[test]
fn a_layer_of_tower_stands_before_every_stage() {
    let book = Book::default();
    let mut line = Line::connect(host(&book));
    let token = ("Authorization", "Bearer alices");
    let call = calling("who", &json!({}));
    let (head, _) = post(&mut line, &call, &[token]);
    assert_eq!(head.status, 418);
    assert!(book.records().is_empty());
    let (head, answer) = post(&mut line, &call, &[token, ("X-Let-Me-In", "please")]);
    assert_eq!((head.status, head.header("x-gate")), (200, Some("passed")));
    assert_eq!(answer["result"]["content"][0]["text"], "alice");
    assert_eq!(book.outcomes(), ["success"]);
    // The guards stand inside of it.
    let (head, _) = post(&mut line, &call, &[("X-Let-Me-In", "please")]);
    assert_eq!((head.status, head.header("x-gate")), (401, Some("passed")));
}
