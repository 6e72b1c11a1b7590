use super::content::contents;
use super::result_end::ResultEnd;
use super::writer::{json, member};
use crate::protocol::{CacheHints, ReadResourceResult, Revision};

pub(super) fn write(
    end: &ResultEnd,
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
        contents(out, revision, part);
    }
    out.push(b']');
    cache_hints(out, revision, hints);
    end.write(out, revision, Some("complete"), result.meta.as_ref());
}

/// Appends cache hints, which 2026-07-28 requires (specification, *Caching*).
pub(super) fn cache_hints(out: &mut Vec<u8>, revision: Revision, hints: CacheHints) {
    if revision.is_modern() {
        member(out, "ttlMs");
        json(out, &hints.ttl_ms);
        member(out, "cacheScope");
        json(out, &hints.scope);
    }
}
