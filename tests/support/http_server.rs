//! An HTTP server in the test process, on its own port.

use std::net::SocketAddr;
use std::sync::LazyLock;
use std::sync::mpsc::{Receiver, channel};

use mcp_runtime::Server;
use mcp_runtime::transport::{HttpEndpoint, HttpListener};
use tokio::runtime::Runtime;
use tokio::sync::oneshot;

use crate::http_connection::{HttpConnection, TIMEOUT};

/// The runtime of all servers in this process.
pub static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| Runtime::new().unwrap());

/// A running server.
pub struct HttpServer {
    pub address: SocketAddr,
    pub endpoint: HttpEndpoint,
    stop: Option<oneshot::Sender<()>>,
    ended: Receiver<()>,
}

impl HttpServer {
    /// Serves `server` on a free port.
    pub fn start(server: Server) -> Self {
        let endpoint = server.http_endpoint().unwrap();
        let listener = RUNTIME.block_on(HttpListener::bind("127.0.0.1:0")).unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel::<()>();
        let (sender, ended) = channel();
        let serving = endpoint.clone().serve(listener, async {
            let _ = stopped.await;
        });
        RUNTIME.spawn(async move {
            serving.await.unwrap();
            let _ = sender.send(());
        });
        Self {
            address,
            endpoint,
            stop: Some(stop),
            ended,
        }
    }

    /// Opens a connection to the server.
    pub fn connect(&self) -> HttpConnection {
        HttpConnection::connect(self.address)
    }

    /// Starts a graceful shutdown, as SIGTERM does.
    pub fn stop(&mut self) {
        let _ = self.stop.take().unwrap().send(());
    }

    /// Waits until no stream is open; nothing signals that a client has gone.
    pub fn wait_for_no_streams(&self) {
        let deadline = std::time::Instant::now() + TIMEOUT;
        while self.endpoint.stream_count() > 0 {
            assert!(std::time::Instant::now() < deadline);
            std::thread::yield_now();
        }
    }

    /// Waits until the server has stopped.
    pub fn wait_for_exit(&self) {
        self.ended.recv_timeout(TIMEOUT).unwrap();
    }
}
