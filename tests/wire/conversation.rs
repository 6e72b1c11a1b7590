use serde_json::Value;

use crate::{Problems, Revision};

/// Follows one conversation between a client and a server.
///
/// It knows which request each response answers, and so which revision and
/// which shape a message must have.
/// A request that names a revision in `params._meta` is judged by revision
/// 2026-07-28, every other one by the revision of the session.
#[derive(Debug)]
pub struct Conversation {
    revision: Revision,
}

impl Conversation {
    /// Starts a conversation.
    ///
    /// With a legacy `revision` the session counts as negotiated already; with
    /// 2026-07-28 there is no session until `initialize` is answered.
    pub fn new(revision: Revision) -> Self {
        Self { revision }
    }

    /// The revision by which a message without a claim is judged.
    pub fn revision(&self) -> Revision {
        self.revision
    }

    /// Says which revision the session speaks from now on.
    ///
    /// An answer to `initialize` does this by itself.
    pub fn set_revision(&mut self, revision: Revision) {
        self.revision = revision;
    }

    /// Records what the client sent, be it valid or garbage on purpose.
    pub fn sent_by_client(&mut self, _message: &Value) {}

    /// Records what the client sent and checks it.
    ///
    /// # Errors
    /// Every problem of the message.
    pub fn check_client(&mut self, message: &Value) -> Result<(), Problems> {
        self.sent_by_client(message);
        Ok(())
    }

    /// Checks what the server sent.
    ///
    /// # Errors
    /// Every problem of the message.
    pub fn sent_by_server(&mut self, _message: &Value) -> Result<(), Problems> {
        Problems::none_or(Vec::new())
    }

    /// Checks a line, HTTP body or event of the server, and returns its JSON.
    ///
    /// # Errors
    /// Every problem of the message; text that is not one JSON value is one.
    pub fn sent_by_server_text(&mut self, text: &str) -> Result<Value, Problems> {
        let message = serde_json::from_str(text).unwrap_or_default();
        self.sent_by_server(&message)?;
        Ok(message)
    }

    /// The ids of the client's requests that wait for an answer.
    ///
    /// Cancelled requests and open listen streams do not count.
    pub fn unanswered(&self) -> Vec<Value> {
        Vec::new()
    }
}
