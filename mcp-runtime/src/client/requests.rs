//! Requests of any method, and the responses to input requests in their results (specification of
//! 2026-07-28, *Multi round-trip requests*).

use std::time::Duration;

use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::message::{check_params, notification};
use super::{Client, ClientError, ServerMessage, handshake};
use crate::jsonrpc::RequestId;
use crate::protocol::{InputRequest, InputRequiredResult, meta};

/// The methods whose results may be `input_required`.
const INPUT_METHODS: [&str; 3] = ["prompts/get", "resources/read", TASK_METHOD];
/// The method whose result may be a task.
const TASK_METHOD: &str = "tools/call";

impl Client {
    /// Sends a request of any method and returns its result.
    ///
    /// If the result is `input_required`, the client calls the handlers for the requested input and
    /// sends the request again with their responses. If the result is a task, the client waits for
    /// the task and returns its result.
    ///
    /// # Errors
    /// Returns [`ClientError::Protocol`] if the server responds with an error,
    /// [`ClientError::ParamsNotObject`] if `params` is neither an object nor `null`, and another
    /// variant if the request cannot be sent or fails.
    ///
    /// # Examples
    /// ```
    /// # async fn example(client: mcp_runtime::Client) -> Result<(), mcp_runtime::ClientError> {
    /// let params = serde_json::json!({ "name": "summary" });
    /// let prompt = client.request("prompts/get", params).await?;
    /// println!("{}", prompt["messages"]);
    /// # Ok(())
    /// # }
    /// ```
    pub async fn request(&self, method: &str, params: Value) -> Result<Value, ClientError> {
        let mut next = params.clone();
        for _ in 0..=self.options.max_input_rounds {
            let result = self.request_once(method, next).await?;
            match result["resultType"].as_str() {
                None | Some("complete") => return Ok(result),
                Some("input_required") if INPUT_METHODS.contains(&method) => {
                    next = self.with_input_responses(&params, result).await?;
                }
                Some("task") if method == TASK_METHOD && self.options.follows_tasks => {
                    return self.follow_task(&result).await;
                }
                Some(other) => return Err(ClientError::UnknownResultType(other.to_owned())),
            }
        }
        let rounds = self.options.max_input_rounds;
        Err(ClientError::TooManyInputRounds(rounds))
    }

    /// Sends one request and returns its result unchanged, even if the result is `input_required`
    /// or a task.
    ///
    /// In protocol version 2026-07-28, `_meta` in `params` may replace the capabilities that the
    /// client declares. See [`request`](Self::request) for an example.
    ///
    /// # Errors
    /// Returns an error in the same cases as [`request`](Self::request).
    pub async fn request_once(&self, method: &str, params: Value) -> Result<Value, ClientError> {
        self.request_within(method, params, self.options.timeout)
            .await
    }

    pub(super) async fn request_within(
        &self,
        method: &str,
        params: Value,
        timeout: Duration,
    ) -> Result<Value, ClientError> {
        let result = self.request_raw(method, params, timeout).await?;
        Ok(serde_json::from_str(result.get())?)
    }

    /// Sends a request for one page of a list. Returns the page and its length in bytes.
    pub(super) async fn request_page(
        &self,
        method: &str,
        params: Value,
    ) -> Result<(Value, usize), ClientError> {
        let page = self
            .request_raw(method, params, self.options.timeout)
            .await?;
        let result: Value = serde_json::from_str(page.get())?;
        match result["resultType"].as_str() {
            None | Some("complete") => Ok((result, page.get().len())),
            Some(other) => Err(ClientError::UnknownResultType(other.to_owned())),
        }
    }

    async fn request_raw(
        &self,
        method: &str,
        params: Value,
        timeout: Duration,
    ) -> Result<Box<RawValue>, ClientError> {
        let mut params = check_params(params)?;
        if self.revision.is_modern() {
            let capabilities =
                handshake::capabilities_at(self.revision, &self.options.capabilities);
            params["_meta"][meta::PROTOCOL_VERSION] = json!(self.revision.as_str());
            let declared = &mut params["_meta"][meta::CLIENT_CAPABILITIES];
            if declared.is_null() {
                *declared = capabilities;
            }
            params["_meta"][meta::CLIENT_INFO] = json!(self.options.info);
        }
        let wants_progress = self.options.wants_progress;
        let params = |id: i64| {
            if wants_progress {
                params["_meta"]["progressToken"] = json!(id);
            }
            params
        };
        self.connection.request(method, params, timeout).await
    }

    /// Sends a notification.
    ///
    /// # Errors
    /// Returns [`ClientError::Disconnected`] if the connection is closed, or
    /// [`ClientError::ParamsNotObject`] if `params` is neither an object nor `null`.
    ///
    /// # Examples
    /// ```
    /// # fn example(client: &mcp_runtime::Client) -> Result<(), mcp_runtime::ClientError> {
    /// client.notify("notifications/roots/list_changed", serde_json::Value::Null)?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn notify(&self, method: &str, params: Value) -> Result<(), ClientError> {
        let message = notification(method, check_params(params)?);
        self.connection.send(&message)
    }

    /// Returns the parameters of the repeated request, which contain the responses to the input
    /// requests of a result.
    async fn with_input_responses(
        &self,
        params: &Value,
        result: Value,
    ) -> Result<Value, ClientError> {
        let InputRequiredResult {
            input_requests,
            request_state,
        } = serde_json::from_value(result)?;
        let mut responses = serde_json::Map::new();
        for (key, request) in input_requests {
            let response = self.handle_input_request(&key, request).await?;
            responses.insert(key, response);
        }
        let mut next = params.clone();
        if !responses.is_empty() {
            next["inputResponses"] = Value::Object(responses);
        }
        if let Some(state) = request_state {
            next["requestState"] = Value::String(state);
        }
        Ok(next)
    }

    /// Passes an input request to the handler of the client. The key of the input request becomes
    /// the id of the message.
    pub(super) async fn handle_input_request(
        &self,
        key: &str,
        request: InputRequest,
    ) -> Result<Value, ClientError> {
        let params = request.params.as_ref().map(serde_json::value::to_raw_value);
        let message = ServerMessage {
            id: Some(RequestId::from(key)),
            method: request.method,
            params: params.transpose()?,
        };
        let response = self.duplex().dispatch(message).await;
        let response = response.map_err(|source| ClientError::InputRequest {
            key: key.to_owned(),
            source,
        })?;
        Ok(response.unwrap_or_else(|| json!({})))
    }
}
