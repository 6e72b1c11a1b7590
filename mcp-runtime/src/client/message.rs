use serde_json::{Value, json};

use super::ClientError;
use crate::jsonrpc::{self, ErrorObject, RequestId};

/// Builds a notification. Leaves out `params` if it is `null`, because JSON-RPC only allows an
/// object or an array.
pub(super) fn notification(method: &str, params: Value) -> Value {
    let mut message = json!({ "jsonrpc": "2.0", "method": method });
    if !params.is_null() {
        message["params"] = params;
    }
    message
}

/// Returns the encoded response to a request of the server.
pub(super) fn response(id: &RequestId, outcome: &Result<Value, ErrorObject>) -> Vec<u8> {
    let mut response = Vec::new();
    match outcome {
        Ok(result) => jsonrpc::write_result(&mut response, id, |out| {
            // Serializing a `Value` never fails.
            let _ = serde_json::to_writer(out, result);
        }),
        Err(error) => jsonrpc::write_error(&mut response, Some(id), error),
    }
    response
}

/// Checks that `params` and its `_meta` member are each an object or `null`. Removes `_meta` if it
/// is `null`.
pub(super) fn check_params(mut params: Value) -> Result<Value, ClientError> {
    let is_valid = |value: &Value| value.is_object() || value.is_null();
    if !is_valid(&params) {
        return Err(ClientError::ParamsNotObject("`params`"));
    }
    let meta = params.as_object_mut().and_then(|it| it.remove("_meta"));
    match meta {
        Some(meta) if !is_valid(&meta) => return Err(ClientError::ParamsNotObject("`_meta`")),
        Some(meta) if meta.is_object() => params["_meta"] = meta,
        _ => {}
    }
    Ok(params)
}
