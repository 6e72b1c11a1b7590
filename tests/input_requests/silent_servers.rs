//! HTTP servers that stay silent for a long time, on a paused clock.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use mcp_runtime::client::ClientBuilder;
use mcp_runtime::protocol::Revision;
use mcp_runtime::{Client, ClientError};
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc::unbounded_channel;
use tokio::time::{sleep, timeout};

use crate::scripted_server::{ReceivedRequest, legacy, read, response};

const EVENTS: &str = "text/event-stream";
/// The idle timeout of a proxy.
const PROXY_TIMEOUT: Duration = Duration::from_secs(60);
/// Longer than any timeout in these tests.
const LONG_TIME: Duration = Duration::from_secs(24 * 60 * 60);

/// Serves each request on a separate connection, concurrently.
async fn serve<A>(answer: impl Fn(ReceivedRequest, TcpStream) -> A + Send + 'static) -> String
where
    A: Future<Output = ()> + Send + 'static,
{
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((mut socket, _)) = listener.accept().await {
            if let Some(request) = read(&mut socket).await {
                tokio::spawn(answer(request, socket));
            }
        }
    });
    url
}

async fn write(socket: &mut TcpStream, text: &str) {
    // The client may have disconnected.
    let _ = socket.write_all(text.as_bytes()).await;
}

fn client() -> ClientBuilder {
    Client::builder()
        .revision(Revision::V2025_11_25)
        .timeout(LONG_TIME)
}

#[tokio::test(start_paused = true)]
async fn silent_handshake_times_out() {
    let url = serve(|request, mut socket| async move {
        if request.method() == "notifications/initialized" {
            return std::future::pending().await;
        }
        write(&mut socket, &legacy(&request)).await;
    })
    .await;
    let limit = Duration::from_secs(7);
    let connecting = client().timeout(limit).http(&url);
    let connected = timeout(LONG_TIME, connecting).await.expect("an end");
    let error = connected.unwrap_err();
    assert!(matches!(error, ClientError::TimedOut(after) if after == limit));
}

/// What a proxy does to an idle stream; `count` selects one of three ways.
async fn cut_off(count: usize, socket: &mut TcpStream) {
    match count % 3 {
        0 => {
            write(socket, &response(200, EVENTS, ": alive\n\n")).await;
            sleep(PROXY_TIMEOUT).await;
        }
        1 => {
            write(socket, &response(200, EVENTS, "")).await;
            sleep(PROXY_TIMEOUT).await;
        }
        _ => {
            sleep(PROXY_TIMEOUT).await;
            write(socket, &response(504, "text/html", "<h1>Slow</h1>")).await;
        }
    }
}

#[tokio::test(start_paused = true)]
async fn event_stream_is_reopened_until_something_arrives() {
    let opened = Arc::new(AtomicUsize::new(0));
    let url = serve(move |request, mut socket| {
        let opened = Arc::clone(&opened);
        async move {
            if !request.method().is_empty() {
                return write(&mut socket, &legacy(&request)).await;
            }
            match opened.fetch_add(1, Ordering::SeqCst) {
                20 => {
                    let notifications = "notifications/tools/list_changed";
                    let notifications = json!({ "jsonrpc": "2.0", "method": notifications });
                    write(&mut socket, &response(200, EVENTS, "")).await;
                    write(&mut socket, &format!("data: {notifications}\n\n")).await;
                }
                count => cut_off(count, &mut socket).await,
            }
        }
    })
    .await;
    let (sender, mut received) = unbounded_channel();
    let notifications = "notifications/tools/list_changed";
    let builder = client().on_notification(notifications, move |_| sender.send(()).unwrap());
    let _client = builder.http(&url).await.unwrap();
    timeout(LONG_TIME, received.recv())
        .await
        .expect("a notification");
}

#[tokio::test(start_paused = true)]
async fn call_stream_is_resumed_until_the_client_times_out() {
    let opened = Arc::new(AtomicUsize::new(0));
    let url = serve(move |request, mut socket| {
        let opened = Arc::clone(&opened);
        async move {
            if request.method() == "tools/call" {
                write(&mut socket, &response(200, EVENTS, "id: a\n\n")).await;
                return sleep(PROXY_TIMEOUT).await;
            }
            if !request.has("last-event-id: a") {
                return write(&mut socket, &legacy(&request)).await;
            }
            match opened.fetch_add(1, Ordering::SeqCst) {
                20 => {
                    let answer = json!({ "jsonrpc": "2.0", "id": 2, "result": { "content": [
                        { "type": "text", "text": "at last" },
                    ] } });
                    write(&mut socket, &response(200, EVENTS, "")).await;
                    write(&mut socket, &format!("data: {answer}\n\n")).await;
                }
                count => cut_off(count, &mut socket).await,
            }
        }
    })
    .await;
    let client = client().http(&url).await.unwrap();
    let text: String = client.call("slow", Value::Null).await.unwrap();
    assert_eq!(text, "at last");
}

#[tokio::test(start_paused = true)]
async fn immediately_ending_stream_is_given_up() {
    for status in [200, 503] {
        let opened = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&opened);
        let url = serve(move |request, mut socket| {
            let counted = Arc::clone(&counted);
            async move {
                if !request.method().is_empty() {
                    return write(&mut socket, &legacy(&request)).await;
                }
                let status = match counted.fetch_add(1, Ordering::SeqCst) {
                    0 => 200,
                    _ => status,
                };
                write(&mut socket, &response(status, EVENTS, ": nothing\n\n")).await;
            }
        })
        .await;
        let _client = client().http(&url).await.unwrap();
        sleep(LONG_TIME).await;
        assert_eq!(opened.load(Ordering::SeqCst), 6, "{status}");
    }
}
