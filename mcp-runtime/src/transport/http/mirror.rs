use std::borrow::Cow;

use data_encoding::BASE64;
use http::{HeaderMap, HeaderName};
use serde_json::Value;
use serde_json::value::RawValue;

use super::headers::{self, Illegible};
use crate::dispatch::Dispatcher;
use crate::jsonrpc::{ErrorCode, ErrorObject, Members, Request, text};

/// Holds the headers of a request of 2026-07-28 against its body, since whatever
/// stands before the server may have gone by the headers
/// (specification, *Streamable HTTP*, *Server Validation*).
pub(super) fn check(
    headers: &HeaderMap,
    request: &Request<'_>,
    dispatcher: &Dispatcher,
) -> Result<(), ErrorObject> {
    let method = read(headers, &headers::METHOD)?;
    compare("Mcp-Method", method, Some(&request.method))?;
    let Some(named) = naming(&request.method) else {
        return Ok(());
    };
    let params = request.params.map_or("{}", RawValue::get);
    // No other member is looked at, so that none can keep this one from being compared.
    let named = Members::of(params).only(named);
    let named = named.map_err(|_ambiguous| mismatch("Mcp-Name"))?;
    // A name that is no text is refused by its method.
    let name = named.and_then(text);
    let header = read(headers, &headers::NAME)?.map(decoded).transpose()?;
    compare("Mcp-Name", header.as_deref(), name.as_deref())?;
    match name {
        Some(tool) if request.method == "tools/call" => {
            check_parameters(headers, dispatcher, &tool, params)
        }
        _ => Ok(()),
    }
}

/// Which parameter `Mcp-Name` repeats, for the methods that have one.
pub(crate) fn naming(method: &str) -> Option<&'static str> {
    match method {
        "tools/call" | "prompts/get" => Some("name"),
        "resources/read" => Some("uri"),
        "tasks/get" | "tasks/update" | "tasks/cancel" => Some("taskId"),
        _ => None,
    }
}

/// `Mcp-Param-…` for the arguments whose schema names a header; others are ignored.
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
    let arguments = Members::of(params).only("arguments").ok();
    let arguments = arguments.map(|arguments| arguments.unwrap_or("{}"));
    let arguments: Option<Value> = arguments.and_then(|json| serde_json::from_str(json).ok());
    for parameter in parameters.iter() {
        // A schema whose header is no legal name has no header to compare.
        let Ok(name) = HeaderName::try_from(&parameter.header) else {
            continue;
        };
        let header = read(headers, &name)?.map(decoded).transpose()?;
        let repeated = match arguments.as_ref().map(|it| at(it, &parameter.path)) {
            Some(Ok(value)) => match (&header, value) {
                (Some(header), Some(value)) => equals(header, value),
                (header, value) => header.is_none() && value.is_none(),
            },
            Some(Err(NoObject)) | None => false,
        };
        if !repeated {
            return Err(mismatch(&parameter.header));
        }
    }
    Ok(())
}

/// Something stands where an object belongs. It may be the text of one, which a
/// call would read as the object, so that it does not say that nothing is there.
struct NoObject;

/// What stands at a path, where `null` is nothing.
fn at<'v>(arguments: &'v Value, path: &[String]) -> Result<Option<&'v Value>, NoObject> {
    let mut value = arguments;
    for step in path {
        value = match value {
            Value::Object(members) => match members.get(step) {
                Some(member) => member,
                None => return Ok(None),
            },
            Value::Null => return Ok(None),
            _ => return Err(NoObject),
        };
    }
    Ok(Some(value).filter(|value| !value.is_null()))
}

fn equals(header: &str, value: &Value) -> bool {
    match value {
        Value::String(text) => header == text,
        Value::Bool(truth) => header == if *truth { "true" } else { "false" },
        Value::Number(number) => {
            let exact = header == number.to_string();
            exact || header.parse::<f64>().ok() == number.as_f64() && number.as_f64().is_some()
        }
        Value::Null | Value::Array(_) | Value::Object(_) => false,
    }
}

fn compare(header: &str, got: Option<&str>, wanted: Option<&str>) -> Result<(), ErrorObject> {
    if got == wanted {
        Ok(())
    } else {
        Err(mismatch(header))
    }
}

fn read<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Result<Option<&'a str>, ErrorObject> {
    headers::text(headers, name).map_err(|Illegible| mismatch(name.as_str()))
}

/// The value of a header that may be wrapped as `=?base64?…?=`.
fn decoded(value: &str) -> Result<Cow<'_, str>, ErrorObject> {
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

/// The error for a header that is missing or says something else than the body.
pub(super) fn mismatch(header: &str) -> ErrorObject {
    ErrorObject::new(
        ErrorCode::HEADER_MISMATCH,
        format!("the header `{header}` must be there once and say what the body says"),
    )
}
