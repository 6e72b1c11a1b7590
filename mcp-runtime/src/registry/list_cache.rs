use std::sync::{Arc, OnceLock};

use super::kind::DefinitionKind;
use crate::codec::SerializedList;
use crate::protocol::Revision;

/// The encoded lists of one snapshot. Each list is encoded once for each kind and protocol
/// revision.
#[derive(Debug, Default)]
pub(crate) struct ListCache {
    entries: [[OnceLock<Arc<SerializedList>>; Revision::ALL.len()]; KINDS],
    fingerprints: OnceLock<[u64; 3]>,
}

const KINDS: usize = 4;

impl ListCache {
    pub(crate) fn entries(
        &self,
        kind: DefinitionKind,
        revision: Revision,
        encode: impl FnOnce() -> SerializedList,
    ) -> Arc<SerializedList> {
        let cell = &self.entries[kind as usize][revision.index()];
        Arc::clone(cell.get_or_init(|| Arc::new(encode())))
    }

    /// Returns the hashes of the tool, prompt and resource lists. They are computed on first use.
    pub(crate) fn fingerprints(&self, compute: impl FnOnce() -> [u64; 3]) -> [u64; 3] {
        *self.fingerprints.get_or_init(compute)
    }
}
