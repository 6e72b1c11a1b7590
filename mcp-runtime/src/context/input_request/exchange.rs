//! Sends an input request to the client, or finds the response that the client has already sent.

use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::client_request::ClientRequest;
use super::{Context, InputRequestError};
use crate::context::ResponseResult;
use crate::jsonrpc::ErrorCode;

impl Context {
    pub(super) async fn request_input<A: DeserializeOwned, T>(
        &self,
        key: &str,
        request: ClientRequest,
        read: impl Fn(A) -> Result<T, String>,
    ) -> Result<T, InputRequestError> {
        let capabilities = &self.client.capabilities;
        if !request.capability.is_declared(capabilities, self.revision) {
            let error = request.capability.undeclared(key);
            return Err(self.input_requests.record_unsupported(error));
        }
        let read = |response: Value| {
            let response = serde_json::from_value(response).map_err(|error| error.to_string())?;
            read(response)
        };
        if self.revision.is_modern() {
            if let Some(found) = self.input_requests.find(key, &request, read)? {
                return Ok(found);
            }
            if self.input_requests.inbox().is_none() {
                // Wait forever: the call ends with the input request and drops this future.
                return std::future::pending().await;
            }
        }
        let cell = self.input_requests.response_cell(key, &request)?;
        let response = cell
            .get_or_try_init(|| self.send_and_wait(key, &request))
            .await?;
        read(response.clone()).map_err(|problem| InputRequestError::Malformed {
            key: key.to_owned(),
            problem,
        })
    }

    /// Sends a request through the inbox of the task or through the session, and waits for the
    /// response.
    async fn send_and_wait(
        &self,
        key: &str,
        request: &ClientRequest,
    ) -> Result<Value, InputRequestError> {
        let _wait = self.input_requests.begin_wait();
        let Some(inbox) = self.input_requests.inbox() else {
            return self.send_to_client(key, request).await;
        };
        let response = inbox.request(key, request.to_input_request());
        let response = tokio::time::timeout(self.input_timeout, response).await;
        response
            .unwrap_or_default()
            .ok_or_else(|| self.timed_out(key))
    }

    /// Sends a server-to-client request on the response stream of the call, and waits for the
    /// response.
    async fn send_to_client(
        &self,
        key: &str,
        request: &ClientRequest,
    ) -> Result<Value, InputRequestError> {
        let disconnected = || InputRequestError::Disconnected(key.to_owned());
        let sink = Arc::clone(&self.notifier.sink);
        let abandon = move |id: i64| {
            let params = json!({ "requestId": id });
            let cancelled =
                json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params });
            sink.send(cancelled.to_string().as_bytes());
        };
        let mut pending = self
            .pending_requests
            .open(abandon)
            .ok_or_else(disconnected)?;
        let message = json!({
            "jsonrpc": "2.0",
            "id": pending.id,
            "method": request.method,
            "params": request.params,
        });
        if !self.notifier.sink.send(message.to_string().as_bytes()) {
            return Err(disconnected());
        }
        match tokio::time::timeout(self.input_timeout, pending.response()).await {
            Ok(Some(response)) => read_response(key, request, response),
            Ok(None) => Err(disconnected()),
            Err(_) => Err(self.timed_out(key)),
        }
    }

    fn timed_out(&self, key: &str) -> InputRequestError {
        InputRequestError::TimedOut {
            key: key.to_owned(),
            timeout: self.input_timeout,
        }
    }
}

fn read_response(
    key: &str,
    request: &ClientRequest,
    response: ResponseResult,
) -> Result<Value, InputRequestError> {
    match response {
        Ok(result) => serde_json::from_str(RawValue::get(&result)).map_err(|error| {
            InputRequestError::Malformed {
                key: key.to_owned(),
                problem: error.to_string(),
            }
        }),
        Err(error) if error.code == ErrorCode::METHOD_NOT_FOUND => {
            Err(request.capability.undeclared(key))
        }
        Err(error) if error.code == ErrorCode::REJECTED => {
            Err(InputRequestError::Rejected(key.to_owned()))
        }
        Err(error) => Err(InputRequestError::ErrorResponse {
            key: key.to_owned(),
            error,
        }),
    }
}
