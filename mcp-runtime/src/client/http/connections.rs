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

use super::address::Address;
use crate::client::ClientError;
use crate::transport::HttpBody;

/// How long a connection is kept that nobody uses; servers may close theirs after 5 s.
const IDLE: Duration = Duration::from_secs(3);
/// How many are kept.
const KEPT: usize = 8;

/// A byte stream to a server.
pub(super) trait Io: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Io for T {}

type Connecting = Pin<Box<dyn Future<Output = io::Result<Box<dyn Io>>> + Send>>;
/// Opens a connection to a host and a port.
pub(super) type Connector = Box<dyn Fn(String, u16) -> Connecting + Send + Sync>;

/// The connections to one server, each with one request at a time.
pub(super) struct Connections {
    pub(super) address: Address,
    connector: Option<Connector>,
    idle: Mutex<Vec<(SendRequest<HttpBody>, Instant)>>,
}

/// A connection whose response is being read.
pub(super) struct Busy(SendRequest<HttpBody>);

impl Connections {
    pub(super) fn new(address: Address, connector: Option<Connector>) -> Self {
        Self {
            address,
            connector,
            idle: Mutex::default(),
        }
    }

    /// Sends a request and gives the response once its head is there.
    ///
    /// A request goes out again only where none of it was sent.
    pub(super) async fn send(
        &self,
        mut request: Request<HttpBody>,
    ) -> Result<(Response<Incoming>, Busy), ClientError> {
        while let Some(mut connection) = self.take() {
            if connection.ready().await.is_err() {
                continue;
            }
            match connection.try_send_request(request).await {
                Ok(response) => return Ok((response, Busy(connection))),
                Err(mut failed) => match failed.take_message() {
                    Some(unsent) => request = unsent,
                    None => return Err(broken(&failed.into_error())),
                },
            }
        }
        let mut connection = self.connect().await?;
        match connection.send_request(request).await {
            Ok(response) => Ok((response, Busy(connection))),
            Err(error) => Err(broken(&error)),
        }
    }

    /// Takes a connection back whose response was read to its end.
    pub(super) fn give_back(&self, connection: Busy) {
        let mut idle = self.idle();
        if idle.len() < KEPT {
            idle.push((connection.0, Instant::now()));
        }
    }

    /// The connection that was used last, since it lives longest.
    fn take(&self) -> Option<SendRequest<HttpBody>> {
        let mut idle = self.idle();
        idle.retain(|(connection, since)| !connection.is_closed() && since.elapsed() < IDLE);
        idle.pop().map(|(connection, _)| connection)
    }

    async fn connect(&self) -> Result<SendRequest<HttpBody>, ClientError> {
        let (host, port) = (self.address.host.clone(), self.address.port);
        let io = match &self.connector {
            Some(connect) => connect(host, port).await,
            None => plain(host, port).await,
        };
        let io = TokioIo::new(io.map_err(ClientError::Connect)?);
        let (sender, connection) = http1::handshake(io).await.map_err(|error| broken(&error))?;
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!("a connection to the server ended: {error}");
            }
        });
        Ok(sender)
    }

    fn idle(&self) -> MutexGuard<'_, Vec<(SendRequest<HttpBody>, Instant)>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn plain(host: String, port: u16) -> io::Result<Box<dyn Io>> {
    let stream = TcpStream::connect((host, port)).await?;
    stream.set_nodelay(true)?;
    Ok(Box::new(stream))
}

fn broken(error: &hyper::Error) -> ClientError {
    tracing::debug!("the connection to the server broke: {error}");
    ClientError::Disconnected
}

impl fmt::Debug for Connections {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Connections")
            .field("address", &self.address)
            .field("idle", &self.idle().len())
            .finish_non_exhaustive()
    }
}
