//! Whether a connection waits for its client.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use http_body::{Body, Frame, SizeHint};

/// Counts the requests of a connection that arrived in full and have no complete response.
#[derive(Clone, Default)]
pub(super) struct Activity(Arc<AtomicUsize>);

/// How long a stopping server waits for the rest of a request.
const GRACE_PERIOD: Duration = Duration::from_secs(1);
const TICK: Duration = Duration::from_millis(100);

impl Activity {
    /// A request body whose end starts the server's part of an exchange.
    pub(super) fn request<B>(&self, body: B) -> RequestBody<B> {
        let activity = Some(self.clone());
        RequestBody { body, activity }
    }

    /// A response body whose end completes an exchange.
    pub(super) fn response<B>(&self, body: B) -> ResponseBody<B> {
        let _activity = ExchangeGuard(self.clone());
        ResponseBody { body, _activity }
    }

    /// Completes when the connection has only waited for its client for a while.
    pub(super) async fn abandoned(&self) {
        let mut waited = Duration::ZERO;
        while waited < GRACE_PERIOD {
            tokio::time::sleep(TICK).await;
            waited = match self.0.load(Ordering::Relaxed) {
                0 => waited + TICK,
                _ => Duration::ZERO,
            };
        }
    }
}

/// The body of a request; see [`Activity::request`].
pub(super) struct RequestBody<B> {
    body: B,
    /// `None` once the body has ended.
    activity: Option<Activity>,
}

impl<B> RequestBody<B> {
    fn end(&mut self) {
        if let Some(activity) = self.activity.take() {
            activity.0.fetch_add(1, Ordering::Relaxed);
        }
    }
}

impl<B> Drop for RequestBody<B> {
    /// A body that is not read is complete for the server.
    fn drop(&mut self) {
        self.end();
    }
}

impl<B: Body + Unpin> Body for RequestBody<B> {
    type Data = B::Data;
    type Error = B::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        task: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<B::Data>, B::Error>>> {
        let frame = Pin::new(&mut self.body).poll_frame(task);
        if let Poll::Ready(None) = frame {
            self.end();
        }
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

struct ExchangeGuard(Activity);

impl Drop for ExchangeGuard {
    fn drop(&mut self) {
        self.0.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The body of a response; see [`Activity::response`].
pub(super) struct ResponseBody<B> {
    body: B,
    _activity: ExchangeGuard,
}

impl<B: Body + Unpin> Body for ResponseBody<B> {
    type Data = B::Data;
    type Error = B::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        task: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<B::Data>, B::Error>>> {
        Pin::new(&mut self.body).poll_frame(task)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
