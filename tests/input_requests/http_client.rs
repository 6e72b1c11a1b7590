//! The HTTP client.

use std::io::{Read, Write};
use std::sync::Arc;
use std::time::Duration;

use mcp_runtime::client::Direction;
use mcp_runtime::protocol::Revision;
use mcp_runtime::transport::HttpListener;
use mcp_runtime::{Client, ClientError};
use serde_json::{Value, json};
use tokio::sync::mpsc::unbounded_channel;

use crate::gate::{Gate, gated, server};
use support::checked_client::{checked_client, serve_http, with_default_answers};

const MODERN: Revision = Revision::V2026_07_28;

#[tokio::test]
async fn dropped_call_is_cancelled_as_its_revision_requires() {
    for revision in Revision::ALL {
        let (gate, server) = gated();
        let (url, endpoint, _stop) = serve_http(server).await;
        let (builder, log) = checked_client(revision);
        let client = builder.http(&url).await.unwrap();
        tokio::select! {
            ended = client.call::<Value>("wait", ()) => panic!("{ended:?}"),
            () = gate.reached.notified() => {}
        }
        // The future was dropped, however the server was notified.
        gate.dropped.notified().await;
        let notifications = log
            .sent_by(Direction::ToServer, "notifications/cancelled")
            .len();
        assert_eq!(
            notifications,
            usize::from(!revision.is_modern()),
            "{revision}"
        );
        let sum: i64 = client.call("add", [("a", 2), ("b", 3)]).await.unwrap();
        assert_eq!(sum, 5);
        client.close().await;
        assert_eq!(endpoint.session_count(), 0);
    }
}

#[tokio::test]
async fn timed_out_call_is_cancelled() {
    let (gate, server) = gated();
    let (url, _, _stop) = serve_http(server).await;
    let builder = Client::builder().revision(MODERN);
    let builder = builder.timeout(Duration::from_millis(500));
    let client = builder.http(&url).await.unwrap();
    let error = client.call::<Value>("wait", ()).await.unwrap_err();
    assert!(matches!(error, ClientError::TimedOut(_)), "{error}");
    gate.dropped.notified().await;
}

#[tokio::test]
async fn unreachable_server_is_a_connect_error() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    drop(listener);
    for builder in [
        Client::builder(),
        Client::builder().revision(Revision::V2025_11_25),
    ] {
        let error = builder.http(&url).await.unwrap_err();
        assert!(matches!(error, ClientError::Connect(_)), "{error}");
    }
    for address in ["https://localhost/mcp", "localhost", "http://a:b@c"] {
        let error = Client::builder().http(address).await.unwrap_err();
        assert!(
            matches!(error, ClientError::InvalidConfig { .. }),
            "{error}"
        );
    }
}

#[tokio::test]
async fn server_shutdown_ends_pending_calls() {
    for revision in [Revision::V2025_06_18, Revision::V2025_11_25, MODERN] {
        let (gate, server) = gated();
        let server = server.map_http(|http| http.shutdown_timeout(Duration::ZERO));
        let (url, _, stop) = serve_http(server).await;
        let client = Client::builder()
            .revision(revision)
            .http(&url)
            .await
            .unwrap();
        let call = client.call::<Value>("wait", ());
        let shutdown = async {
            gate.reached.notified().await;
            stop.send(()).unwrap();
        };
        let error = tokio::join!(call, shutdown).0.unwrap_err();
        assert!(
            matches!(error, ClientError::Disconnected | ClientError::Connect(_)),
            "{revision}: {error}"
        );
    }
}

/// Serves one response that is longer than any client should read.
fn serve_endless_response(media_type: &'static str) -> String {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        let (mut socket, _) = listener.accept().unwrap();
        socket.read_exact(&mut [0; 16]).unwrap();
        let head = format!("HTTP/1.1 200 OK\r\nContent-Type: {media_type}\r\n\r\ndata: ");
        socket.write_all(head.as_bytes()).unwrap();
        let chunk = vec![b'a'; 1024 * 1024];
        // Until the client disconnects.
        (0..1024).all(|_| socket.write_all(&chunk).is_ok())
    });
    url
}

#[tokio::test]
async fn endless_message_is_an_error() {
    for media_type in ["application/json", "text/event-stream"] {
        let url = serve_endless_response(media_type);
        let client = Client::builder().revision(MODERN).http(&url).await.unwrap();
        let error = client.list_tools().await.unwrap_err();
        assert!(
            matches!(error, ClientError::MessageTooLong { .. }),
            "{error}"
        );
    }
}

