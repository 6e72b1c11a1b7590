//! A secret that is planted is found nowhere.

use std::io;
use std::sync::{Arc, Mutex};

use mcp_runtime::audit::AuditArguments;
use mcp_runtime::auth::{Algorithm, JwtKeys, JwtValidator, Principal, StaticTokens};
use mcp_runtime::protocol::Revision;
use mcp_runtime::{Channel, Client, Side};
use serde_json::{Value, json};

use crate::http::serve;
use crate::line::Line;
use crate::server::{Book, call, server, somebody};

#[derive(Clone, Default)]
struct Heard(Arc<Mutex<Vec<u8>>>);

impl io::Write for Heard {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Hears all that is logged in this process, at every level.
fn listen() -> Heard {
    let heard = Heard::default();
    let writer = heard.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing_subscriber::filter::LevelFilter::TRACE)
        .with_writer(move || writer.clone())
        .finish();
    tracing::subscriber::set_global_default(subscriber).unwrap();
    heard
}

/// What a server with signed tokens answers to a token that is none, wherever it stands.
fn refused_over_http(book: &Book) -> String {
    let keys = JwtKeys::json(include_str!("../../examples/guarded_notes/keys.json")).unwrap();
    let validator = JwtValidator::new("https://as.example.com", "http://localhost/mcp", keys);
    let signed = validator.algorithms([Algorithm::HS256]);
    let server = mcp_runtime::Server::new("tests", "1.0.0").authenticate(signed);
    let address = serve(book.kept(server));
    let header = r#"{"alg":"HS256","typ":"JWT"}"#;
    let claims = r#"{"sub":"PLANTED"}"#;
    let encoded = |text: &str| data_encoding::BASE64URL_NOPAD.encode(text.as_bytes());
    let signed = format!("{}.{}.PLANTED-5", encoded(header), encoded(claims));
    let mut said = String::new();
    for (path, header) in [
        ("/mcp", format!("Authorization: Bearer {signed}")),
        ("/mcp", "Authorization: Bearer PLANTED-6".to_owned()),
        ("/mcp", "Authorization: Basic PLANTED-7".to_owned()),
        ("/mcp", "Cookie: token=PLANTED-8".to_owned()),
        ("/mcp?access_token=PLANTED-9", "Accept: */*".to_owned()),
        ("/PLANTED", "Accept: */*".to_owned()),
    ] {
        let mut line = Line::connect(address);
        let head = format!("POST {path} HTTP/1.1\r\nHost: localhost\r\n{header}\r\n");
        line.write(head + "Content-Length: 8\r\n\r\nPLANTED\n");
        let (head, body) = line.reply();
        assert!(
            [401, 404].contains(&head.status),
            "{path} {header}: {head:?}"
        );
        said += &format!("{head:?}{body}");
    }
    said
}

/// Sends the secret under names that are nearly its own.
async fn misspell(client: &Client, password: &Value, how: &Value) {
    for name in ["pasword", "PIN", "q"] {
        let _ = call(client, "login", json!({ name: password, "how": how })).await;
    }
}

#[tokio::test]
async fn a_planted_secret_is_in_nothing_that_is_emitted() {
    let heard = listen();
    let book = Book::default();
    let mut said = String::new();
    for revision in Revision::ALL {
        let valued = server().audit_arguments(AuditArguments::Values);
        let (client, log) = somebody(book.kept(valued), revision, &[]).await;
        let mut quoted = Vec::new();
        for password in [
            json!("PLANTED-\"\n1"),
            json!("PLANTED"),
            json!(["PLANTED-2"]),
            json!("PLANTED".repeat(20)),
        ] {
            for how in [json!("internal"), json!("panic"), json!("fine"), json!(7)] {
                let arguments = json!({ "password": password, "how": how });
                let _ = call(&client, "login", arguments.clone()).await;
                let _ = call(&client, "logim", arguments.clone()).await;
                let _ = client.dry_run("login", arguments.clone()).await;
                misspell(&client, &password, &how).await;
                quoted.push(json!(arguments.to_string()));
            }
        }
        let messages = log.legal().into_iter();
        let replies = messages.filter(|(side, _)| *side == Side::Server);
        said.extend(replies.map(|(_, message)| message.to_string()));
        // As models send it that quote the whole object, which is no legal message.
        for arguments in quoted {
            said += &format!("{:?}", call(&client, "login", arguments).await);
        }
    }
    let over_http = book.clone();
    let refused = std::thread::spawn(move || refused_over_http(&over_http));
    said += &refused.join().unwrap();
    let tokens = StaticTokens::new().token("PLANTED-3", Principal::new("alice"));
    let server = book.kept(mcp_runtime::Server::new("tests", "1.0.0").authenticate(tokens));
    let server = server.build().unwrap();
    for token in ["PLANTED-3", "PLANTED-4"] {
        let _ = server.authenticate(Some(token), None, Channel::Http).await;
    }
    let records = serde_json::to_string(&book.records()).unwrap();
    let logged = String::from_utf8(heard.0.lock().unwrap().clone()).unwrap();
    assert!(logged.contains("login") && records.contains("[redacted]"));
    for (place, text) in [("replies", &said), ("records", &records), ("log", &logged)] {
        let found = text.find("PLANTED");
        let around = found.map(|at| &text[at.saturating_sub(200)..(at + 100).min(text.len())]);
        assert_eq!(around, None, "in the {place}");
    }
    let bad: Vec<Value> = serde_json::from_str(&records).unwrap();
    assert!(bad.iter().any(|record| record["outcome"] == "bad_token"));
}
