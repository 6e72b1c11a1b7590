use super::{ErrorObject, RequestId};

/// Appends a response; `write` appends the result.
pub(crate) fn write_result(out: &mut Vec<u8>, id: &RequestId, body: impl FnOnce(&mut Vec<u8>)) {
    out.extend_from_slice(b"{\"jsonrpc\":\"2.0\",\"id\":");
    id.write(out);
    out.extend_from_slice(b",\"result\":");
    body(out);
    out.push(b'}');
}

/// Appends an error response.
///
/// An id that could not be parsed is omitted: the schemas of all
/// revisions reject a null id, and those since 2025-11-25 allow a missing one.
pub(crate) fn write_error(out: &mut Vec<u8>, id: Option<&RequestId>, error: &ErrorObject) {
    out.extend_from_slice(b"{\"jsonrpc\":\"2.0\",");
    if let Some(id) = id {
        out.extend_from_slice(b"\"id\":");
        id.write(out);
        out.push(b',');
    }
    out.extend_from_slice(b"\"error\":");
    // An error object consists of strings, numbers and JSON values, which always serialize.
    let _ = serde_json::to_writer(&mut *out, error);
    out.push(b'}');
}
