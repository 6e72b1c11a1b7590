//! A collector of OTLP over HTTP with protobuf, and an exporter that sends to it.

use std::future::Future;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::pin::Pin;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

use opentelemetry_http::{Bytes, HttpClient, HttpError, Request, Response};
use opentelemetry_otlp::{Protocol, SpanExporter, WithExportConfig, WithHttpConfig};
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::trace::v1::Span;
use opentelemetry_sdk::trace::SdkTracerProvider;
use prost::Message;

/// How long a test waits for something that must happen.
const TIMEOUT: Duration = Duration::from_secs(20);

/// A running collector.
pub(crate) struct Collector {
    address: SocketAddr,
    spans: Receiver<Span>,
}

impl Collector {
    pub(crate) fn start() -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let (sender, spans) = channel();
        thread::spawn(move || {
            for stream in listener.incoming() {
                answer(stream.unwrap(), &sender);
            }
        });
        Self { address, spans }
    }

    /// A provider that exports each span as soon as it ends.
    pub(crate) fn provider(&self) -> SdkTracerProvider {
        let exporter = SpanExporter::builder()
            .with_http()
            .with_http_client(BlockingClient)
            .with_protocol(Protocol::HttpBinary)
            .with_endpoint(format!("http://{}/v1/traces", self.address))
            .build()
            .unwrap();
        SdkTracerProvider::builder()
            .with_simple_exporter(exporter)
            .build()
    }

    /// Waits for the next exported span.
    pub(crate) fn next(&self) -> Span {
        self.spans.recv_timeout(TIMEOUT).unwrap()
    }
}

/// Reads one export request and sends its spans to the test.
fn answer(stream: TcpStream, spans: &Sender<Span>) {
    let mut reader = BufReader::new(stream);
    let mut length = 0;
    let mut head = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        let line = line.trim_end().to_ascii_lowercase();
        if line.is_empty() {
            break;
        }
        if let Some(value) = line.strip_prefix("content-length: ") {
            length = value.parse().unwrap();
        }
        head.push(line);
    }
    assert_eq!(head[0], "post /v1/traces http/1.1");
    assert!(
        head.contains(&"content-type: application/x-protobuf".to_owned()),
        "{head:?}"
    );
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    let request = ExportTraceServiceRequest::decode(&*body).unwrap();
    let scopes = request
        .resource_spans
        .into_iter()
        .flat_map(|it| it.scope_spans);
    for span in scopes.flat_map(|scope| scope.spans) {
        // The test may have ended.
        let _ = spans.send(span);
    }
    let answer = b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
    reader.get_mut().write_all(answer).unwrap();
}

/// A minimal HTTP client that blocks its thread.
#[derive(Debug)]
struct BlockingClient;

impl HttpClient for BlockingClient {
    fn send_bytes<'a, 'b>(
        &'a self,
        request: Request<Bytes>,
    ) -> Pin<Box<dyn Future<Output = Result<Response<Bytes>, HttpError>> + Send + 'b>>
    where
        'a: 'b,
        Self: 'b,
    {
        Box::pin(async move { send(&request).map_err(HttpError::from) })
    }
}

fn send(request: &Request<Bytes>) -> std::io::Result<Response<Bytes>> {
    let authority = request.uri().authority().unwrap().as_str();
    let mut stream = TcpStream::connect(authority)?;
    write!(
        stream,
        "POST {} HTTP/1.1\r\nhost: {authority}\r\n",
        request.uri().path()
    )?;
    for (name, value) in request.headers() {
        write!(stream, "{name}: {}\r\n", value.to_str().unwrap())?;
    }
    write!(stream, "content-length: {}\r\n\r\n", request.body().len())?;
    stream.write_all(request.body())?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    Ok(Response::new(Bytes::new()))
}
