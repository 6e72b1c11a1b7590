use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::task::{Context, Waker};
use std::time::Duration;

use http::{Request, Response, StatusCode};
use http_body::Body;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite};
#[cfg(unix)]
use tokio::net::UnixListener;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;

use super::activity::{Activity, RequestBody, ResponseBody};
use super::body::HttpBody;
use super::endpoint::HttpEndpoint;
use super::options::HttpOptions;
use super::responses;
use super::write_timeout::WriteTimeout;
use crate::error::Error;
use crate::limits::{CallerKey, Share, Shares};

/// A listening socket for [`Server::serve_http_on`](crate::Server::serve_http_on).
#[derive(Debug)]
#[non_exhaustive]
pub enum HttpListener {
    /// A TCP socket.
    Tcp(TcpListener),
    /// A Unix domain socket. The permissions of its file determine who may connect.
    ///
    /// Clients send requests for `http://localhost/mcp` over this socket.
    #[cfg(unix)]
    Unix(UnixListener),
}

impl HttpListener {
    /// Binds an address such as `127.0.0.1:8080`, `localhost:0` or
    /// `unix:/run/my-server.sock`.
    ///
    /// # Errors
    /// Returns an error if the operating system cannot bind the address.
    pub async fn bind(address: &str) -> Result<Self, Error> {
        #[cfg(unix)]
        if let Some(path) = address.strip_prefix("unix:") {
            return match UnixListener::bind(path) {
                Ok(listener) => Ok(Self::Unix(listener)),
                Err(source) => Err(Error::io("binding the Unix socket")(source)),
            };
        }
        let bound = TcpListener::bind(address).await;
        bound
            .map(Self::Tcp)
            .map_err(Error::io("binding the address"))
    }

    /// Returns the address of a TCP socket, or `None` for a Unix domain socket.
    #[must_use]
    pub fn local_addr(&self) -> Option<SocketAddr> {
        match self {
            Self::Tcp(listener) => listener.local_addr().ok(),
            #[cfg(unix)]
            Self::Unix(_) => None,
        }
    }

    /// Accepts a connection, and returns it with the client's address. A client of a Unix domain
    /// socket has no address.
    async fn accept(&self) -> io::Result<(Box<dyn AsyncStream>, Option<SocketAddr>)> {
        match self {
            Self::Tcp(listener) => {
                let (stream, address) = accept_nodelay(listener).await?;
                Ok((Box::new(stream), Some(address)))
            }
            #[cfg(unix)]
            Self::Unix(listener) => Ok((Box::new(listener.accept().await?.0), None)),
        }
    }
}

/// Accepts a connection and sets `TCP_NODELAY`, which sends data without waiting for the
/// acknowledgment of earlier data.
async fn accept_nodelay(listener: &TcpListener) -> io::Result<(TcpStream, SocketAddr)> {
    let (stream, address) = listener.accept().await?;
    stream.set_nodelay(true)?;
    Ok((stream, address))
}

trait AsyncStream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> AsyncStream for T {}

impl HttpEndpoint {
    /// Serves the endpoint until `stop` completes. Then waits until the requests in flight are
    /// complete, but at most for [`HttpOptions::shutdown_timeout`].
    ///
    /// # Errors
    /// Returns [`Error::NoPublicHost`] or [`Error::PublicWithoutAuth`] if other machines can reach
    /// the address and the server has no public host or does not authenticate callers.
    pub async fn serve(
        self,
        listener: HttpListener,
        stop: impl Future<Output = ()>,
    ) -> Result<(), Error> {
        check_exposure(&self, &listener)?;
        accept(&self, listener, stop).await;
        Ok(())
    }
}

/// Checks whether the server is protected if other machines can reach its address. Returns an error
/// if the server has no public host or does not authenticate callers.
fn check_exposure(endpoint: &HttpEndpoint, listener: &HttpListener) -> Result<(), Error> {
    let options = endpoint.options();
    let has_host = options.any_host || !options.public_hosts.is_empty();
    let access_control = &endpoint.dispatcher().core().server.access_control;
    let knows_callers = access_control.validator.is_some() || options.allow_anonymous;
    let public = listener.local_addr().filter(|it| !it.ip().is_loopback());
    match public {
        Some(address) if !has_host => Err(Error::NoPublicHost { address }),
        Some(address) if !knows_callers => Err(Error::PublicWithoutAuth { address }),
        _ => Ok(()),
    }
}

