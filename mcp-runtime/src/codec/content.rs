use super::writer::write_json;
use crate::protocol::{ContentBlock, ResourceContents, Revision};

/// Appends a content block. If `revision` does not have the type of the block, appends a text block
/// instead.
pub(super) fn write_block(out: &mut Vec<u8>, revision: Revision, block: &ContentBlock) {
    match block {
        block if revision < Revision::V2025_06_18 => {
            write_json(out, &for_older_revision(block.clone(), revision));
        }
        block => write_json(out, block),
    }
}

/// Converts a content block for a protocol revision before 2025-06-18. Returns the block unchanged
/// for newer revisions.
pub(super) fn for_older_revision(block: ContentBlock, revision: Revision) -> ContentBlock {
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

/// Appends the contents of a resource. Revisions before 2025-06-18 do not have `_meta`.
pub(super) fn write_contents(out: &mut Vec<u8>, revision: Revision, contents: &ResourceContents) {
    if revision >= Revision::V2025_06_18 {
        return write_json(out, contents);
    }
    let mut contents = contents.clone();
    remove_meta(&mut contents);
    write_json(out, &contents);
}

/// Removes `_meta` and `lastModified`, which were added in 2025-06-18.
fn without_newer_members(mut block: ContentBlock) -> ContentBlock {
    let (annotations, meta) = match &mut block {
        ContentBlock::Text(content) => (&mut content.annotations, &mut content.meta),
        ContentBlock::Image(content) => (&mut content.annotations, &mut content.meta),
        ContentBlock::Audio(content) => (&mut content.annotations, &mut content.meta),
        ContentBlock::ResourceLink(link) => (&mut link.annotations, &mut link.meta),
        ContentBlock::Resource(embedded) => {
            remove_meta(&mut embedded.resource);
            (&mut embedded.annotations, &mut embedded.meta)
        }
    };
    *meta = None;
    if let Some(annotations) = annotations {
        annotations.last_modified = None;
    }
    block
}

fn remove_meta(contents: &mut ResourceContents) {
    let (ResourceContents::Text { meta, .. } | ResourceContents::Blob { meta, .. }) = contents;
    *meta = None;
}
