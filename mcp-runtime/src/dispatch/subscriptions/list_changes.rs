use std::sync::Arc;

use crate::dispatch::capabilities::ConnectionCapabilities;
use crate::dispatch::list_entries::fingerprint;
use crate::registry::{DefinitionKind, Snapshot};

/// The states of the tool, prompt and resource lists that a client knows, as hashes of their
/// entries.
///
/// The server only notifies a client if the hash of a list differs from the hash that the client
/// knows. It sends no notification for a change that is not visible in the list.
#[derive(Clone, Debug, Default)]
pub(crate) struct ListChangeTracker {
    /// Whether the server notifies the client of changes, for each list.
    enabled: [bool; 3],
    lists: ListHashes,
}

#[derive(Clone, Debug)]
enum ListHashes {
    /// The snapshot before the first change. Most clients never need its hashes.
    Unhashed(Arc<Snapshot>),
    Hashed {
        known: [u64; 3],
        current: [u64; 3],
    },
}

/// The method of the change notification for each list, and the kinds in the list.
const LISTS: [(&str, &[DefinitionKind]); 3] = [
    ("notifications/tools/list_changed", &[DefinitionKind::Tool]),
    (
        "notifications/prompts/list_changed",
        &[DefinitionKind::Prompt],
    ),
    (
        "notifications/resources/list_changed",
        &[DefinitionKind::Resource, DefinitionKind::ResourceTemplate],
    ),
];

impl Default for ListHashes {
    fn default() -> Self {
        let (known, current) = ([0; 3], [0; 3]);
        Self::Hashed { known, current }
    }
}

impl ListChangeTracker {
    /// Creates a tracker for a client that knows the lists in the snapshot of `capabilities`.
    ///
    /// It tracks each of the `requested` lists (tools, prompts, resources) for which the connection
    /// has the capability.
    pub(super) fn new(capabilities: &ConnectionCapabilities, requested: [bool; 3]) -> Self {
        let mut enabled = requested;
        for (enabled, (_, kinds)) in enabled.iter_mut().zip(LISTS) {
            *enabled &= capabilities.has_list_changed(kinds[0]);
        }
        let lists = ListHashes::Unhashed(Arc::clone(&capabilities.snapshot));
        Self { enabled, lists }
    }

    /// Returns whether the server sends changes of tools, prompts and resources.
    pub(super) fn enabled(&self) -> [bool; 3] {
        self.enabled
    }

    /// Sends a notification for each changed list. If `send` fails, the next call tries again.
    /// Without a snapshot, it only sends notifications that failed earlier.
    pub(in crate::dispatch) fn notify(
        &mut self,
        snapshot: Option<&Arc<Snapshot>>,
        mut send: impl FnMut(&'static str) -> bool,
    ) {
        if let Some(snapshot) = snapshot {
            self.update(snapshot);
        }
        let ListHashes::Hashed { known, current } = &mut self.lists else {
            return;
        };
        for (index, (method, _)) in LISTS.iter().enumerate() {
            if self.enabled[index] && known[index] != current[index] && send(method) {
                known[index] = current[index];
            }
        }
    }

    fn update(&mut self, snapshot: &Arc<Snapshot>) {
        let known = match &self.lists {
            ListHashes::Unhashed(known) if Arc::ptr_eq(known, snapshot) => return,
            ListHashes::Unhashed(known) => fingerprints(known),
            ListHashes::Hashed { known, .. } => *known,
        };
        let current = fingerprints(snapshot);
        self.lists = ListHashes::Hashed { known, current };
    }
}

fn fingerprints(snapshot: &Snapshot) -> [u64; 3] {
    let compute = || LISTS.map(|(_, kinds)| fingerprint(snapshot, kinds));
    snapshot.lists.fingerprints(compute)
}
