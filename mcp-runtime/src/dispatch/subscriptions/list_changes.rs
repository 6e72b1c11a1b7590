use std::sync::Arc;

use crate::dispatch::capabilities::ConnectionCapabilities;
use crate::dispatch::list_entries::fingerprint;
use crate::registry::{DefinitionKind, Snapshot};

/// What a client knows about the three lists, as hashes of their entries.
///
/// A client that knows the hash of the current list is not notified: a change that is
/// not visible in the list sends nothing, and a change back sends a notification.
#[derive(Clone, Debug, Default)]
pub(crate) struct ListChangeTracker {
    /// Which lists the client is notified of.
    enabled: [bool; 3],
    lists: ListHashes,
}

#[derive(Clone, Debug)]
enum ListHashes {
    /// Not hashed yet: most clients never see a change.
    Unhashed(Arc<Snapshot>),
    Hashed {
        known: [u64; 3],
        current: [u64; 3],
    },
}

/// The lists by the notification that announces a change.
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
    /// A tracker for a client that knows the lists of this snapshot.
    ///
    /// It notifies of those among the `requested` lists (tools, prompts, resources)
    /// for which the connection has the capability.
    pub(super) fn new(capabilities: &ConnectionCapabilities, requested: [bool; 3]) -> Self {
        let mut enabled = requested;
        for (enabled, (_, kinds)) in enabled.iter_mut().zip(LISTS) {
            *enabled &= capabilities.has_list_changed(kinds[0]);
        }
        let lists = ListHashes::Unhashed(Arc::clone(&capabilities.snapshot));
        Self { enabled, lists }
    }

    /// Whether changes of tools, prompts and resources are sent.
    pub(super) fn enabled(&self) -> [bool; 3] {
        self.enabled
    }

    /// Sends a notification for each list that changed; one that could not be sent is
    /// sent the next time. Without a snapshot it sends what is still to be sent.
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
