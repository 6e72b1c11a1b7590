use std::io::IoSlice;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};

use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, ReadBuf, duplex};

use super::*;

/// A body length that is too large to be copied into the buffer of the headers.
const LENGTH: usize = 50_000;

/// A connection that counts the writes to it.
struct CountedWrites {
    io: DuplexStream,
    writes: Arc<AtomicUsize>,
}

impl AsyncRead for CountedWrites {
    fn poll_read(
        mut self: Pin<&mut Self>,
        task: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_read(task, buffer)
    }
}

impl AsyncWrite for CountedWrites {
    fn poll_write(
        mut self: Pin<&mut Self>,
        task: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.writes.fetch_add(1, Ordering::Relaxed);
        Pin::new(&mut self.io).poll_write(task, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        task: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.writes.fetch_add(1, Ordering::Relaxed);
        Pin::new(&mut self.io).poll_write_vectored(task, slices)
    }

    // A real socket supports vectored writes too.
    fn is_write_vectored(&self) -> bool {
        true
    }

    fn poll_flush(mut self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_flush(task)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_shutdown(task)
    }
}

#[tokio::test]
async fn headers_and_body_are_sent_in_one_write() {
    let (mut client, io) = duplex(1024 * 1024);
    let writes = Arc::<AtomicUsize>::default();
    let counted = CountedWrites {
        io,
        writes: Arc::clone(&writes),
    };
    let (_stopping, stopped) = watch::channel(false);
    tokio::spawn(async {
        let long = |_| async { Ok(responses::json(StatusCode::OK, vec![b'x'; LENGTH])) };
        let options = HttpOptions::new();
        serve_connection(
            &options,
            Box::new(counted),
            service_fn(long),
            stopped,
            &Activity::default(),
        )
        .await;
    });
    for round in 1..=3 {
        let request = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
        client.write_all(request.as_bytes()).await.unwrap();
        let mut response = Vec::new();
        while response.len() < LENGTH || !response[response.len() - LENGTH..].starts_with(b"xx") {
            assert_ne!(client.read_buf(&mut response).await.unwrap(), 0);
        }
        assert!(response.starts_with(b"HTTP/1.1 200 OK\r\n"));
        assert_eq!(writes.load(Ordering::Relaxed), round);
    }
}

#[tokio::test]
async fn accepted_connections_have_nodelay() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (client, accepted) = tokio::join!(TcpStream::connect(address), accept_nodelay(&listener));
    let (_client, (accepted, _)) = (client.unwrap(), accepted.unwrap());
    assert!(accepted.nodelay().unwrap());
}
