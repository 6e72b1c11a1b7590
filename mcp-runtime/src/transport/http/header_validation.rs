use std::borrow::Cow;

use data_encoding::BASE64;
use http::{HeaderMap, HeaderName};
use serde_json::Value;
use serde_json::value::RawValue;

use super::headers::{self, InvalidHeader};
use crate::dispatch::Dispatcher;
use crate::jsonrpc::{ErrorCode, ErrorObject, Members, Request, decode_string};
use crate::schema::Decimal;

/// Checks that the headers of a request of 2026-07-28 match its body, since a proxy
/// may have decided by the headers (specification, *Streamable HTTP*, *Server
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
    // Other members are not read, so that an invalid one cannot prevent the comparison.
    let value = Members::of(params).unique(parameter);
    let value = value.map_err(|_ambiguous| mismatch("Mcp-Name"))?;
    // The method itself rejects a name that is not a string.
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

/// Returns the parameter that `Mcp-Name` repeats, for methods that have one.
pub(crate) fn mirrored_parameter(method: &str) -> Option<&'static str> {
    match method {
        "tools/call" | "prompts/get" => Some("name"),
        "resources/read" => Some("uri"),
        "tasks/get" | "tasks/update" | "tasks/cancel" => Some("taskId"),
        _ => None,
    }
}

/// Checks `Mcp-Param-…` for the arguments whose schema names a header; ignores others.
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
        // A schema with an invalid header name has no header to compare.
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

/// Another value than an object on the path to an argument. It may be a string that
/// the call coerces to an object, so the argument may still be there.
struct NotAnObject;

/// Returns the value at a path; `null` counts as missing.
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
            // Compared as decimals: above 2^53 neighbours have one `f64`.
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

/// Decodes the value of a header, which may be wrapped as `=?base64?…?=`.
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

/// The error for a header that is missing or does not match the body.
pub(super) fn mismatch(header: &str) -> ErrorObject {
    ErrorObject::new(
        ErrorCode::HEADER_MISMATCH,
        format!("the header `{header}` must occur once and match the body"),
    )
}
