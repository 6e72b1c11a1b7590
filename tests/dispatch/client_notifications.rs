//! Notifications that the client sends, and the handlers of the server for them.

use std::sync::{Arc, Mutex};

use mcp_runtime::auth::Principal;
use mcp_runtime::dispatch::{ClientNotification, Connection, DispatchOutcome};
use mcp_runtime::{Dispatcher, Server};
use serde_json::json;

type Received = Arc<Mutex<Vec<String>>>;

const METHODS: [&str; 4] = [
    "notifications/initialized",
    "notifications/cancelled",
    "notifications/roots/list_changed",
    "example/custom",
];

/// A server that records the notifications that its handlers receive.
fn recording_server() -> (Dispatcher, Received) {
    let received = Received::default();
    let server = METHODS
        .into_iter()
        .fold(Server::new("tests", "1"), |server, method| {
            let received = Arc::clone(&received);
            server
                .on_notification(method, |_| panic!("planted"))
                .on_notification(method, move |notification: ClientNotification| {
                    let caller = notification.principal.map(|it| it.id.to_string());
                    let params = notification.params.unwrap_or_default();
                    let line = format!("{} {params} {caller:?}", notification.method);
                    received.lock().unwrap().push(line);
                })
        });
    (server.build().unwrap(), received)
}

fn send(dispatcher: &Dispatcher, connection: &Connection, frame: &str) {
    let mut reply = Vec::new();
    let outcome = dispatcher.dispatch(frame.as_bytes(), connection, &mut reply);
    assert!(matches!(outcome, DispatchOutcome::Silent), "{frame}");
    assert!(reply.is_empty());
}

#[test]
fn handlers_receive_their_notifications_in_order() {
    let (dispatcher, received) = recording_server();
    let connection = Connection::new();
    for (number, method) in METHODS.iter().enumerate() {
        let params = json!({ "requestId": 100, "number": number });
        let frame = json!({ "jsonrpc": "2.0", "method": method, "params": params });
        send(&dispatcher, &connection, &frame.to_string());
    }
    send(
        &dispatcher,
        &connection,
        r#"{"jsonrpc":"2.0","method":"example/other"}"#,
    );
    send(
        &dispatcher,
        &connection,
        r#"{"jsonrpc":"2.0","method":"example/custom"}"#,
    );
    let mut expected: Vec<_> = (0..)
        .zip(METHODS)
        .map(|(number, method)| format!(r#"{method} {{"number":{number},"requestId":100}} None"#))
        .collect();
    expected.push("example/custom null None".to_owned());
    assert_eq!(*received.lock().unwrap(), expected);
}

#[test]
fn notifications_in_the_session_of_another_caller_are_ignored() {
    let (dispatcher, received) = recording_server();
    let owner = Connection::new().with_principal(Arc::new(Principal::new("alice")));
    let other = owner.with_principal(Arc::new(Principal::new("mallory")));
    let frame = r#"{"jsonrpc":"2.0","method":"example/custom"}"#;
    send(&dispatcher, &other, frame);
    assert!(received.lock().unwrap().is_empty());
    send(&dispatcher, &owner, frame);
    let expected = [r#"example/custom null Some("alice")"#];
    assert_eq!(*received.lock().unwrap(), expected);
}
