//! Detects connections that only wait for their client.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use http_body::{Body, Frame, SizeHint};

/// The number of requests of a connection that were received completely and have no complete
/// response yet.
#[derive(Clone, Default)]
pub(super) struct Activity(Arc<AtomicUsize>);

/// The time that the server waits for the rest of a request during shutdown.
const GRACE_PERIOD: Duration = Duration::from_secs(1);
const TICK: Duration = Duration::from_millis(100);

impl Activity {
    /// Wraps a request body. The request counts as active after the body has ended.
    pub(super) fn request<B>(&self, body: B) -> RequestBody<B> {
        let activity = Some(self.clone());
        RequestBody { body, activity }
    }

    /// Wraps a response body. The request stops counting as active when the wrapped body is
    /// dropped.
    pub(super) fn response<B>(&self, body: B) -> ResponseBody<B> {
        let _activity = ExchangeGuard(self.clone());
        ResponseBody { body, _activity }
    }

    /// Waits until the connection has had no active request for [`GRACE_PERIOD`].
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

/// The body of a request. See [`Activity::request`].
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
    /// Counts the request as active, even if the server did not read the whole body.
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

/// The body of a response. See [`Activity::response`].
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
