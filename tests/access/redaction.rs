//! Secret arguments and tokens appear in no response, record or log.

use std::io;
use std::sync::{Arc, Mutex};

use mcp_runtime::Client;
use mcp_runtime::audit::AuditArguments;
use mcp_runtime::auth::{Algorithm, JwtKeys, JwtValidator, Principal, StaticTokens};
use mcp_runtime::client::Direction;
use mcp_runtime::dispatch::TransportKind;
use mcp_runtime::protocol::Revision;
use serde_json::{Value, json};

use crate::http_auth::serve;
use support::access::{AuditLog, alice_with_scopes, call_tool, server};
use support::http_connection::HttpConnection;

#[derive(Clone, Default)]
struct LogBuffer(Arc<Mutex<Vec<u8>>>);

impl io::Write for LogBuffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Captures all log output of this process, at every level.
fn capture_log() -> LogBuffer {
    let log_buffer = LogBuffer::default();
    let writer = log_buffer.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing_subscriber::filter::LevelFilter::TRACE)
        .with_writer(move || writer.clone())
        .finish();
    tracing::subscriber::set_global_default(subscriber).unwrap();
    log_buffer
}

/// The responses of a server with JWT validation to invalid tokens in several places.
fn rejected_over_http(audit: &AuditLog) -> String {
    let keys = JwtKeys::from_json(include_str!("../../examples/guarded_notes/keys.json")).unwrap();
    let validator = JwtValidator::new("https://as.example.com", "http://localhost/mcp", keys);
    let signed = validator.algorithms([Algorithm::HS256]);
    let server = mcp_runtime::Server::new("tests", "1.0.0").authenticate(signed);
    let address = serve(audit.record(server));
    let header = r#"{"alg":"HS256","typ":"JWT"}"#;
    let claims = r#"{"sub":"PLANTED"}"#;
    let encoded = |text: &str| data_encoding::BASE64URL_NOPAD.encode(text.as_bytes());
    let signed = format!("{}.{}.PLANTED-5", encoded(header), encoded(claims));
    let mut output = String::new();
    for (path, header) in [
        ("/mcp", format!("Authorization: Bearer {signed}")),
        ("/mcp", "Authorization: Bearer PLANTED-6".to_owned()),
        ("/mcp", "Authorization: Basic PLANTED-7".to_owned()),
        ("/mcp", "Cookie: token=PLANTED-8".to_owned()),
        ("/mcp?access_token=PLANTED-9", "Accept: */*".to_owned()),
        ("/PLANTED", "Accept: */*".to_owned()),
    ] {
        let mut connection = HttpConnection::connect(address);
        let head = format!("POST {path} HTTP/1.1\r\nHost: localhost\r\n{header}\r\n");
        connection.write(head + "Content-Length: 8\r\n\r\nPLANTED\n");
        let (head, body) = connection.read_response();
        assert!(
            [401, 404].contains(&head.status),
            "{path} {header}: {head:?}"
        );
        output += &format!("{head:?}{body}");
    }
    output
}

/// Sends the secret under misspelt argument names.
async fn misspell(client: &Client, password: &Value, how: &Value) {
    for name in ["pasword", "PIN", "q"] {
        let _ = call_tool(client, "login", json!({ name: password, "how": how })).await;
    }
}

/// The replies to calls of `login` with secrets, in every revision.
async fn login_replies(audit: &AuditLog) -> String {
    let mut output = String::new();
    for revision in Revision::ALL {
        let server = server().audit_arguments(AuditArguments::Values);
        let (client, log) = alice_with_scopes(audit.record(server), revision, &[]).await;
        let mut quoted = Vec::new();
        for password in [
            json!("PLANTED-\"\n1"),
            json!("PLANTED"),
            json!(["PLANTED-2"]),
            json!("PLANTED".repeat(20)),
        ] {
            for how in [json!("internal"), json!("panic"), json!("fine"), json!(7)] {
                let arguments = json!({ "password": password, "how": how });
                let _ = call_tool(&client, "login", arguments.clone()).await;
                let _ = call_tool(&client, "logim", arguments.clone()).await;
                let _ = client.dry_run("login", arguments.clone()).await;
                misspell(&client, &password, &how).await;
                quoted.push(json!(arguments.to_string()));
            }
        }
        let messages = log.messages().into_iter();
        let replies = messages.filter(|(side, _)| *side == Direction::ToClient);
        output.extend(replies.map(|(_, message)| message.to_string()));
        // Models may quote the whole object, which is not a valid message.
        for arguments in quoted {
            output += &format!("{:?}", call_tool(&client, "login", arguments).await);
        }
    }
    output
}

#[tokio::test]
async fn secret_never_appears_in_output() {
    let log_buffer = capture_log();
    let audit = AuditLog::default();
    let mut output = login_replies(&audit).await;
    let over_http = audit.clone();
    let rejected = std::thread::spawn(move || rejected_over_http(&over_http));
    output += &rejected.join().unwrap();
    let tokens = StaticTokens::new().token("PLANTED-3", Principal::new("alice"));
    let server = audit.record(mcp_runtime::Server::new("tests", "1.0.0").authenticate(tokens));
    let server = server.build().unwrap();
    for token in ["PLANTED-3", "PLANTED-4"] {
        let _ = server
            .authenticate(Some(token), None, TransportKind::Http)
            .await;
    }
    let records = serde_json::to_string(&audit.records()).unwrap();
    let logged = String::from_utf8(log_buffer.0.lock().unwrap().clone()).unwrap();
    assert!(logged.contains("login") && records.contains("[redacted]"));
    for (place, text) in [
        ("replies", &output),
        ("records", &records),
        ("log", &logged),
    ] {
        let found = text.find("PLANTED");
        let around = found.map(|at| &text[at.saturating_sub(200)..(at + 100).min(text.len())]);
        assert_eq!(around, None, "in the {place}");
    }
    let records: Vec<Value> = serde_json::from_str(&records).unwrap();
    assert!(
        records
            .iter()
            .any(|record| record["outcome"] == "bad_token")
    );
}
