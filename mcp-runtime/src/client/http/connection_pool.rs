use std::fmt;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use http::{Request, Response};
use hyper::body::Incoming;
use hyper::client::conn::http1::{self, SendRequest};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;

use super::server_address::ServerAddress;
use crate::client::ClientError;
use crate::transport::HttpBody;

/// The time after which the pool closes an idle connection. Many servers close idle connections
/// after 5 seconds.
const IDLE_TIMEOUT: Duration = Duration::from_secs(3);
/// The maximum number of idle connections in the pool.
const MAX_IDLE: usize = 8;

/// A byte stream to a server.
pub(in crate::client) trait ByteStream:
    AsyncRead + AsyncWrite + Send + Unpin
{
}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> ByteStream for T {}

type ConnectFuture = Pin<Box<dyn Future<Output = io::Result<Box<dyn ByteStream>>> + Send>>;
/// A function that opens a connection to a host and a port.
pub(in crate::client) type Connector = Box<dyn Fn(String, u16) -> ConnectFuture + Send + Sync>;

/// A pool of HTTP/1.1 connections to one server. Each connection carries one request at a time.
pub(super) struct ConnectionPool {
    pub(super) address: ServerAddress,
    connector: Option<Connector>,
    idle: Mutex<Vec<(SendRequest<HttpBody>, Instant)>>,
}

/// A connection in use, whose response is not yet read to the end.
pub(super) struct ActiveConnection(SendRequest<HttpBody>);

impl ConnectionPool {
    pub(super) fn new(address: ServerAddress, connector: Option<Connector>) -> Self {
        Self {
            address,
            connector,
            idle: Mutex::default(),
        }
    }

    /// Sends a request and returns the response once its headers have arrived.
    ///
    /// Sends the request again on another connection only if no part of it was sent.
    pub(super) async fn send(
        &self,
        mut request: Request<HttpBody>,
    ) -> Result<(Response<Incoming>, ActiveConnection), ClientError> {
        while let Some(mut connection) = self.take() {
            if connection.ready().await.is_err() {
                continue;
            }
            match connection.try_send_request(request).await {
                Ok(response) => return Ok((response, ActiveConnection(connection))),
                Err(mut failed) => match failed.take_message() {
                    Some(unsent) => request = unsent,
                    None => return Err(disconnected(&failed.into_error())),
                },
            }
        }
        let mut connection = self.connect().await?;
        match connection.send_request(request).await {
            Ok(response) => Ok((response, ActiveConnection(connection))),
            Err(error) => Err(disconnected(&error)),
        }
    }

    /// Returns a connection to the pool after its response was read to the end.
    pub(super) fn put_back(&self, connection: ActiveConnection) {
        let mut idle = self.idle();
        if idle.len() < MAX_IDLE {
            idle.push((connection.0, Instant::now()));
        }
    }

    /// Takes the most recently used connection, because the server is least likely to have closed
    /// it.
    fn take(&self) -> Option<SendRequest<HttpBody>> {
        let mut idle = self.idle();
        idle.retain(|(connection, since)| {
            !connection.is_closed() && since.elapsed() < IDLE_TIMEOUT
        });
        idle.pop().map(|(connection, _)| connection)
    }

    async fn connect(&self) -> Result<SendRequest<HttpBody>, ClientError> {
        let (host, port) = (self.address.host.clone(), self.address.port);
        let io = match &self.connector {
            Some(connect) => connect(host, port).await,
            None => connect_tcp(host, port).await,
        };
        let io = TokioIo::new(io.map_err(ClientError::Connect)?);
        let (sender, connection) = http1::handshake(io)
            .await
            .map_err(|error| disconnected(&error))?;
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!("a connection to the server failed: {error}");
            }
        });
        Ok(sender)
    }

    fn idle(&self) -> MutexGuard<'_, Vec<(SendRequest<HttpBody>, Instant)>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn connect_tcp(host: String, port: u16) -> io::Result<Box<dyn ByteStream>> {
    let stream = TcpStream::connect((host, port)).await?;
    stream.set_nodelay(true)?;
    Ok(Box::new(stream))
}

fn disconnected(error: &hyper::Error) -> ClientError {
    tracing::debug!("the connection to the server failed: {error}");
    ClientError::Disconnected
}

impl fmt::Debug for ConnectionPool {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("ConnectionPool")
            .field("address", &self.address)
            .field("idle", &self.idle().len())
            .finish_non_exhaustive()
    }
}
