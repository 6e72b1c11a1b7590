use memchr::memchr2;
use serde_json::value::RawValue;

use super::content::content;
use super::{Codec, Wrap, json, member};
use crate::protocol::{CallToolResult, Revision};

pub(super) fn write(
    codec: &Codec,
    out: &mut Vec<u8>,
    revision: Revision,
    result: &CallToolResult,
    wrap: Wrap,
) {
    out.extend_from_slice(b"{\"content\":[");
    for block in &result.content {
        if out.last() != Some(&b'[') {
            out.push(b',');
        }
        content(out, revision, block);
    }
    let structured = result.structured_content.as_deref();
    if let (Some(value), true) = (structured, result.content.is_empty()) {
        // Clients that ignore structured content would otherwise see nothing.
        out.extend_from_slice(b"{\"type\":\"text\",\"text\":");
        json(out, value.get());
        out.push(b'}');
    }
    out.push(b']');
    if let Some(value) = structured {
        structured_content(out, revision, value, wrap);
    }
    if result.is_error {
        out.extend_from_slice(b",\"isError\":true");
    }
    codec.close(out, revision, Some("complete"), result.meta.as_ref());
}

/// Before 2025-06-18 there is none; before 2026-07-28 it is an object.
fn structured_content(out: &mut Vec<u8>, revision: Revision, value: &RawValue, wrap: Wrap) {
    if revision < Revision::V2025_06_18 {
        return;
    }
    member(out, "structuredContent");
    let value = value.get();
    if !wrap.applies_to(value) {
        on_one_line(out, value.as_bytes());
    } else {
        out.extend_from_slice(b"{\"result\":");
        on_one_line(out, value.as_bytes());
        out.push(b'}');
    }
}

/// JSON that may have been written by anybody; a message has no line breaks
/// (specification, *Transports*), and within JSON they stand between tokens only.
fn on_one_line(out: &mut Vec<u8>, mut json: &[u8]) {
    while let Some(at) = memchr2(b'\n', b'\r', json) {
        out.extend_from_slice(&json[..at]);
        json = &json[at + 1..];
    }
    out.extend_from_slice(json);
}
