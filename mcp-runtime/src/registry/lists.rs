use std::sync::{Arc, OnceLock};

use super::Kind;
use crate::protocol::Revision;

/// One entry of a list as a revision has it: what it is sorted by, and its JSON.
pub(crate) type Encoded = (String, String);

/// What was listed of one snapshot: encoded once a kind and revision, then copied.
#[derive(Debug, Default)]
pub(crate) struct Lists {
    entries: [[OnceLock<Arc<[Encoded]>>; Revision::ALL.len()]; KINDS],
    /// The first page, which most clients ask for, as the whole result.
    pages: [[OnceLock<Arc<str>>; Revision::ALL.len()]; KINDS],
    fingerprints: OnceLock<[u64; 3]>,
}

const KINDS: usize = 4;

impl Lists {
    pub(crate) fn entries(
        &self,
        kind: Kind,
        revision: Revision,
        make: impl FnOnce() -> Arc<[Encoded]>,
    ) -> Arc<[Encoded]> {
        let cell = &self.entries[kind as usize][revision.index()];
        Arc::clone(cell.get_or_init(make))
    }

    pub(crate) fn first_page(
        &self,
        kind: Kind,
        revision: Revision,
        make: impl FnOnce() -> Arc<str>,
    ) -> Arc<str> {
        let cell = &self.pages[kind as usize][revision.index()];
        Arc::clone(cell.get_or_init(make))
    }

    /// What tells one state of the lists from another, made at the first change.
    pub(crate) fn fingerprints(&self, make: impl FnOnce() -> [u64; 3]) -> [u64; 3] {
        *self.fingerprints.get_or_init(make)
    }
}
