use std::borrow::Cow;

use data_encoding::BASE64;
use http::{HeaderMap, HeaderName};
use serde_json::Value;
use serde_json::value::RawValue;

use super::headers::{self, InvalidHeader};
use crate::dispatch::Dispatcher;
use crate::jsonrpc::{ErrorCode, ErrorObject, Members, Request, decode_string};
use crate::schema::Decimal;

/// Checks that the headers of a request of protocol version 2026-07-28 match its body.
///
/// A proxy may have made a decision based on the headers (specification, *Streamable HTTP*, *Server
/// Validation*).
pub(super) fn check(
    headers: &HeaderMap,
    request: &Request<'_>,
    dispatcher: &Dispatcher,
) -> Result<(), ErrorObject> {
    let method = read(headers, &headers::METHOD)?;
    compare("Mcp-Method", method, Some(&request.method))?;
    let Some(parameter) = mirrored_parameter(&request.method) else {
        return Ok(());
    };
    let params = request.params.map_or("{}", RawValue::get);
    // Only this member is parsed, because an invalid other member must not prevent the comparison.
    let value = Members::of(params).unique(parameter);
    let value = value.map_err(|_ambiguous| mismatch("Mcp-Name"))?;
    // The handler of the method rejects a name that is not a string.
    let name = value.and_then(decode_string);
    let header = read(headers, &headers::NAME)?.map(decode).transpose()?;
    compare("Mcp-Name", header.as_deref(), name.as_deref())?;
    match name {
        Some(tool) if request.method == "tools/call" => {
            check_parameters(headers, dispatcher, &tool, params)
        }
        _ => Ok(()),
    }
}

/// Returns the parameter whose value `Mcp-Name` repeats, or `None` if the method has no such
/// parameter.
pub(crate) fn mirrored_parameter(method: &str) -> Option<&'static str> {
    match method {
        "tools/call" | "prompts/get" => Some("name"),
        "resources/read" => Some("uri"),
        "tasks/get" | "tasks/update" | "tasks/cancel" => Some("taskId"),
        _ => None,
    }
}

/// Checks the `Mcp-Param-…` headers of the arguments whose schema names a header. Ignores all other
/// headers.
fn check_parameters(
    headers: &HeaderMap,
    dispatcher: &Dispatcher,
    tool: &str,
    params: &str,
) -> Result<(), ErrorObject> {
    let parameters = dispatcher.header_parameters(tool);
    if parameters.is_empty() {
        return Ok(());
    }
    let arguments = Members::of(params).unique("arguments").ok();
    let arguments = arguments.map(|arguments| arguments.unwrap_or("{}"));
    let arguments: Option<Value> = arguments.and_then(|json| serde_json::from_str(json).ok());
    for parameter in parameters.iter() {
        // If the header name in the schema is invalid, no client can send the header.
        let Ok(name) = HeaderName::try_from(&parameter.header) else {
            continue;
        };
        let header = read(headers, &name)?.map(decode).transpose()?;
        let matches = match arguments.as_ref().map(|it| value_at(it, &parameter.path)) {
            Some(Ok(value)) => match (&header, value) {
                (Some(header), Some(value)) => equals(header, value),
                (header, value) => header.is_none() && value.is_none(),
            },
            Some(Err(NotAnObject)) | None => false,
        };
        if !matches {
            return Err(mismatch(&parameter.header));
        }
    }
    Ok(())
}

/// The error for a path that leads through a value other than an object. The value may be a string
/// that the call coerces to an object, and that object may contain the argument.
struct NotAnObject;

/// Returns the value at a path, or `None` if the value is missing or `null`.
fn value_at<'v>(arguments: &'v Value, path: &[String]) -> Result<Option<&'v Value>, NotAnObject> {
    let mut value = arguments;
    for step in path {
        value = match value {
            Value::Object(members) => match members.get(step) {
                Some(member) => member,
                None => return Ok(None),
            },
            Value::Null => return Ok(None),
            _ => return Err(NotAnObject),
        };
    }
    Ok(Some(value).filter(|value| !value.is_null()))
}

fn equals(header: &str, value: &Value) -> bool {
    match value {
        Value::String(text) => header == text,
        Value::Bool(value) => header == if *value { "true" } else { "false" },
        Value::Number(number) => {
            // The numbers are compared as decimals, because `f64` cannot distinguish all integers
            // above 2^53.
            header == number.to_string()
                || Decimal::parse(header).is_some_and(|it| Some(it) == Decimal::from_number(number))
        }
        Value::Null | Value::Array(_) | Value::Object(_) => false,
    }
}

fn compare(header: &str, value: Option<&str>, expected: Option<&str>) -> Result<(), ErrorObject> {
    if value == expected {
        Ok(())
    } else {
        Err(mismatch(header))
    }
}

fn read<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Result<Option<&'a str>, ErrorObject> {
    headers::text(headers, name).map_err(|InvalidHeader| mismatch(name.as_str()))
}

/// Decodes the value of a header, which may have the form `=?base64?…?=`.
fn decode(value: &str) -> Result<Cow<'_, str>, ErrorObject> {
    let wrapped = value.strip_prefix("=?base64?");
    let Some(encoded) = wrapped.and_then(|value| value.strip_suffix("?=")) else {
        return Ok(Cow::Borrowed(value));
    };
    let bytes = BASE64.decode(encoded.as_bytes()).ok();
    let text = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
    text.map(Cow::Owned).ok_or_else(|| {
        ErrorObject::new(
            ErrorCode::HEADER_MISMATCH,
            "a header is not valid base64 of UTF-8",
        )
    })
}

/// Returns the error for a header that is missing or does not match the body.
pub(super) fn mismatch(header: &str) -> ErrorObject {
    ErrorObject::new(
        ErrorCode::HEADER_MISMATCH,
        format!("the header `{header}` must occur once and match the body"),
    )
}
