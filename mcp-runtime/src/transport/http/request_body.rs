use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::task::Poll;
use std::time::Duration;

use bytes::{Buf, Bytes};
use http::StatusCode;
use http_body::Body;

/// The HTTP status and message of the response that rejects a request.
pub(super) type BodyError = (StatusCode, &'static str);

/// The maximum time that the server reads the rest of a body that is too large.
const DISCARD_TIME: Duration = Duration::from_secs(1);

/// Reads a body of at most `limit` bytes. The function does not copy a body that arrives in one
/// frame.
pub(super) async fn read_body<B: Body>(
    body: B,
    limit: usize,
    timeout: Duration,
) -> Result<Bytes, BodyError> {
    let mut body = pin!(body);
    if body.size_hint().lower() > limit as u64 {
        discard(body).await;
        return Err(too_large());
    }
    let mut reading = pin!(collect(body.as_mut(), limit));
    // Most bodies arrive together with the headers and need no timer.
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

async fn collect<B: Body>(mut body: Pin<&mut B>, limit: usize) -> Result<Bytes, BodyError> {
    let mut is_too_large = false;
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
            is_too_large = true;
            break;
        }
        let data = data.copy_to_bytes(data.remaining());
        if first.is_empty() {
            first = data;
        } else {
            rest.extend_from_slice(&data);
        }
    }
    if is_too_large {
        discard(body).await;
        return Err(too_large());
    }
    if rest.is_empty() {
        return Ok(first);
    }
    Ok([first.as_ref(), &rest].concat().into())
}

/// Reads and drops the rest of a body for at most [`DISCARD_TIME`].
///
/// If the server closes the connection while the client still writes, TCP resets the connection and
/// the client does not receive the response (RFC 9112 §9.6).
async fn discard<B: Body>(mut body: Pin<&mut B>) {
    let rest =
        async { while let Some(Ok(_)) = poll_fn(|task| body.as_mut().poll_frame(task)).await {} };
    // The connection of a client that takes longer may be reset.
    let _ = tokio::time::timeout(DISCARD_TIME, rest).await;
}

fn too_large() -> BodyError {
    (
        StatusCode::PAYLOAD_TOO_LARGE,
        "the body is too large; see `HttpOptions::max_body`",
    )
}
