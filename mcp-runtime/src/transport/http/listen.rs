use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::time::Duration;

use http::{Request, Response, StatusCode};
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

use super::HttpOptions;
use super::body::HttpBody;
use super::endpoint::HttpEndpoint;
use super::respond;
use super::steady::Steady;
use crate::error::Error;

/// Where a server waits for connections.
#[derive(Debug)]
#[non_exhaustive]
pub enum HttpListener {
    /// A TCP port.
    Tcp(TcpListener),
    /// A socket in the file system, whose permissions say who may connect.
    ///
    /// Clients ask for `http://localhost/mcp` through it.
    #[cfg(unix)]
    Unix(UnixListener),
}

impl HttpListener {
    /// Binds `127.0.0.1:8080`, `localhost:0`, or `unix:/run/my-server.sock`.
    ///
    /// # Errors
    /// Those of the operating system.
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

    /// The address of a TCP port.
    #[must_use]
    pub fn local_addr(&self) -> Option<SocketAddr> {
        match self {
            Self::Tcp(listener) => listener.local_addr().ok(),
            #[cfg(unix)]
            Self::Unix(_) => None,
        }
    }

    /// A connection, and from where it comes.
    async fn accept(&self) -> io::Result<(Box<dyn Connection>, Option<SocketAddr>)> {
        match self {
            Self::Tcp(listener) => {
                let (stream, address) = prompt(listener).await?;
                Ok((Box::new(stream), Some(address)))
            }
            #[cfg(unix)]
            Self::Unix(listener) => Ok((Box::new(listener.accept().await?.0), None)),
        }
    }
}

/// A connection on which nothing waits for the client's acknowledgement of what
/// went before, as TCP would have it.
async fn prompt(listener: &TcpListener) -> io::Result<(TcpStream, SocketAddr)> {
    let (stream, address) = listener.accept().await?;
    stream.set_nodelay(true)?;
    Ok((stream, address))
}

trait Connection: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Connection for T {}

impl HttpEndpoint {
    /// Serves until `stop` completes, and then until what is in flight is done.
    ///
    /// What is not done after [`HttpOptions::drain`](super::HttpOptions::drain) is cut off.
    ///
    /// # Errors
    /// [`Error::NoPublicHost`] or [`Error::OpenToAll`] for an address that other
    /// machines reach.
    pub async fn serve(
        self,
        listener: HttpListener,
        stop: impl Future<Output = ()>,
    ) -> Result<(), Error> {
        self.options().check(&listener, self.knows_callers())?;
        accept(&self, listener, stop).await;
        Ok(())
    }
}

async fn accept(endpoint: &HttpEndpoint, listener: HttpListener, stop: impl Future<Output = ()>) {
    let (stopping, stopped) = watch::channel(false);
    let mut connections = JoinSet::new();
    let mut stop = pin!(stop);
    loop {
        let free = connections.len() < endpoint.options().max_connections;
        tokio::select! {
            biased;
            () = &mut stop => break,
            Some(_) = connections.join_next(), if !connections.is_empty() => {}
            accepted = listener.accept(), if free => match accepted {
                Ok(accepted) => {
                    connections.spawn(connection(endpoint.clone(), accepted, stopped.clone()));
                }
                Err(error) => rest(&error).await,
            },
        }
    }
    drop(listener);
    tracing::debug!(connections = connections.len(), "stopping");
    // Nobody is left to receive where there is no connection.
    let _ = stopping.send(true);
    let dispatcher = endpoint.dispatcher();
    // Before their listeners are gone.
    dispatcher.stop_tasks().await;
    endpoint.end_streams();
    let drained = async { while connections.join_next().await.is_some() {} };
    let drain = endpoint.options().drain;
    if tokio::time::timeout(drain, drained).await.is_err() {
        tracing::warn!("gave up waiting for requests in flight after {drain:?}");
    }
    // Those that the last calls have begun.
    dispatcher.stop_tasks().await;
    endpoint.end_sessions();
}

/// A client that has gone already is its own problem; anything else takes time to pass.
async fn rest(error: &io::Error) {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    if !matches!(
        error.kind(),
        ConnectionAborted | ConnectionRefused | ConnectionReset
    ) {
        tracing::warn!("no connection could be accepted: {error}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

async fn connection(
    endpoint: HttpEndpoint,
    (io, address): (Box<dyn Connection>, Option<SocketAddr>),
    stopped: watch::Receiver<bool>,
) {
    let service = service_fn(|request| answer(&endpoint, request, address));
    speak(endpoint.options(), io, service, stopped).await;
}

/// HTTP on one connection, until its client or the server has had enough.
async fn speak<S>(
    options: &HttpOptions,
    io: Box<dyn Connection>,
    service: S,
    mut stopped: watch::Receiver<bool>,
) where
    S: Service<Request<Incoming>, Response = Response<HttpBody>, Error = Infallible>,
{
    let io = TokioIo::new(Steady::new(io, options.write_timeout));
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(options.head_timeout)
        .max_buf_size(options.max_head);
    let mut served = pin!(http.serve_connection(io, service));
    let stopping = async { drop(stopped.wait_for(|stopped| *stopped).await) };
    let ended = tokio::select! {
        ended = served.as_mut() => ended,
        () = stopping => {
            served.as_mut().graceful_shutdown();
            served.await
        }
    };
    if let Err(error) = ended {
        tracing::debug!("a connection ended: {error}");
    }
}

async fn answer(
    endpoint: &HttpEndpoint,
    mut request: Request<Incoming>,
    address: Option<SocketAddr>,
) -> Result<Response<HttpBody>, Infallible> {
    if let Some(address) = address {
        request.extensions_mut().insert(address);
    }
    let path = &endpoint.options().path;
    Ok(if endpoint.answers(request.uri().path()) {
        endpoint.handle(request).await
    } else {
        respond::refusal(StatusCode::NOT_FOUND, format!("the server is at {path}"))
    })
}

#[cfg(test)]
mod tests;
