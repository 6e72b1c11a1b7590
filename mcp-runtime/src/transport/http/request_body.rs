use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use bytes::{Buf, Bytes};
use http::StatusCode;
use http_body::Body;

/// The status and message to reject a request with.
pub(super) type BodyError = (StatusCode, &'static str);

/// Reads a body of at most `limit` bytes. A body in one frame is not copied.
pub(super) async fn read_body<B: Body>(
    body: B,
    limit: usize,
    timeout: Duration,
) -> Result<Bytes, BodyError> {
    if body.size_hint().lower() > limit as u64 {
        return Err(too_large());
    }
    let mut reading = pin!(collect(body, limit));
    // Most bodies arrive with their headers and need no timer.
    if let Poll::Ready(read) = poll_fn(|task| Poll::Ready(reading.as_mut().poll(task))).await {
        return read;
    }
    match tokio::time::timeout(timeout, reading).await {
        Ok(read) => read,
        Err(_) => Err((
            StatusCode::REQUEST_TIMEOUT,
            "the body took too long; see `HttpOptions::body_timeout`",
        )),
    }
}

async fn collect<B: Body>(body: B, limit: usize) -> Result<Bytes, BodyError> {
    let mut body = pin!(body);
    let mut first = Bytes::new();
    let mut rest: Vec<u8> = Vec::new();
    while let Some(frame) = poll_fn(|task| body.as_mut().poll_frame(task)).await {
        let Ok(frame) = frame else {
            return Err((StatusCode::BAD_REQUEST, "the body is incomplete"));
        };
        let Ok(mut data) = frame.into_data() else {
            continue;
        };
        if first.len() + rest.len() + data.remaining() > limit {
            return Err(too_large());
        }
        let data = data.copy_to_bytes(data.remaining());
        if first.is_empty() {
            first = data;
        } else {
            rest.extend_from_slice(&data);
        }
    }
    if rest.is_empty() {
        return Ok(first);
    }
    Ok([first.as_ref(), &rest].concat().into())
}

fn too_large() -> BodyError {
    (
        StatusCode::PAYLOAD_TOO_LARGE,
        "the body is too large; see `HttpOptions::max_body`",
    )
}
