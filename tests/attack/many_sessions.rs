//! A principal that opens sessions without end.

use std::future::ready;

use mcp_runtime::auth::Principal;
use mcp_runtime::transport::HttpOptions;
use serde_json::json;
use support::http_client::{HttpClient, initialize};
use support::http_server::HttpServer;
use support::wire::Revision;

#[test]
fn a_principal_evicts_its_own_sessions() {
    let options = HttpOptions::new().max_sessions(40);
    let server = mcp_runtime::Server::new("tests", "1.0.0")
        .authenticate(|token: String, _| ready(Some(Principal::new(token))));
    let server = HttpServer::start(server.http(options));
    let open = |token: &str| {
        let mut client = HttpClient::new(&server, Revision::V2025_06_18);
        let header = [("Authorization", token)];
        let (head, _) = client.post(&initialize("2025-06-18"), &header);
        assert_eq!(head.status, 200);
        client.session_id = head.header("mcp-session-id").map(str::to_owned);
        client
    };
    let list = |client: &mut HttpClient, token: &str| {
        let request = client.new_request("tools/list", json!({}));
        let header = [("Authorization", token)];
        client.post(&request, &header).0.status
    };
    let mut victim = open("Bearer victim");
    let mut first = open("Bearer flood");
    for _ in 0..200 {
        open("Bearer flood");
    }
    assert_eq!(list(&mut victim, "Bearer victim"), 200);
    assert_eq!(list(&mut first, "Bearer flood"), 404);
    let sessions = server.endpoint.session_count();
    assert!((25..=31).contains(&sessions), "{sessions}");
}
