use serde_json::Value;

use super::requests::Request;
use crate::wire::Revision;

/// The progress tokens that the client has sent.
#[derive(Clone, Debug, Default)]
pub(super) struct ProgressTokens(Vec<TokenState>);

#[derive(Clone, Debug)]
struct TokenState {
    token: Value,
    request: Request,
    last: Option<f64>,
    done: bool,
}

impl ProgressTokens {
    pub(super) fn record(&mut self, request: &Request) {
        if let Some(token) = request.meta("progressToken") {
            self.0.push(TokenState {
                token: token.clone(),
                request: request.clone(),
                last: None,
                done: false,
            });
        }
    }

    pub(super) fn finish(&mut self, request: &Request) {
        let mut tokens = self.0.iter_mut();
        if let Some(token) = tokens.find(|it| it.request.id == request.id && !it.done) {
            token.done = true;
        }
    }

    pub(super) fn revision(&self, token: &Value, session: Option<Revision>) -> Option<Revision> {
        let entry = self.0.iter().rev().find(|it| it.token == *token)?;
        Some(entry.request.revision(session))
    }

    /// Records progress; returns why the notification is not allowed now, if so.
    pub(super) fn advance(&mut self, token: &Value, progress: f64) -> Option<&'static str> {
        let Some(entry) = self.0.iter_mut().rev().find(|it| it.token == *token) else {
            return Some("no request has this progress token");
        };
        if entry.done {
            return Some("comes after the result of its request");
        }
        if entry.last.is_some_and(|last| progress <= last) {
            return Some("must increase");
        }
        entry.last = Some(progress);
        None
    }
}
