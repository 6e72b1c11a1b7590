//! The floor: the least that any server must do. It parses a line into plain structs,
//! computes, and writes the response.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::order::Order;

#[derive(Deserialize)]
struct Request<P> {
    #[allow(dead_code, reason = "parsed as in any server")]
    jsonrpc: String,
    id: i64,
    #[allow(dead_code, reason = "parsed as in any server")]
    method: String,
    params: P,
}

#[derive(Deserialize)]
struct Call<A> {
    #[allow(dead_code, reason = "parsed as in any server")]
    name: String,
    arguments: A,
}

#[derive(Deserialize)]
struct Add {
    a: i64,
    b: i64,
}

#[derive(Deserialize)]
struct Echo {
    order: Order,
}

#[derive(Serialize)]
struct Response<R> {
    jsonrpc: &'static str,
    id: i64,
    result: R,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CallResult<'a> {
    content: [Text<'a>; 1],
    structured_content: &'a RawValue,
}

#[derive(Serialize)]
struct Text<'a> {
    r#type: &'static str,
    text: Cow<'a, str>,
}

#[derive(Serialize)]
struct Sum {
    result: i64,
}

fn respond<R: Serialize>(out: &mut Vec<u8>, id: i64, result: R) {
    let response = Response {
        jsonrpc: "2.0",
        id,
        result,
    };
    let written = serde_json::to_writer(&mut *out, &response);
    debug_assert!(written.is_ok());
    out.push(b'\n');
}

fn call<A: for<'de> Deserialize<'de>, S: Serialize>(
    line: &[u8],
    out: &mut Vec<u8>,
    handler: impl FnOnce(A) -> (S, Option<String>),
) -> serde_json::Result<()> {
    let request: Request<Call<A>> = serde_json::from_slice(line)?;
    let (value, text) = handler(request.params.arguments);
    let structured = serde_json::value::to_raw_value(&value)?;
    let text = text.map_or_else(|| structured.get().into(), Cow::Owned);
    let content = [Text {
        r#type: "text",
        text,
    }];
    let result = CallResult {
        content,
        structured_content: &structured,
    };
    respond(out, request.id, result);
    Ok(())
}

/// Writes the response to a call of `add`.
///
/// # Errors
/// Fails if the line is not such a call.
pub fn add(line: &[u8], out: &mut Vec<u8>) -> serde_json::Result<()> {
    call(line, out, |Add { a, b }| {
        let result = a + b;
        (Sum { result }, Some(result.to_string()))
    })
}

/// Writes the response to a call of `echo`.
///
/// # Errors
/// Fails if the line is not such a call.
pub fn echo(line: &[u8], out: &mut Vec<u8>) -> serde_json::Result<()> {
    call(line, out, |Echo { order }| (order, None))
}

/// Writes the response to a `tools/list` request.
///
/// # Errors
/// Fails if the line is not such a request.
pub fn list(line: &[u8], out: &mut Vec<u8>, list: &impl Serialize) -> serde_json::Result<()> {
    #[derive(Deserialize)]
    struct Page {
        #[allow(dead_code, reason = "parsed as in any server")]
        cursor: Option<String>,
    }
    let request: Request<Page> = serde_json::from_slice(line)?;
    respond(out, request.id, list);
    Ok(())
}
