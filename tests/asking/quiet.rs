//! Servers over HTTP that are silent for long, on a clock that only they move.

use std::future::Future;
use std::time::Duration;

use mcp_runtime::protocol::Revision;
use mcp_runtime::{Client, ClientBuilder, ClientError};
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::time::timeout;

use crate::scripted::{Heard, legacy, read};

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
