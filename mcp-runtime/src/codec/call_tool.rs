use memchr::memchr2;
use serde_json::value::RawValue;

use super::content::write_block;
use super::result_wrapping::ResultWrapping;
use super::trailing_members::TrailingMembers;
use super::writer::{write_json, write_key};
use crate::protocol::{CallToolResult, Revision};

/// The content block for a result without content.
const NO_CONTENT: &[u8] = b"{\"type\":\"text\",\"text\":\"No content.\"}";

pub(super) fn write(
    end: &TrailingMembers,
    out: &mut Vec<u8>,
    revision: Revision,
    result: &CallToolResult,
    wrap: ResultWrapping,
) {
    out.extend_from_slice(b"{\"content\":[");
    for block in &result.content {
        if out.last() != Some(&b'[') {
            out.push(b',');
        }
        write_block(out, revision, block);
    }
    let structured = result.structured_content.as_deref();
    if let (Some(value), true) = (structured, result.content.is_empty()) {
        // Add the structured content as text for clients that ignore structured content.
        out.extend_from_slice(b"{\"type\":\"text\",\"text\":");
        write_json(out, value.get());
        out.push(b'}');
    } else if result.content.is_empty() {
        // Some hosts reject a result with an empty `content` array.
        out.extend_from_slice(NO_CONTENT);
    }
    out.push(b']');
    if let Some(value) = structured {
        write_structured_content(out, revision, value, wrap);
    }
    if result.is_error {
        out.extend_from_slice(b",\"isError\":true");
    }
    end.write(out, revision, Some("complete"), result.meta.as_ref());
}

/// Appends the structured content. Protocol versions before 2025-06-18 do not have it.
fn write_structured_content(
    out: &mut Vec<u8>,
    revision: Revision,
    value: &RawValue,
    wrap: ResultWrapping,
) {
    if revision < Revision::V2025_06_18 {
        return;
    }
    write_key(out, "structuredContent");
    let value = value.get();
    if !wrap.applies_to(value) {
        without_line_breaks(out, value.as_bytes());
    } else {
        out.extend_from_slice(b"{\"result\":");
        without_line_breaks(out, value.as_bytes());
        out.push(b'}');
    }
}

/// Appends the JSON without line breaks, because a message must not contain line breaks
/// (specification, *Transports*). In JSON, a line break can occur only between tokens.
fn without_line_breaks(out: &mut Vec<u8>, mut json: &[u8]) {
    while let Some(at) = memchr2(b'\n', b'\r', json) {
        out.extend_from_slice(&json[..at]);
        json = &json[at + 1..];
    }
    out.extend_from_slice(json);
}
