use std::collections::HashMap;

use data_encoding::BASE64;
use http::{HeaderMap, HeaderName, HeaderValue, header};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::dispatch::RequestWithMeta;
use crate::jsonrpc::{Frame, Members, Message, Request, RequestId, decode_string};
use crate::schema::HeaderParameter;
use crate::transport::{header_names, mirrored_parameter};

/// The parameters with `x-mcp-header` of each listed tool. The client repeats their arguments in
/// headers.
pub(super) type ToolHeaderParameters = HashMap<String, Vec<HeaderParameter>>;

/// The headers of a message, and the properties of the message that determine how it is sent.
#[derive(Debug)]
pub(super) struct RequestHeaders {
    /// The id of a request, or `None` for other messages.
    pub(super) id: Option<RequestId>,
    /// Whether the message is an `initialize` request, whose response may start a session.
    pub(super) is_initialize: bool,
    /// Whether the message has protocol version 2026-07-28 and therefore belongs to no session.
    pub(super) is_modern: bool,
    pub(super) headers: HeaderMap,
}

/// Returns the headers that repeat parts of a message
/// (specification of 2026-07-28, *Streamable HTTP*, *Request Headers*).
pub(super) fn request_headers(message: &[u8], parameters: &ToolHeaderParameters) -> RequestHeaders {
    let mut result = RequestHeaders {
        id: None,
        is_initialize: false,
        is_modern: false,
        headers: HeaderMap::new(),
    };
    let Frame::Single(Ok(Message::Request(request))) = Frame::parse(message) else {
        return result;
    };
    result.id = Some(request.id.clone());
    result.is_initialize = request.method == "initialize";
    let opened = RequestWithMeta::new(request);
    let version = opened.stateless.as_ref().and_then(|meta| meta.version());
    if let Some(version) = version {
        result.is_modern = true;
        let headers = &mut result.headers;
        insert(headers, header_names::PROTOCOL_VERSION, &version);
        mirror(headers, &opened.request, parameters);
    }
    result
}

/// Inserts headers that repeat the method, the name of the definition, and arguments of a tool
/// call.
fn mirror(headers: &mut HeaderMap, request: &Request<'_>, parameters: &ToolHeaderParameters) {
    insert(headers, header_names::METHOD, &request.method);
    let Some(name_parameter) = mirrored_parameter(&request.method) else {
        return;
    };
    let params = request.params.map_or("{}", RawValue::get);
    let member = |name| Members::of(params).unique(name).ok().flatten();
    let Some(name) = member(name_parameter).and_then(decode_string) else {
        return;
    };
    insert(headers, header_names::NAME, &encode(&name));
    let parameters = parameters.get(name.as_ref());
    let Some(parameters) = parameters.filter(|_| request.method == "tools/call") else {
        return;
    };
    let arguments = member("arguments").unwrap_or("{}");
    let arguments: Value = serde_json::from_str(arguments).unwrap_or_default();
    for parameter in parameters {
        let value = parameter
            .path
            .iter()
            .try_fold(&arguments, |value, step| value.get(step));
        let text = match value {
            Some(Value::String(text)) => encode(text),
            Some(Value::Bool(value)) => value.to_string(),
            Some(Value::Number(number)) => number.to_string(),
            // The client sends no header for a missing argument. The server rejects an argument of
            // another type.
            _ => continue,
        };
        if let Ok(name) = HeaderName::try_from(&parameter.header) {
            insert(headers, name, &text);
        }
    }
}

/// Encodes a text as `=?base64?…?=` if a header cannot contain it unchanged.
fn encode(text: &str) -> String {
    let plain = text.bytes().all(|byte| matches!(byte, 0x20..=0x7e | b'\t'));
    let padded = text.trim_matches([' ', '\t']) != text;
    let looks_encoded = text.starts_with("=?base64?") && text.ends_with("?=");
    if plain && !padded && !looks_encoded {
        return text.to_owned();
    }
    format!("=?base64?{}?=", BASE64.encode(text.as_bytes()))
}

