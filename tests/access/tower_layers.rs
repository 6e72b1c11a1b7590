//! tower layers around the HTTP endpoint.

use std::net::SocketAddr;

use axum::Router;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::middleware::{Next, from_fn};
use axum::response::Response;
use mcp_runtime::Server;
use mcp_runtime::auth::{Principal, StaticTokens};
use serde_json::json;

use crate::http_auth::{post, tool_call};
use support::access::{AuditLog, RUNTIME};
use support::http_connection::HttpConnection;

/// Rejects requests without a header, and adds a header to responses.
async fn require_header(request: Request, next: Next) -> Result<Response, StatusCode> {
    if !request.headers().contains_key("x-let-me-in") {
        return Err(StatusCode::IM_A_TEAPOT);
    }
    let mut response = next.run(request).await;
    let passed = "passed".parse().unwrap();
    response.headers_mut().insert("x-gate", passed);
    Ok(response)
}

fn serve_with_layer(audit: &AuditLog) -> SocketAddr {
    let tokens = StaticTokens::new().token("alices", Principal::new("alice"));
    let server = Server::new("tests", "1.0.0").authenticate(tokens);
    let endpoint = audit.record(server).http_endpoint().unwrap();
    let app = Router::new()
        .fallback_service(endpoint)
        .layer(from_fn(require_header));
    RUNTIME.block_on(async {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async { axum::serve(listener, app).await });
        address
    })
}

#[test]
fn tower_layer_runs_before_every_stage() {
    let audit = AuditLog::default();
    let mut connection = HttpConnection::connect(serve_with_layer(&audit));
    let token = ("Authorization", "Bearer alices");
    let call = tool_call("who", &json!({}));
    let (head, _) = post(&mut connection, &call, &[token]);
    assert_eq!(head.status, 418);
    assert!(audit.records().is_empty());
    let (head, answer) = post(&mut connection, &call, &[token, ("X-Let-Me-In", "please")]);
    assert_eq!((head.status, head.header("x-gate")), (200, Some("passed")));
    assert_eq!(answer["result"]["content"][0]["text"], "alice");
    assert_eq!(audit.outcomes(), ["success"]);
    // Authentication runs inside the layer.
    let (head, _) = post(&mut connection, &call, &[("X-Let-Me-In", "please")]);
    assert_eq!((head.status, head.header("x-gate")), (401, Some("passed")));
}
