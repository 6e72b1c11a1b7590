//! A server inside the test, on a port of its own.

use std::net::SocketAddr;
use std::sync::LazyLock;
use std::sync::mpsc::{Receiver, channel};

use mcp_runtime::{HttpEndpoint, HttpListener, Server};
use tokio::runtime::Runtime;
use tokio::sync::oneshot;

use crate::line::{Line, PATIENCE};

pub(crate) static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| Runtime::new().unwrap());

pub(crate) struct Host {
    pub(crate) address: SocketAddr,
    pub(crate) endpoint: HttpEndpoint,
    stop: Option<oneshot::Sender<()>>,
    ended: Receiver<()>,
}

impl Host {
    pub(crate) fn of(server: Server) -> Self {
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

    pub(crate) fn connect(&self) -> Line {
        Line::connect(self.address)
    }

    /// Tells the server to stop, as SIGTERM does.
    pub(crate) fn stop(&mut self) {
        let _ = self.stop.take().unwrap().send(());
    }

    /// Waits until nobody listens any more; there is no event for a client that is gone.
    pub(crate) fn has_no_streams(&self) {
        let deadline = std::time::Instant::now() + PATIENCE;
        while self.endpoint.stream_count() > 0 {
            assert!(std::time::Instant::now() < deadline);
            std::thread::yield_now();
        }
    }

    pub(crate) fn has_ended(&self) {
        self.ended.recv_timeout(PATIENCE).unwrap();
    }
}