/// Inserts a header. Leaves out an invalid value, because the server then reports the missing
/// header.
fn insert(headers: &mut HeaderMap, name: HeaderName, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        headers.insert(name, value);
    }
}

/// Inserts the headers that every POST request must have.
pub(super) fn insert_post_headers(headers: &mut HeaderMap) {
    let text = HeaderValue::from_static;
    headers.insert(header::CONTENT_TYPE, text("application/json"));
    headers.insert(header::ACCEPT, text("application/json, text/event-stream"));
}

/// Checks whether a frame from the server contains the response to the request with this id.
pub(super) fn has_response(frame: &[u8], id: &RequestId) -> bool {
    let is_response = |message: &Message<'_>| match message {
        Message::Response(response) => response.id.as_ref() == Some(id),
        _ => false,
    };
    match Frame::parse(frame) {
        Frame::Single(message) => message.is_ok_and(|message| is_response(&message)),
        Frame::Batch(elements) => elements.iter().any(|element| {
            Message::parse(element.get()).is_ok_and(|message| is_response(&message))
        }),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn text_is_encoded_if_a_header_cannot_contain_it() {
        let check = |text: &str, expected: &str| assert_eq!(encode(text), expected, "{text:?}");
        check("us-west1", "us-west1");
        check("us west\t1", "us west\t1");
        check("", "");
        check("Hello, 世界", "=?base64?SGVsbG8sIOS4lueVjA==?=");
        check(" padded ", "=?base64?IHBhZGRlZCA=?=");
        check("line1\nline2", "=?base64?bGluZTEKbGluZTI=?=");
        check("=?base64?literal?=", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=");
        check("=?base64?", "=?base64?");
    }

    fn headers_of(method: &str, mut params: Value, modern: bool) -> Vec<(String, String)> {
        let parameter = |header: &str, path: &[&str]| HeaderParameter {
            header: header.to_owned(),
            path: path.iter().map(|it| (*it).to_owned()).collect(),
        };
        let tool = vec![
            parameter("mcp-param-region", &["region"]),
            parameter("mcp-param-deep", &["a", "b"]),
            parameter("mcp-param-dry", &["dry"]),
        ];
        let parameters = ToolHeaderParameters::from([("set".to_owned(), tool)]);
        if modern {
            params["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!("2026-07-28");
        }
        let message = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        let headers = request_headers(message.to_string().as_bytes(), &parameters);
        assert_eq!(headers.is_modern, modern, "{message}");
        let headers = headers.headers.iter();
        let headers =
            headers.map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned()));
        let mut headers: Vec<_> = headers.collect();
        headers.sort();
        headers
    }

    #[test]
    fn headers_repeat_parts_of_a_message() {
        let check = |method: &str, params: Value, expected: &[(&str, &str)]| {
            let headers = headers_of(method, params, true);
            let headers = headers
                .iter()
                .map(|(name, value)| (name.as_str(), value.as_str()));
            let headers: Vec<_> = headers
                .filter(|(name, _)| *name != "mcp-protocol-version")
                .collect();
            assert_eq!(headers, expected, "{method}");
        };
        check("tools/list", json!({}), &[("mcp-method", "tools/list")]);
        check(
            "tools/call",
            json!({ "name": "set", "arguments": { "region": "ü", "a": { "b": 7 }, "dry": null } }),
            &[
                ("mcp-method", "tools/call"),
                ("mcp-name", "set"),
                ("mcp-param-deep", "7"),
                ("mcp-param-region", "=?base64?w7w=?="),
            ],
        );
        check(
            "resources/read",
            json!({ "uri": "file:///a" }),
            &[("mcp-method", "resources/read"), ("mcp-name", "file:///a")],
        );
        check(
            "tasks/get",
            json!({ "taskId": "t" }),
            &[("mcp-method", "tasks/get"), ("mcp-name", "t")],
        );
        check(
            "tools/call",
            json!({ "name": 5 }),
            &[("mcp-method", "tools/call")],
        );
    }

    #[test]
    fn messages_of_a_session_are_not_repeated_in_headers() {
        assert_eq!(
            headers_of("tools/call", json!({ "name": "set" }), false),
            []
        );
    }
}
