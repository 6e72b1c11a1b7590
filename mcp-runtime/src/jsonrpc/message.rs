use std::borrow::Cow;

use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use super::{ErrorObject, RequestId, decode_string};

/// A transport frame, which contains a message or a batch.
///
/// ```
/// use mcp_runtime::jsonrpc::{Frame, Message};
///
/// let frame = Frame::parse(br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#);
/// assert!(matches!(frame, Frame::Single(Ok(Message::Request(_)))));
/// ```
#[derive(Debug)]
pub enum Frame<'a> {
    /// One message, or an error if the message is invalid.
    Single(Result<Message<'a>, InvalidMessage>),
    /// A JSON array of messages. Only protocol version 2025-03-26 allows batches.
    Batch(Vec<&'a RawValue>),
}

/// A request, a notification or a response. It borrows from the text of the message.
#[derive(Debug)]
pub enum Message<'a> {
    /// A message that requires a response.
    Request(Request<'a>),
    /// A message without a response.
    Notification(Notification<'a>),
    /// A response to a request that the server sent.
    Response(Response<'a>),
}

/// A message with an `id` and a `method`.
#[derive(Debug)]
pub struct Request<'a> {
    /// The id of the request.
    pub id: RequestId,
    /// The method, for example `tools/call`.
    pub method: Cow<'a, str>,
    /// The unparsed parameters. If there are parameters, they are a JSON object.
    pub params: Option<&'a RawValue>,
}

/// A message with a `method` and no `id`.
#[derive(Debug)]
pub struct Notification<'a> {
    /// The method, for example `notifications/cancelled`.
    pub method: Cow<'a, str>,
    /// The unparsed parameters.
    pub params: Option<&'a RawValue>,
}

/// A message with a `result` or an `error`.
#[derive(Debug)]
pub struct Response<'a> {
    /// The id of the request, or `None` if it could not be parsed.
    pub id: Option<RequestId>,
    /// The result or the error.
    pub outcome: Result<&'a RawValue, ErrorObject>,
}

/// The error for a message that is not valid JSON-RPC.
#[derive(Debug)]
pub struct InvalidMessage {
    /// The id of the request, or `None` if it could not be parsed.
    pub id: Option<RequestId>,
    /// The error to send in the response.
    pub error: ErrorObject,
}

impl<'a> Frame<'a> {
    /// Parses a frame. Returns an invalid message as `Frame::Single(Err(…))`, because the server
    /// must send an error response.
    #[must_use]
    pub fn parse(frame: &'a [u8]) -> Self {
        let Ok(text) = std::str::from_utf8(frame) else {
            return Self::Single(Err(InvalidMessage::not_json("the message is not UTF-8")));
        };
        if !text.trim_ascii_start().starts_with('[') {
            return Self::Single(Message::parse(text));
        }
        match serde_json::from_str(text) {
            Ok(elements) => Self::Batch(elements),
            Err(_) => Self::Single(Err(InvalidMessage::not_json(
                "the message is not valid JSON",
            ))),
        }
    }
}

impl<'a> Message<'a> {
    /// Parses one message. The text must not be a batch.
    ///
    /// # Errors
    /// Returns an [`InvalidMessage`] with the error for the response if the text is not a valid
    /// message.
    pub fn parse(text: &'a str) -> Result<Self, InvalidMessage> {
        let members: RawMembers<'a> = serde_json::from_str(text).map_err(|error| {
            if error.is_data() {
                InvalidMessage::invalid(None, "a message is an object with unique members")
            } else {
                InvalidMessage::not_json("the message is not valid JSON")
            }
        })?;
        members.into_message()
    }
}

/// The unparsed members of a message. The members are parsed one by one, so an error response can
/// contain the id even if another member is invalid.
#[derive(Deserialize)]
struct RawMembers<'a> {
    #[serde(borrow, default, deserialize_with = "present")]
    jsonrpc: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    id: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    method: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    params: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    result: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    error: Option<&'a RawValue>,
}

/// Deserializes `null` as `Some`, and only an absent member as `None`. A message with a null id is
/// invalid, but a message without an id is a notification.
fn present<'de: 'a, 'a, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<&'a RawValue>, D::Error> {
    <&RawValue>::deserialize(deserializer).map(Some)
}

impl<'a> RawMembers<'a> {
    fn into_message(self) -> Result<Message<'a>, InvalidMessage> {
        let id = self.id.and_then(|id| RequestId::from_json(id.get()));
        let reject = |message: &'static str| InvalidMessage::invalid(id.clone(), message);
        if self.id.is_some() && id.is_none() {
            return Err(reject("`id` must be a string or an integer"));
        }
        if self.jsonrpc.map(RawValue::get) != Some("\"2.0\"") {
            return Err(reject("`jsonrpc` must be \"2.0\""));
        }
        let Some(method) = self.method else {
            return self.into_response(id);
        };
        let Some(method) = decode_string(method.get()) else {
            return Err(reject("`method` must be a string"));
        };
        let notification = method.starts_with("notifications/");
        // Some clients send `null` if there are no parameters.
        let params = self.params.filter(|params| params.get() != "null");
        match id {
            // The sender might wait for a response to a notification with an id.
            Some(id) if notification => Err(InvalidMessage::invalid(
                Some(id),
                "a notification must not have an `id`",
            )),
            Some(id) if !params.is_none_or(is_object) => Err(InvalidMessage {
                id: Some(id),
                error: ErrorObject::invalid_params("`params` must be an object"),
            }),
            Some(id) => Ok(Message::Request(Request { id, method, params })),
            None => Ok(Message::Notification(Notification { method, params })),
        }
    }

    /// Converts the members to a response. A response with an invalid `result` or `error` is not
    /// rejected, because the server must not reply to a response.
    fn into_response(self, id: Option<RequestId>) -> Result<Message<'a>, InvalidMessage> {
        let malformed = || ErrorObject::invalid_request("the response is malformed");
        let outcome = match (self.result, self.error) {
            (None, None) => return Err(InvalidMessage::invalid(id, "a request needs a `method`")),
            (Some(result), None) => Ok(result),
            (None, Some(error)) => {
                Err(serde_json::from_str(error.get()).unwrap_or_else(|_| malformed()))
            }
            (Some(_), Some(_)) => Err(malformed()),
        };
        Ok(Message::Response(Response { id, outcome }))
    }
}

impl InvalidMessage {
    fn not_json(message: &'static str) -> Self {
        Self {
            id: None,
            error: ErrorObject::new(super::ErrorCode::PARSE_ERROR, message),
        }
    }

    fn invalid(id: Option<RequestId>, message: &'static str) -> Self {
        Self {
            id,
            error: ErrorObject::invalid_request(message),
        }
    }
}

fn is_object(value: &RawValue) -> bool {
    value.get().starts_with('{')
}
