//! The floor over HTTP: a bare hyper service that adds.

use std::convert::Infallible;
use std::io;

use drive::floor;
use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    eprintln!("listening on http://{}/mcp", listener.local_addr()?);
    loop {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        tokio::spawn(async move {
            let service = service_fn(add);
            let connection = http1::Builder::new().serve_connection(TokioIo::new(stream), service);
            // An error means that the client has disconnected.
            let _ = connection.await;
        });
    }
}

async fn add(request: Request<Incoming>) -> Result<Response<Full<Bytes>>, Infallible> {
    let body = request.into_body().collect().await;
    let body = body.map(|body| body.to_bytes()).unwrap_or_default();
    let mut out = Vec::new();
    let added = floor::add(&body, &mut out);
    let mut response = Response::new(Full::from(out));
    if added.is_err() {
        *response.status_mut() = StatusCode::BAD_REQUEST;
    }
    let json = HeaderValue::from_static("application/json");
    response.headers_mut().insert(CONTENT_TYPE, json);
    Ok(response)
}
