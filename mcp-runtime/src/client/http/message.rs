use std::collections::HashMap;

use data_encoding::BASE64;
use http::{HeaderMap, HeaderName, HeaderValue, header};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::dispatch::Opened;
use crate::jsonrpc::{Frame, Members, Message, Request, RequestId, text};
use crate::schema::HeaderParameter;
use crate::transport::{header_names, naming};

/// The headers that the arguments of each listed tool are repeated in.
pub(super) type Parameters = HashMap<String, Vec<HeaderParameter>>;

/// What the headers of a message have to say about it.
#[derive(Debug)]
pub(super) struct Described {
    /// The id of a request.
    pub(super) id: Option<RequestId>,
    /// Whether this is the handshake, which is answered with a session.
    pub(super) begins: bool,
    /// Whether the message is one of 2026-07-28, which need no session.
    pub(super) is_modern: bool,
    pub(super) headers: HeaderMap,
}

/// Reads from a message what its headers repeat
/// (specification of 2026-07-28, *Streamable HTTP*, *Request Headers*).
pub(super) fn describe(message: &[u8], parameters: &Parameters) -> Described {
    let mut described = Described {
        id: None,
        begins: false,
        is_modern: false,
        headers: HeaderMap::new(),
    };
    let Frame::Single(Ok(Message::Request(request))) = Frame::parse(message) else {
        return described;
    };
    described.id = Some(request.id.clone());
    described.begins = request.method == "initialize";
    let opened = Opened::new(request);
    let version = opened.claim.as_ref().and_then(|claim| claim.version());
    if let Some(version) = version {
        described.is_modern = true;
        add(
            &mut described.headers,
            header_names::PROTOCOL_VERSION,
            &version,
        );
        mirror(&mut described.headers, &opened.request, parameters);
    }
    described
}

fn mirror(headers: &mut HeaderMap, request: &Request<'_>, parameters: &Parameters) {
    add(headers, header_names::METHOD, &request.method);
    let Some(named) = naming(&request.method) else {
        return;
    };
    let params = request.params.map_or("{}", RawValue::get);
    let member = |name| Members::of(params).only(name).ok().flatten();
    let Some(name) = member(named).and_then(text) else {
        return;
    };
    add(headers, header_names::NAME, &encoded(&name));
    let listed = parameters.get(name.as_ref());
    let Some(listed) = listed.filter(|_| request.method == "tools/call") else {
        return;
    };
    let arguments = member("arguments").unwrap_or("{}");
    let arguments: Value = serde_json::from_str(arguments).unwrap_or_default();
    for parameter in listed {
        let value = parameter
            .path
            .iter()
            .try_fold(&arguments, |value, step| value.get(step));
        let text = match value {
            Some(Value::String(text)) => encoded(text),
            Some(Value::Bool(truth)) => truth.to_string(),
            Some(Value::Number(number)) => number.to_string(),
            // An argument that is not there has no header; another type is the server's to refuse.
            _ => continue,
        };
        if let Ok(name) = HeaderName::try_from(&parameter.header) {
            add(headers, name, &text);
        }
    }
}

/// Text that a header may not hold as it is is wrapped as `=?base64?…?=`.
fn encoded(text: &str) -> String {
    let plain = text.bytes().all(|byte| matches!(byte, 0x20..=0x7e | b'\t'));
    let padded = text.trim_matches([' ', '\t']) != text;
    let wrapped = text.starts_with("=?base64?") && text.ends_with("?=");
    if plain && !padded && !wrapped {
        return text.to_owned();
    }
    format!("=?base64?{}?=", BASE64.encode(text.as_bytes()))
}

/// A value that no header can hold is left out, and the server says what it misses.
fn add(headers: &mut HeaderMap, name: HeaderName, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        headers.insert(name, value);
    }
}

/// The headers of every POST.
pub(super) fn of_posts(headers: &mut HeaderMap) {
    let text = HeaderValue::from_static;
    headers.insert(header::CONTENT_TYPE, text("application/json"));
    headers.insert(header::ACCEPT, text("application/json, text/event-stream"));
}

/// Whether a frame of the server answers a request.
pub(super) fn answers(frame: &[u8], id: &RequestId) -> bool {
    let is_answer = |message: &Message<'_>| match message {
        Message::Response(response) => response.id.as_ref() == Some(id),
        _ => false,
    };
    match Frame::parse(frame) {
        Frame::Single(message) => message.is_ok_and(|message| is_answer(&message)),
        Frame::Batch(elements) => elements
            .iter()
            .any(|element| Message::parse(element.get()).is_ok_and(|message| is_answer(&message))),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn text_that_no_header_holds_is_wrapped() {
        let check = |text: &str, expected: &str| assert_eq!(encoded(text), expected, "{text:?}");
        check("us-west1", "us-west1");
        check("us west\t1", "us west\t1");
        check("", "");
        check("Hello, 世界", "=?base64?SGVsbG8sIOS4lueVjA==?=");
        check(" padded ", "=?base64?IHBhZGRlZCA=?=");
        check("line1\nline2", "=?base64?bGluZTEKbGluZTI=?=");
        check("=?base64?literal?=", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=");
        check("=?base64?", "=?base64?");
    }

    fn described(method: &str, mut params: Value, modern: bool) -> Vec<(String, String)> {
        let parameter = |header: &str, path: &[&str]| HeaderParameter {
            header: header.to_owned(),
            path: path.iter().map(|it| (*it).to_owned()).collect(),
        };
        let listed = vec![
            parameter("mcp-param-region", &["region"]),
            parameter("mcp-param-deep", &["a", "b"]),
            parameter("mcp-param-dry", &["dry"]),
        ];
        let parameters = Parameters::from([("set".to_owned(), listed)]);
        if modern {
            params["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!("2026-07-28");
        }
        let message = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        let described = describe(message.to_string().as_bytes(), &parameters);
        assert_eq!(described.is_modern, modern, "{message}");
        let headers = described.headers.iter();
        let headers =
            headers.map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned()));
        let mut headers: Vec<_> = headers.collect();
        headers.sort();
        headers
    }

    #[test]
    fn a_message_is_described_in_its_headers() {
        let check = |method: &str, params: Value, expected: &[(&str, &str)]| {
            let headers = described(method, params, true);
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
    fn a_message_of_a_session_has_no_headers_of_its_own() {
        assert_eq!(described("tools/call", json!({ "name": "set" }), false), []);
    }
}
