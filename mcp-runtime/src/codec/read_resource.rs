use super::content::write_contents;
use super::trailing_members::TrailingMembers;
use super::writer::{write_json, write_key};
use crate::protocol::{CacheHints, ReadResourceResult, Revision};

pub(super) fn write(
    end: &TrailingMembers,
    out: &mut Vec<u8>,
    revision: Revision,
    result: &ReadResourceResult,
    hints: CacheHints,
) {
    out.extend_from_slice(b"{\"contents\":[");
    for (index, part) in result.contents.iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        write_contents(out, revision, part);
    }
    out.push(b']');
    write_cache_hints(out, revision, hints);
    end.write(out, revision, Some("complete"), result.meta.as_ref());
}

/// Appends cache hints for protocol version 2026-07-28 (specification, *Caching*).
pub(super) fn write_cache_hints(out: &mut Vec<u8>, revision: Revision, hints: CacheHints) {
    if revision.is_modern() {
        write_key(out, "ttlMs");
        write_json(out, &hints.ttl_ms);
        write_key(out, "cacheScope");
        write_json(out, &hints.scope);
    }
}