async fn accept(endpoint: &HttpEndpoint, listener: HttpListener, stop: impl Future<Output = ()>) {
    let (stopping, stopped) = watch::channel(false);
    let mut connections = JoinSet::new();
    let mut stop = pin!(stop);
    let max_connections = endpoint.options().max_connections;
    let shares = Shares::new(max_connections);
    loop {
        let free = connections.len() < max_connections;
        tokio::select! {
            biased;
            () = &mut stop => break,
            Some(_) = connections.join_next(), if !connections.is_empty() => {}
            accepted = listener.accept(), if free => match accepted {
                Ok((io, address)) => {
                    let caller = address.map(|it| CallerKey::address(it.ip()));
                    match shares.acquire(caller, 1) {
                        Some(share) => {
                            let accepted = (io, address, share);
                            let serving = serve(endpoint.clone(), accepted, stopped.clone());
                            connections.spawn(serving);
                        }
                        None => reject(io),
                    }
                }
                Err(error) => back_off(&error).await,
            },
        }
    }
    drop(listener);
    tracing::debug!(connections = connections.len(), "stopping");
    // Sending fails if no connection is open.
    let _ = stopping.send(true);
    let dispatcher = endpoint.dispatcher();
    // The tasks are stopped here because the server can still notify clients of failed tasks.
    dispatcher.stop_tasks().await;
    endpoint.close_listen_streams();
    let closed = async { while connections.join_next().await.is_some() {} };
    let timeout = endpoint.options().shutdown_timeout;
    if tokio::time::timeout(timeout, closed).await.is_err() {
        tracing::warn!("closing connections with requests in flight after {timeout:?}");
    }
    // This stops the tasks that the last calls started.
    dispatcher.stop_tasks().await;
    endpoint.end_sessions();
}

/// Closes the connection of a client address that already uses its share of connections. The
/// function does not wait for the client.
fn reject(mut io: Box<dyn AsyncStream>) {
    tracing::debug!("too many connections of one address; see `HttpOptions::max_connections`");
    let response = b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\n\
                     Connection: close\r\nContent-Length: 0\r\n\r\n";
    // The send buffer of a new connection has room for the whole response.
    let mut task = Context::from_waker(Waker::noop());
    let _ = Pin::new(&mut io).poll_write(&mut task, response);
}

/// Waits before the next `accept`, unless the error affects only this client.
async fn back_off(error: &io::Error) {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    if !matches!(
        error.kind(),
        ConnectionAborted | ConnectionRefused | ConnectionReset
    ) {
        tracing::warn!("failed to accept a connection: {error}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

async fn serve(
    endpoint: HttpEndpoint,
    (io, address, _share): (Box<dyn AsyncStream>, Option<SocketAddr>, Share),
    stopped: watch::Receiver<bool>,
) {
    let activity = Activity::default();
    let service = service_fn(|request: Request<Incoming>| {
        let request = request.map(|body| activity.request(body));
        respond(&endpoint, request, address, &activity)
    });
    serve_connection(endpoint.options(), io, service, stopped, &activity).await;
}

/// Serves one connection until the client closes it or the server shuts down.
async fn serve_connection<S, B>(
    options: &HttpOptions,
    io: Box<dyn AsyncStream>,
    service: S,
    mut stopped: watch::Receiver<bool>,
    activity: &Activity,
) where
    S: Service<Request<Incoming>, Response = Response<B>, Error = Infallible>,
    B: Body<Error = Infallible> + 'static,
{
    let io = TokioIo::new(WriteTimeout::new(io, options.write_timeout));
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(options.header_read_timeout)
        .max_buf_size(options.max_header_bytes);
    let mut served = pin!(http.serve_connection(io, service));
    let stopping = async { drop(stopped.wait_for(|stopped| *stopped).await) };
    let ended = tokio::select! {
        ended = served.as_mut() => ended,
        () = stopping => {
            served.as_mut().graceful_shutdown();
            // The future is boxed because it would otherwise add memory to every connection.
            tokio::select! {
                ended = served => ended,
                () = Box::pin(activity.abandoned()) => {
                    tracing::debug!("closing a connection with an incomplete request");
                    return;
                }
            }
        }
    };
    if let Err(error) = ended {
        tracing::debug!("a connection ended: {error}");
    }
}

async fn respond(
    endpoint: &HttpEndpoint,
    mut request: Request<RequestBody<Incoming>>,
    address: Option<SocketAddr>,
    activity: &Activity,
) -> Result<Response<ResponseBody<HttpBody>>, Infallible> {
    if let Some(address) = address {
        request.extensions_mut().insert(address);
    }
    let path = &endpoint.options().path;
    let response = if endpoint.serves_path(request.uri().path()) {
        endpoint.handle(request).await
    } else {
        drop(request);
        responses::rejection(StatusCode::NOT_FOUND, format!("the server is at {path}"))
    };
    Ok(response.map(|body| activity.response(body)))
}

#[cfg(test)]
mod tests;
