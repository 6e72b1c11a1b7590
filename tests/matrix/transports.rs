//! One client interface for every transport.

use std::fmt;
use std::process::Command;

use mcp_runtime::dispatch::{Connection, PendingCall};
use serde_json::{Value, json};
use support::dispatcher_client::{DispatcherClient, with_request_meta};
use support::http_client::HttpClient;
use support::http_connection::HttpConnection;
use support::http_server::HttpServer;
use support::process::ServerProcess;
use support::wire::Revision;

use crate::definitions::server;

/// A transport.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Transport {
    /// In this process, with responses only, as for the command line.
    Responses,
    /// In this process, with notifications.
    Memory,
    Stdio,
    Http,
}

impl Transport {
    pub(crate) const ALL: [Self; 4] = [Self::Responses, Self::Memory, Self::Stdio, Self::Http];
}

impl fmt::Display for Transport {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Responses => "replies",
            Self::Memory => "memory",
            Self::Stdio => "stdio",
            Self::Http => "HTTP",
        })
    }
}

/// An initialized client of one revision over one transport.
pub(crate) struct TransportClient {
    pub(crate) revision: Revision,
    inner: InnerClient,
    next_id: i64,
    /// Open listen streams in this process; they end with the client.
    listen_calls: Vec<PendingCall>,
    /// The connection of an open stream over HTTP.
    stream: Option<HttpConnection>,
    /// The HTTP status of the last response.
    pub(crate) status: Option<u16>,
}

enum InnerClient {
    Memory(Box<DispatcherClient>),
    Stdio(Box<ServerProcess>),
    Http(Box<(HttpServer, HttpClient)>),
}

/// The messages that a request causes: notifications, then the response.
pub(crate) struct Exchange {
    pub(crate) before: Vec<Value>,
    pub(crate) reply: Value,
}

impl TransportClient {
    pub(crate) fn connect(transport: Transport, revision: Revision) -> Self {
        let inner = match transport {
            Transport::Responses => {
                let mut client = DispatcherClient::connect(server(), Revision::V2026_07_28);
                client.connection = Connection::new();
                client.initialize_revision(revision);
                InnerClient::Memory(Box::new(client))
            }
            Transport::Memory => {
                InnerClient::Memory(Box::new(DispatcherClient::connect(server(), revision)))
            }
            Transport::Stdio => {
                let program = env!("CARGO_BIN_EXE_definitions-server");
                let server = ServerProcess::spawn(&mut Command::new(program));
                InnerClient::Stdio(Box::new(match revision.is_legacy() {
                    true => server.initialize(revision),
                    false => server,
                }))
            }
            Transport::Http => {
                let server = HttpServer::start(server().allow_local());
                let client = HttpClient::initialized(&server, revision);
                InnerClient::Http(Box::new((server, client)))
            }
        };
        Self {
            revision,
            inner,
            next_id: 1000,
            listen_calls: Vec::new(),
            stream: None,
            status: None,
        }
    }

    /// Builds a request of the revision; `params` may have members of `_meta`.
    pub(crate) fn new_request(&mut self, method: &str, params: Value) -> Value {
        let params = with_request_meta(self.revision, params);
        self.next_id += 1;
        json!({ "jsonrpc": "2.0", "id": self.next_id, "method": method, "params": params })
    }

    /// Sends a request and returns the response.
    pub(crate) fn request(&mut self, method: &str, params: Value) -> Value {
        self.exchange(method, params).reply
    }

    pub(crate) fn call(&mut self, tool: &str, arguments: Value) -> Exchange {
        let params = json!({ "name": tool, "arguments": arguments });
        self.exchange("tools/call", params)
    }

    /// Sends a request and reads up to the response, or to the acknowledgement of a stream.
    pub(crate) fn exchange(&mut self, method: &str, params: Value) -> Exchange {
        let request = self.new_request(method, params);
        let listens = method == "subscriptions/listen";
        match &mut self.inner {
            InnerClient::Memory(client) if listens => match client.try_start(&request) {
                Ok(pending) => {
                    self.listen_calls.push(pending);
                    let reply = client.take_notifications().pop().unwrap();
                    let before = Vec::new();
                    Exchange { before, reply }
                }
                Err(reply) => {
                    let before = client.take_notifications();
                    Exchange { before, reply }
                }
            },
            InnerClient::Memory(client) => {
                let reply = client.send(&request).unwrap();
                let before = client.take_notifications();
                Exchange { before, reply }
            }
            InnerClient::Stdio(server) => {
                server.send(&request);
                read_until_response(&request, || server.receive())
            }
            InnerClient::Http(http) => {
                let (server, client) = &mut **http;
                client.send(&request, &[]);
                let head = client.connection.read_head();
                self.status = Some(head.status);
                if !head.is_stream() {
                    let body = client.connection.read_body(&head);
                    let reply = client.check(&body);
                    let before = Vec::new();
                    return Exchange { before, reply };
                }
                let exchange = read_until_response(&request, || next_message(client));
                match listens {
                    true => self.stream = Some(client.reconnect(server)),
                    false => while client.connection.next_event().is_some() {},
                }
                exchange
            }
        }
    }

    /// Opens the stream for list changes and resource updates, if the transport needs
    /// one; returns whether the server allows it.
    pub(crate) fn open_listen_stream(&mut self) -> bool {
        if !self.revision.is_legacy() {
            let filter =
                json!({ "toolsListChanged": true, "resourceSubscriptions": ["config://app"] });
            let params = json!({ "notifications": filter });
            let reply = self.request("subscriptions/listen", params);
            return reply["error"].is_null();
        }
        if let InnerClient::Http(http) = &mut self.inner {
            let (server, client) = &mut **http;
            assert_eq!(client.open_stream(&[]).status, 200);
            self.stream = Some(client.reconnect(server));
        }
        true
    }

    /// Calls a tool and returns the notifications, including one from an open stream.
    pub(crate) fn notifications_of(&mut self, tool: &str, arguments: Value) -> Vec<Value> {
        let mut notifications = self.call(tool, arguments).before;
        if let (InnerClient::Http(http), Some(stream)) = (&mut self.inner, &mut self.stream) {
            let client = &mut http.1;
            std::mem::swap(&mut client.connection, stream);
            notifications.push(next_message(client));
            std::mem::swap(&mut client.connection, stream);
        }
        notifications
    }

    /// Sends a batch and returns the response.
    pub(crate) fn batch(&mut self, batch: &Value) -> Value {
        match &mut self.inner {
            InnerClient::Memory(client) => client.send(batch).unwrap(),
            InnerClient::Stdio(server) => {
                server.send(batch);
                server.receive()
            }
            InnerClient::Http(http) => http.1.post(batch, &[]).1.unwrap(),
        }
    }
}

/// The next message of a stream, skipping priming events without data.
fn next_message(client: &mut HttpClient) -> Value {
    loop {
        let event = client.connection.next_event().unwrap();
        match event.data.as_deref() {
            None | Some("") => {}
            Some(data) => return client.check(data),
        }
    }
}

/// Collects messages up to the response, or to the acknowledgement of a stream.
fn read_until_response(request: &Value, mut receive: impl FnMut() -> Value) -> Exchange {
    let mut before = Vec::new();
    loop {
        let message = receive();
        let acknowledged = message["method"] == "notifications/subscriptions/acknowledged";
        if message["id"] == request["id"] || acknowledged {
            return Exchange {
                before,
                reply: message,
            };
        }
        before.push(message);
    }
}
