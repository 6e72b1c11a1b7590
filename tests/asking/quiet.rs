//! Servers over HTTP that are silent for long, on a clock that only they move.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use mcp_runtime::protocol::Revision;
use mcp_runtime::{Client, ClientBuilder, ClientError};
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc::unbounded_channel;
use tokio::time::{sleep, timeout};

use crate::scripted::{Heard, legacy, read, response};

const EVENTS: &str = "text/event-stream";
/// After which a proxy ends whatever is silent.
const CUT: Duration = Duration::from_secs(60);
/// Longer than anything here.
const AGES: Duration = Duration::from_secs(24 * 60 * 60);

/// Answers each request on a connection of its own, beside the others.
async fn serve<A>(answer: impl Fn(Heard, TcpStream) -> A + Send + 'static) -> String
where
    A: Future<Output = ()> + Send + 'static,
{
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((mut socket, _)) = listener.accept().await {
            if let Some(heard) = read(&mut socket).await {
                tokio::spawn(answer(heard, socket));
            }
        }
    });
    url
}

async fn say(socket: &mut TcpStream, text: &str) {
    // The client may have gone.
    let _ = socket.write_all(text.as_bytes()).await;
}

fn client() -> ClientBuilder {
    Client::builder()
        .revision(Revision::V2025_11_25)
        .timeout(AGES)
}

#[tokio::test(start_paused = true)]
async fn a_server_that_falls_silent_in_the_handshake_is_given_up() {
    let url = serve(|heard, mut socket| async move {
        if heard.method() == "notifications/initialized" {
            return std::future::pending().await;
        }
        say(&mut socket, &legacy(&heard)).await;
    })
    .await;
    let patience = Duration::from_secs(7);
    let connecting = client().timeout(patience).http(&url);
    let connected = timeout(AGES, connecting).await.expect("an end");
    let error = connected.unwrap_err();
    assert!(matches!(error, ClientError::TimedOut(after) if after == patience));
}

/// What a proxy makes of a stream that has nothing to say, by how often it was opened.
async fn cut(count: usize, socket: &mut TcpStream) {
    match count % 3 {
        0 => {
            say(socket, &response(200, EVENTS, ": alive\n\n")).await;
            sleep(CUT).await;
        }
        1 => {
            say(socket, &response(200, EVENTS, "")).await;
            sleep(CUT).await;
        }
        _ => {
            sleep(CUT).await;
            say(socket, &response(504, "text/html", "<h1>Slow</h1>")).await;
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_quiet_server_is_heard_whenever_it_says_something() {
    let opened = Arc::new(AtomicUsize::new(0));
    let url = serve(move |heard, mut socket| {
        let opened = Arc::clone(&opened);
        async move {
            if !heard.method().is_empty() {
                return say(&mut socket, &legacy(&heard)).await;
            }
            match opened.fetch_add(1, Ordering::SeqCst) {
                20 => {
                    let news = "notifications/tools/list_changed";
                    let news = json!({ "jsonrpc": "2.0", "method": news });
                    say(&mut socket, &response(200, EVENTS, "")).await;
                    say(&mut socket, &format!("data: {news}\n\n")).await;
                }
                count => cut(count, &mut socket).await,
            }
        }
    })
    .await;
    let (told, mut heard) = unbounded_channel();
    let news = "notifications/tools/list_changed";
    let builder = client().on_notification(news, move |_| told.send(()).unwrap());
    let _client = builder.http(&url).await.unwrap();
    timeout(AGES, heard.recv()).await.expect("the news");
}

#[tokio::test(start_paused = true)]
async fn a_call_may_be_quiet_for_as_long_as_its_client_waits() {
    let opened = Arc::new(AtomicUsize::new(0));
    let url = serve(move |heard, mut socket| {
        let opened = Arc::clone(&opened);
        async move {
            if heard.method() == "tools/call" {
                say(&mut socket, &response(200, EVENTS, "id: a\n\n")).await;
                return sleep(CUT).await;
            }
            if !heard.has("last-event-id: a") {
                return say(&mut socket, &legacy(&heard)).await;
            }
            match opened.fetch_add(1, Ordering::SeqCst) {
                20 => {
                    let answer = json!({ "jsonrpc": "2.0", "id": 2, "result": { "content": [
                        { "type": "text", "text": "at last" },
                    ] } });
                    say(&mut socket, &response(200, EVENTS, "")).await;
                    say(&mut socket, &format!("data: {answer}\n\n")).await;
                }
                count => cut(count, &mut socket).await,
            }
        }
    })
    .await;
    let client = client().http(&url).await.unwrap();
    let text: String = client.call("slow", Value::Null).await.unwrap();
    assert_eq!(text, "at last");
}

#[tokio::test(start_paused = true)]
async fn a_stream_that_ends_at_once_is_given_up() {
    for status in [200, 503] {
        let opened = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&opened);
        let url = serve(move |heard, mut socket| {
            let counted = Arc::clone(&counted);
            async move {
                if !heard.method().is_empty() {
                    return say(&mut socket, &legacy(&heard)).await;
                }
                let status = match counted.fetch_add(1, Ordering::SeqCst) {
                    0 => 200,
                    _ => status,
                };
                say(&mut socket, &response(status, EVENTS, ": nothing\n\n")).await;
            }
        })
        .await;
        let _client = client().http(&url).await.unwrap();
        sleep(AGES).await;
        assert_eq!(opened.load(Ordering::SeqCst), 6, "{status}");
    }
}
