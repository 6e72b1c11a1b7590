use std::sync::{Arc, OnceLock};

use super::Kind;
use crate::codec::Entries;
use crate::protocol::Revision;

/// What was listed of one snapshot: encoded once a kind and revision, then copied.
#[derive(Debug, Default)]
pub(crate) struct Lists {
    entries: [[OnceLock<Arc<Entries>>; Revision::ALL.len()]; KINDS],
    fingerprints: OnceLock<[u64; 3]>,
}

const KINDS: usize = 4;

impl Lists {
    pub(crate) fn entries(
        &self,
        kind: Kind,
        revision: Revision,
        make: impl FnOnce() -> Entries,
    ) -> Arc<Entries> {
        let cell = &self.entries[kind as usize][revision.index()];
        Arc::clone(cell.get_or_init(|| Arc::new(make())))
    }

    /// What tells one state of the lists from another, made at the first change.
    pub(crate) fn fingerprints(&self, make: impl FnOnce() -> [u64; 3]) -> [u64; 3] {
        *self.fingerprints.get_or_init(make)
    }
}