#[tokio::test]
async fn ended_session_is_reported() {
    let (url, endpoint, _stop) = serve_http(server()).await;
    let (builder, log) = checked_client(Revision::V2025_11_25);
    let client = builder.http(&url).await.unwrap();
    assert_eq!(endpoint.session_count(), 1);
    endpoint.end_sessions();
    let error = client.list_tools().await.unwrap_err();
    assert!(matches!(error, ClientError::SessionEnded), "{error}");
    log.assert_valid();
}

#[tokio::test]
async fn client_resumes_a_closed_stream_for_the_result() {
    let (gate, server) = gated();
    let (url, _, _stop) = serve_http(server).await;
    let (builder, log) = checked_client(Revision::V2025_11_25);
    let client = builder.http(&url).await.unwrap();
    let call = client.call::<String>("close_stream", ());
    let open = async {
        gate.reached.notified().await;
        gate.open.notify_one();
    };
    assert_eq!(tokio::join!(call, open).0.unwrap(), "closed: true");
    log.assert_valid();
}

#[tokio::test]
async fn client_receives_list_change_notifications() {
    for revision in Revision::ALL {
        let (url, endpoint, _stop) = serve_http(server()).await;
        let (sender, mut received) = unbounded_channel();
        let (builder, log) = checked_client(revision);
        let changed = "notifications/tools/list_changed";
        let builder = builder.on_notification(changed, move |params| sender.send(params).unwrap());
        let client = builder.http(&url).await.unwrap();
        let handle = endpoint.dispatcher().handle().clone();
        if !revision.is_modern() {
            // The server keeps the notification until the client opens a stream.
            assert!(handle.disable_tool("add"));
            received.recv().await.unwrap();
        } else {
            let params = json!({ "notifications": { "toolsListChanged": true } });
            let listen = client.request_once("subscriptions/listen", params);
            let change = async {
                while log
                    .sent_by(
                        Direction::ToClient,
                        "notifications/subscriptions/acknowledged",
                    )
                    .is_empty()
                {
                    tokio::task::yield_now().await;
                }
                assert!(handle.disable_tool("add"));
                received.recv().await.unwrap();
            };
            tokio::select! {
                ended = listen => panic!("{ended:?}"),
                () = change => {}
            }
        }
        log.assert_valid();
    }
}

#[tokio::test]
async fn header_arguments_are_sent_once_the_tool_is_listed() {
    let (url, _, _stop) = serve_http(server()).await;
    let (builder, log) = checked_client(MODERN);
    let client = builder.http(&url).await.unwrap();
    let place = json!({ "place": { "region": "Zürich ", "count": 7, "now": null } });
    let rejected = client
        .call::<String>("go", place.clone())
        .await
        .unwrap_err();
    assert!(matches!(rejected, ClientError::Protocol(error) if error.code.0 == -32020));
    assert!(
        client
            .list_tools()
            .await
            .unwrap()
            .iter()
            .any(|tool| tool.name == "go")
    );
    let text: String = client.call("go", place).await.unwrap();
    assert_eq!(text, "Zürich  Some(7) None");
    log.assert_valid();
}

#[cfg(unix)]
#[tokio::test]
async fn custom_connector_reaches_a_unix_socket() {
    let folder = std::env::temp_dir().join(format!("mcp-connector-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("socket");
    let address = format!("unix:{}", path.display());
    let listener = HttpListener::bind(&address).await.unwrap();
    tokio::spawn(
        server()
            .http_endpoint()
            .unwrap()
            .serve(listener, std::future::pending()),
    );
    let client = Client::builder()
        .connector(move |host, port| {
            assert_eq!((host.as_str(), port), ("localhost", 443));
            tokio::net::UnixStream::connect(path.clone())
        })
        .http("https://localhost/mcp")
        .await
        .unwrap();
    let sum: i64 = client.call("add", [("a", 2), ("b", 3)]).await.unwrap();
    assert_eq!(sum, 5);
    std::fs::remove_dir_all(folder).unwrap();
}

#[tokio::test]
async fn requests_run_concurrently() {
    let (gate, server) = gated();
    let (url, _, _stop) = serve_http(server).await;
    let (builder, log) = checked_client(Revision::V2025_11_25);
    let client = Arc::new(with_default_answers(builder).http(&url).await.unwrap());
    let call =
        |client: Arc<Client>| async move { client.call::<String>("two_questions", ()).await };
    let calls: Vec<_> = (0..20)
        .map(|_| tokio::spawn(call(Arc::clone(&client))))
        .collect();
    for call in calls {
        assert_eq!(call.await.unwrap().unwrap(), "Alice likes Alice");
    }
    drop::<Arc<Gate>>(gate);
    log.assert_valid();
}
