//! The two ways of a question: to be found among the answers, or to be sent.

use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::question::Question;
use super::{AskError, Context};
use crate::context::Answer;
use crate::jsonrpc::ErrorCode;

impl Context {
    pub(super) async fn ask<A: DeserializeOwned, T>(
        &self,
        key: &str,
        question: Question,
        read: impl Fn(A) -> Result<T, String>,
    ) -> Result<T, AskError> {
        if !question
            .needs
            .is_met(&self.client.capabilities, self.revision)
        {
            return Err(self.asking.lacks(question.needs.unmet(key)));
        }
        let read = |answer: Value| {
            let answer = serde_json::from_value(answer).map_err(|error| error.to_string())?;
            read(answer)
        };
        if self.revision.is_modern() {
            if let Some(found) = self.asking.find(key, &question, read)? {
                return Ok(found);
            }
            if self.asking.desk().is_none() {
                // The call ends with the question, and this future with the call.
                return std::future::pending().await;
            }
        }
        let cell = self.asking.cell(key, &question)?;
        let answer = cell.get_or_try_init(|| self.put(key, &question)).await?;
        read(answer.clone()).map_err(|problem| AskError::Malformed {
            key: key.to_owned(),
            problem,
        })
    }

    /// Puts a question, on whichever way there is, and waits.
    async fn put(&self, key: &str, question: &Question) -> Result<Value, AskError> {
        let _wait = self.asking.wait();
        let Some(desk) = self.asking.desk() else {
            return self.request(key, question).await;
        };
        let answer = desk.ask(key, question.request());
        let answer = tokio::time::timeout(self.patience, answer).await;
        answer.unwrap_or_default().ok_or_else(|| self.too_late(key))
    }

    /// Asks by a request on the stream of the call, and waits.
    async fn request(&self, key: &str, question: &Question) -> Result<Value, AskError> {
        let gone = || AskError::Disconnected(key.to_owned());
        let outgoing = Arc::clone(&self.telling.outgoing);
        let abandon = move |id: i64| {
            let params = json!({ "requestId": id });
            let told =
                json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params });
            outgoing.send(told.to_string().as_bytes());
        };
        let mut waiting = self.outstanding.open(abandon).ok_or_else(gone)?;
        let request = json!({
            "jsonrpc": "2.0",
            "id": waiting.id,
            "method": question.method,
            "params": question.params,
        });
        if !self.telling.outgoing.send(request.to_string().as_bytes()) {
            return Err(gone());
        }
        match tokio::time::timeout(self.patience, waiting.answer()).await {
            Ok(Some(answer)) => told(key, question, answer),
            Ok(None) => Err(gone()),
            Err(_) => Err(self.too_late(key)),
        }
    }

    fn too_late(&self, key: &str) -> AskError {
        AskError::TimedOut {
            key: key.to_owned(),
            after: self.patience,
        }
    }
}

/// What a client's response says.
fn told(key: &str, question: &Question, answer: Answer) -> Result<Value, AskError> {
    let malformed = |error: serde_json::Error| AskError::Malformed {
        key: key.to_owned(),
        problem: error.to_string(),
    };
    match answer {
        Ok(result) => serde_json::from_str(RawValue::get(&result)).map_err(malformed),
        Err(error) if error.code == ErrorCode::METHOD_NOT_FOUND => Err(question.needs.unmet(key)),
        Err(error) if error.code == ErrorCode::REJECTED => Err(AskError::Rejected(key.to_owned())),
        Err(error) => Err(AskError::Refused {
            key: key.to_owned(),
            error,
        }),
    }
}
