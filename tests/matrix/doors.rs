//! The same conversation through each transport.

use std::fmt;
use std::process::Command;

use mcp_runtime::{Peer, Pending};
use serde_json::{Value, json};
use wire::Revision;

use crate::caller::Caller;
use crate::child;
use crate::definitions::server;
use crate::host::Host;
use crate::line::Line;
use crate::talk::{Talk, claimed};

/// A transport.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Transport {
    /// Inside the process, replies only: a test, or the command line.
    Replies,
    /// Inside the process, with whatever else the server says.
    Memory,
    Stdio,
    Http,
}

impl Transport {
    pub(crate) const ALL: [Self; 4] = [Self::Replies, Self::Memory, Self::Stdio, Self::Http];
}

impl fmt::Display for Transport {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Replies => "replies",
            Self::Memory => "memory",
            Self::Stdio => "stdio",
            Self::Http => "HTTP",
        })
    }
}

/// One client of one revision, ready for requests.
pub(crate) struct Door {
    pub(crate) revision: Revision,
    way: Way,
    next_id: i64,
    /// A stream that is listened to; it ends with the door.
    open: Vec<Pending>,
    /// The connection of such a stream.
    line: Option<Line>,
    /// Over HTTP, that of the last answer.
    pub(crate) status: Option<u16>,
}

enum Way {
    Memory(Box<Talk>),
    Stdio(Box<child::Server>),
    Http(Box<(Host, Caller)>),
}

/// What came of a request: other messages, then its reply.
pub(crate) struct Heard {
    pub(crate) before: Vec<Value>,
    pub(crate) reply: Value,
}

impl Door {
    pub(crate) fn open(transport: Transport, revision: Revision) -> Self {
        let way = match transport {
            Transport::Replies => {
                let mut talk = Talk::with(server(), Revision::V2026_07_28);
                talk.peer = Peer::new();
                talk.speak(revision);
                Way::Memory(Box::new(talk))
            }
            Transport::Memory => Way::Memory(Box::new(Talk::with(server(), revision))),
            Transport::Stdio => {
                let server = child::Server::run(&mut Command::new(env!(
                    "CARGO_BIN_EXE_server-of-everything"
                )));
                Way::Stdio(Box::new(match revision.is_legacy() {
                    true => server.ready(revision),
                    false => server,
                }))
            }
            Transport::Http => {
                let host = Host::of(server().allow_local());
                let caller = Caller::ready(&host, revision);
                Way::Http(Box::new((host, caller)))
            }
        };
        Self {
            revision,
            way,
            next_id: 1000,
            open: Vec::new(),
            line: None,
            status: None,
        }
    }

    /// A request of the revision; `params` may have members of `_meta`.
    pub(crate) fn request(&mut self, method: &str, params: Value) -> Value {
        let params = claimed(self.revision, params);
        self.next_id += 1;
        json!({ "jsonrpc": "2.0", "id": self.next_id, "method": method, "params": params })
    }

    pub(crate) fn ask(&mut self, method: &str, params: Value) -> Value {
        self.exchange(method, params).reply
    }

    pub(crate) fn call(&mut self, tool: &str, arguments: Value) -> Heard {
        let params = json!({ "name": tool, "arguments": arguments });
        self.exchange("tools/call", params)
    }

    /// Asks, and hears until the answer; a stream that opens is one.
    pub(crate) fn exchange(&mut self, method: &str, params: Value) -> Heard {
        let request = self.request(method, params);
        self.say(&request)
    }

    pub(crate) fn say(&mut self, request: &Value) -> Heard {
        let listens = request["method"] == "subscriptions/listen";
        match &mut self.way {
            Way::Memory(talk) if listens => match talk.try_begin(request) {
                Ok(pending) => {
                    self.open.push(pending);
                    let reply = talk.news().pop().unwrap();
                    Heard {
                        before: Vec::new(),
                        reply,
                    }
                }
                Err(reply) => Heard {
                    before: talk.news(),
                    reply,
                },
            },
            Way::Memory(talk) => {
                let reply = talk.say(request).unwrap();
                Heard {
                    before: talk.news(),
                    reply,
                }
            }
            Way::Stdio(server) => {
                server.say(request);
                until_answer(request, || server.hear())
            }
            Way::Http(http) => {
                let (host, caller) = &mut **http;
                caller.send(request, &[]);
                let head = caller.line.head();
                self.status = Some(head.status);
                if !head.is_stream() {
                    let body = caller.line.body(&head);
                    let reply = caller.heard(&body);
                    return Heard {
                        before: Vec::new(),
                        reply,
                    };
                }
                let heard = until_answer(request, || next_message(caller));
                match listens {
                    true => self.line = Some(caller.line(host)),
                    false => while caller.line.event().is_some() {},
                }
                heard
            }
        }
    }
}

impl Door {
    /// Opens the stream for what is told of no request, where there has to be one.
    pub(crate) fn listens(&mut self) -> bool {
        if !self.revision.is_legacy() {
            let wanted =
                json!({ "toolsListChanged": true, "resourceSubscriptions": ["config://app"] });
            let params = json!({ "notifications": wanted });
            let reply = self.ask("subscriptions/listen", params);
            return reply["error"].is_null();
        }
        if let Way::Http(http) = &mut self.way {
            let (host, caller) = &mut **http;
            assert_eq!(caller.listen(&[]).status, 200);
            self.line = Some(caller.line(host));
        }
        true
    }

    /// What is told besides while a tool runs that changes something.
    pub(crate) fn news_of(&mut self, tool: &str, arguments: Value) -> Vec<Value> {
        let mut news = self.call(tool, arguments).before;
        if let (Way::Http(http), Some(line)) = (&mut self.way, &mut self.line) {
            let caller = &mut http.1;
            std::mem::swap(&mut caller.line, line);
            news.push(next_message(caller));
            std::mem::swap(&mut caller.line, line);
        }
        news
    }

    /// Sends a batch, and gives back what comes of it.
    pub(crate) fn batch(&mut self, batch: &Value) -> Value {
        match &mut self.way {
            Way::Memory(talk) => talk.say(batch).unwrap(),
            Way::Stdio(server) => {
                server.say(batch);
                server.hear()
            }
            Way::Http(http) => http.1.say(batch, &[]).1.unwrap(),
        }
    }
}

/// The next message of a stream; an event without data only primes it.
fn next_message(caller: &mut Caller) -> Value {
    loop {
        let event = caller.line.event().unwrap();
        match event.data.as_deref() {
            None | Some("") => {}
            Some(data) => return caller.heard(data),
        }
    }
}

/// Collects messages until the answer, or the acknowledgement of a stream.
fn until_answer(request: &Value, mut hear: impl FnMut() -> Value) -> Heard {
    let mut before = Vec::new();
    loop {
        let message = hear();
        let acknowledged = message["method"] == "notifications/subscriptions/acknowledged";
        if message["id"] == request["id"] || acknowledged {
            return Heard {
                before,
                reply: message,
            };
        }
        before.push(message);
    }
}
