use std::borrow::Cow;

use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use super::{ErrorObject, RequestId, decode_string};

/// One frame of a transport: a message or a batch.
///
/// ```
/// use mcp_runtime::jsonrpc::{Frame, Message};
///
/// let frame = Frame::parse(br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#);
/// assert!(matches!(frame, Frame::Single(Ok(Message::Request(_)))));
/// ```
#[derive(Debug)]
pub enum Frame<'a> {
    /// One message, or the error if it is invalid.
    Single(Result<Message<'a>, InvalidMessage>),
    /// An array, which only revision 2025-03-26 allows.
    Batch(Vec<&'a RawValue>),
}

/// A request, a notification or a response, which borrows from its text.
#[derive(Debug)]
pub enum Message<'a> {
    /// A message that requires a response.
    Request(Request<'a>),
    /// A message without a response.
    Notification(Notification<'a>),
    /// A response to a request of the server.
    Response(Response<'a>),
}

/// A message with an `id` and a `method`.
#[derive(Debug)]
pub struct Request<'a> {
    /// The id, which the response repeats.
    pub id: RequestId,
    /// The method, for example `tools/call`.
    pub method: Cow<'a, str>,
    /// The parameters, not parsed; an object if present.
    pub params: Option<&'a RawValue>,
}

/// A message with a `method` and no `id`.
#[derive(Debug)]
pub struct Notification<'a> {
    /// The method, for example `notifications/cancelled`.
    pub method: Cow<'a, str>,
    /// The parameters, not parsed.
    pub params: Option<&'a RawValue>,
}

/// A message with a `result` or an `error`.
#[derive(Debug)]
pub struct Response<'a> {
    /// The id of the request, if it could be parsed.
    pub id: Option<RequestId>,
    /// The result or the error.
    pub outcome: Result<&'a RawValue, ErrorObject>,
}

/// An invalid message: the error for the response, and the id if it could be parsed.
#[derive(Debug)]
pub struct InvalidMessage {
    /// The id of the request, if it could be parsed.
    pub id: Option<RequestId>,
    /// The error, −32700 or −32600.
    pub error: ErrorObject,
}

impl<'a> Frame<'a> {
    /// Parses a frame. An invalid message is part of the result, since it needs a reply.
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
    /// Parses one message, which must not be an array.
    ///
    /// # Errors
    /// [`InvalidMessage`] with the error for the response.
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

/// The members of a message, not parsed, so that an invalid member does not hide the id.
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

/// Distinguishes `null` from an absent member: an explicit null id is an error, not a notification.
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
        // Lenient clients send `null` for no parameters.
        let params = self.params.filter(|params| params.get() != "null");
        match id {
            // A notification with an id can be neither replied to nor ignored safely.
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

    /// A response gets no reply, so a malformed one is still a response.
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
