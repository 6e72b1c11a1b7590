use serde_json::value::RawValue;

use super::{Codec, Wrap, json, member};
use crate::protocol::{CallToolResult, ContentBlock, ResourceContents, Revision};

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
        out.extend_from_slice(value.as_bytes());
    } else {
        out.extend_from_slice(b"{\"result\":");
        out.extend_from_slice(value.as_bytes());
        out.push(b'}');
    }
}

/// A block as `revision` knows it; a kind that it lacks becomes a text that says so.
fn content(out: &mut Vec<u8>, revision: Revision, block: &ContentBlock) {
    match block {
        block if revision < Revision::V2025_06_18 => json(out, &older(block.clone(), revision)),
        block => json(out, block),
    }
}

/// A block as a revision before 2025-06-18 knows it.
pub(super) fn older(block: ContentBlock, revision: Revision) -> ContentBlock {
    match block {
        ContentBlock::Audio(audio) if revision < Revision::V2025_03_26 => {
            ContentBlock::text(format!("[audio, {}]", audio.mime_type))
        }
        ContentBlock::ResourceLink(link) if revision < Revision::V2025_06_18 => {
            ContentBlock::text(format!("{}: {}", link.name, link.uri))
        }
        block if revision < Revision::V2025_06_18 => without_newer_members(block),
        block => block,
    }
}

/// `_meta` and `lastModified` came with 2025-06-18.
fn without_newer_members(mut block: ContentBlock) -> ContentBlock {
    let (annotations, meta) = match &mut block {
        ContentBlock::Text(content) => (&mut content.annotations, &mut content.meta),
        ContentBlock::Image(content) => (&mut content.annotations, &mut content.meta),
        ContentBlock::Audio(content) => (&mut content.annotations, &mut content.meta),
        ContentBlock::ResourceLink(link) => (&mut link.annotations, &mut link.meta),
        ContentBlock::Resource(embedded) => {
            let (ResourceContents::Text { meta, .. } | ResourceContents::Blob { meta, .. }) =
                &mut embedded.resource;
            *meta = None;
            (&mut embedded.annotations, &mut embedded.meta)
        }
    };
    *meta = None;
    if let Some(annotations) = annotations {
        annotations.last_modified = None;
    }
    block
}
