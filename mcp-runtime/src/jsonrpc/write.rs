use super::{ErrorObject, RequestId};

/// Appends a response whose `result` is written by `body`.
pub(crate) fn write_result(out: &mut Vec<u8>, id: &RequestId, body: impl FnOnce(&mut Vec<u8>)) {
    out.extend_from_slice(b"{\"jsonrpc\":\"2.0\",\"id\":");
    id.write(out);
    out.extend_from_slice(b",\"result\":");
    body(out);
    out.push(b'}');
}

/// Appends an error response.
///
/// An unreadable id is left out rather than sent as `null`: the schemas of all
/// revisions refuse a null id, and those since 2025-11-25 allow none.
pub(crate) fn write_error(out: &mut Vec<u8>, id: Option<&RequestId>, error: &ErrorObject) {
    out.extend_from_slice(b"{\"jsonrpc\":\"2.0\",");
    if let Some(id) = id {
        out.extend_from_slice(b"\"id\":");
        id.write(out);
        out.push(b',');
    }
    out.extend_from_slice(b"\"error\":");
    // An error object holds only strings, numbers and JSON values: it always serializes.
    let _ = serde_json::to_writer(&mut *out, error);
    out.push(b'}');
}
