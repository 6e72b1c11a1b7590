use std::net::SocketAddr;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// A connection that reads no more than necessary.
pub(crate) struct Client {
    socket: TcpStream,
    buffer: Vec<u8>,
}

impl Client {
    pub(crate) async fn connect(address: SocketAddr) -> Self {
        let socket = TcpStream::connect(address)
            .await
            .expect("the server accepts");
        let buffer = Vec::with_capacity(4096);
        Self { socket, buffer }
    }

    /// Writes, ignoring errors.
    pub(crate) async fn write(&mut self, bytes: &[u8]) {
        let _ = self.socket.write_all(bytes).await;
    }

    /// Reads one whole response with `Content-Length` and returns its status.
    pub(crate) async fn status(&mut self) -> u16 {
        self.buffer.clear();
        let end = self.read_to(b"\r\n\r\n").await;
        let head = String::from_utf8_lossy(&self.buffer[..end]).into_owned();
        let length = head
            .lines()
            .find_map(|line| line.strip_prefix("content-length: "));
        let length: usize = length.and_then(|it| it.parse().ok()).unwrap_or_default();
        while self.buffer.len() < end + length {
            assert!(self.read().await, "the response breaks off");
        }
        head[9..12].parse().expect("a status is a number")
    }

    /// Reads until a text appears and returns the position after it.
    pub(crate) async fn read_to(&mut self, text: &[u8]) -> usize {
        loop {
            let found = self.buffer.windows(text.len()).position(|it| it == text);
            if let Some(start) = found {
                return start + text.len();
            }
            assert!(self.read().await, "the connection ends before {text:?}");
        }
    }

    async fn read(&mut self) -> bool {
        self.socket
            .read_buf(&mut self.buffer)
            .await
            .is_ok_and(|count| count > 0)
    }
}
