//! What only a client over HTTP can meet.

use std::io::{Read, Write};
use std::sync::Arc;
use std::time::Duration;

use mcp_runtime::protocol::Revision;
use mcp_runtime::{Client, ClientError, HttpListener, Side};
use serde_json::{Value, json};
use tokio::sync::mpsc::unbounded_channel;

use crate::gate::{Gate, gated, server};
use crate::talk::{checked, obliging, serve};

const MODERN: Revision = Revision::V2026_07_28;

#[tokio::test]
async fn a_call_is_cancelled_in_the_words_of_the_revision() {
    for revision in Revision::ALL {
        let (gate, server) = gated();
        let (url, endpoint, _stop) = serve(server).await;
        let (builder, log) = checked(revision);
        let client = builder.http(&url).await.unwrap();
        tokio::select! {
            ended = client.call::<Value>("wait", ()) => panic!("{ended:?}"),
            () = gate.reached.notified() => {}
        }
        // The body was dropped, whichever way the server came to know.
        gate.dropped.notified().await;
        let told = log.said(Side::Client, "notifications/cancelled").len();
        assert_eq!(told, usize::from(!revision.is_modern()), "{revision}");
        let sum: i64 = client.call("add", [("a", 2), ("b", 3)]).await.unwrap();
        assert_eq!(sum, 5);
        client.close().await;
        assert_eq!(endpoint.session_count(), 0);
    }
}

#[tokio::test]
async fn a_call_that_takes_too_long_is_cancelled() {
    let (gate, server) = gated();
    let (url, _, _stop) = serve(server).await;
    let builder = Client::builder().revision(MODERN);
    let builder = builder.timeout(Duration::from_millis(500));
    let client = builder.http(&url).await.unwrap();
    let error = client.call::<Value>("wait", ()).await.unwrap_err();
    assert!(matches!(error, ClientError::TimedOut(_)), "{error}");
    gate.dropped.notified().await;
}

#[tokio::test]
async fn a_server_that_is_not_there_is_no_server() {
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
        assert!(matches!(error, ClientError::Address { .. }), "{error}");
    }
}

#[tokio::test]
async fn a_server_that_goes_leaves_nobody_waiting() {
    for revision in [Revision::V2025_06_18, Revision::V2025_11_25, MODERN] {
        let (gate, server) = gated();
        let server = server.map_http(|http| http.drain(Duration::ZERO));
        let (url, _, stop) = serve(server).await;
        let client = Client::builder()
            .revision(revision)
            .http(&url)
            .await
            .unwrap();
        let call = client.call::<Value>("wait", ());
        let leave = async {
            gate.reached.notified().await;
            stop.send(()).unwrap();
        };
        let error = tokio::join!(call, leave).0.unwrap_err();
        assert!(
            matches!(error, ClientError::Disconnected | ClientError::Connect(_)),
            "{revision}: {error}"
        );
    }
}

/// Answers the first request with more than any client should read.
fn endless(media_type: &'static str) -> String {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        let (mut socket, _) = listener.accept().unwrap();
        socket.read_exact(&mut [0; 16]).unwrap();
        let head = format!("HTTP/1.1 200 OK\r\nContent-Type: {media_type}\r\n\r\ndata: ");
        socket.write_all(head.as_bytes()).unwrap();
        let piece = vec![b'a'; 1024 * 1024];
        // At last the client hangs up.
        (0..1024).all(|_| socket.write_all(&piece).is_ok())
    });
    url
}

#[tokio::test]
async fn a_message_without_an_end_is_given_up() {
    for media_type in ["application/json", "text/event-stream"] {
        let url = endless(media_type);
        let client = Client::builder().revision(MODERN).http(&url).await.unwrap();
        let error = client.list_tools().await.unwrap_err();
        assert!(matches!(error, ClientError::TooLong { .. }), "{error}");
    }
}

#[tokio::test]
async fn a_session_that_has_ended_is_told() {
    let (url, endpoint, _stop) = serve(server()).await;
    let (builder, log) = checked(Revision::V2025_11_25);
    let client = builder.http(&url).await.unwrap();
    assert_eq!(endpoint.session_count(), 1);
    endpoint.end_sessions();
    let error = client.list_tools().await.unwrap_err();
    assert!(matches!(error, ClientError::SessionEnded), "{error}");
    log.legal();
}

#[tokio::test]
async fn a_client_that_is_let_go_comes_back_for_the_result() {
    let (gate, server) = gated();
    let (url, _, _stop) = serve(server).await;
    let (builder, log) = checked(Revision::V2025_11_25);
    let client = builder.http(&url).await.unwrap();
    let call = client.call::<String>("let_go", ());
    let open = async {
        gate.reached.notified().await;
        gate.open.notify_one();
    };
    assert_eq!(tokio::join!(call, open).0.unwrap(), "let go: true");
    log.legal();
}

#[tokio::test]
async fn a_client_hears_what_nobody_asked_for() {
    for revision in Revision::ALL {
        let (url, endpoint, _stop) = serve(server()).await;
        let (told, mut heard) = unbounded_channel();
        let (builder, log) = checked(revision);
        let changed = "notifications/tools/list_changed";
        let builder = builder.on_notification(changed, move |params| told.send(params).unwrap());
        let client = builder.http(&url).await.unwrap();
        let handle = endpoint.dispatcher().handle().clone();
        if !revision.is_modern() {
            // Kept by the server until the client listens.
            assert!(handle.disable_tool("add"));
            heard.recv().await.unwrap();
        } else {
            let params = json!({ "notifications": { "toolsListChanged": true } });
            let listen = client.exchange("subscriptions/listen", params);
            let change = async {
                while log
                    .said(Side::Server, "notifications/subscriptions/acknowledged")
                    .is_empty()
                {
                    tokio::task::yield_now().await;
                }
                assert!(handle.disable_tool("add"));
                heard.recv().await.unwrap();
            };
            tokio::select! {
                ended = listen => panic!("{ended:?}"),
                () = change => {}
            }
        }
        log.legal();
    }
}

#[tokio::test]
async fn arguments_are_repeated_in_headers_once_the_tool_is_listed() {
    let (url, _, _stop) = serve(server()).await;
    let (builder, log) = checked(MODERN);
    let client = builder.http(&url).await.unwrap();
    let place = json!({ "place": { "region": "Zürich ", "count": 7, "now": null } });
    let refused = client
        .call::<String>("go", place.clone())
        .await
        .unwrap_err();
    assert!(matches!(refused, ClientError::Protocol(error) if error.code.0 == -32020));
    assert!(
        client
            .list_tools()
            .await
            .unwrap()
            .iter()
            .any(|tool| tool.name == "go")
    );
    let went: String = client.call("go", place).await.unwrap();
    assert_eq!(went, "Zürich  Some(7) None");
    log.legal();
}

#[cfg(unix)]
#[tokio::test]
async fn a_connector_reaches_what_is_no_port() {
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
async fn many_requests_go_side_by_side() {
    let (gate, server) = gated();
    let (url, _, _stop) = serve(server).await;
    let (builder, log) = checked(Revision::V2025_11_25);
    let client = Arc::new(obliging(builder).http(&url).await.unwrap());
    let call =
        |client: Arc<Client>| async move { client.call::<String>("two_questions", ()).await };
    let calls: Vec<_> = (0..20)
        .map(|_| tokio::spawn(call(Arc::clone(&client))))
        .collect();
    for call in calls {
        assert_eq!(call.await.unwrap().unwrap(), "Alice likes Alice");
    }
    drop::<Arc<Gate>>(gate);
    log.legal();
}
