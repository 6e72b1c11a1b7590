use std::sync::Arc;

use crate::dispatch::capability::Offer;
use crate::dispatch::lists::fingerprint;
use crate::registry::{Kind, Snapshot};

/// What somebody knows of the three lists, as hashes of what is really served.
///
/// Whoever knows the hash of what is served now is not told of it again: a
/// change that changes nothing visible is no news, and a change back is.
#[derive(Clone, Debug, Default)]
pub(crate) struct News {
    /// Which lists are to be told of at all.
    wanted: [bool; 3],
    lists: Lists,
}

#[derive(Clone, Debug)]
enum Lists {
    /// As they were served; most clients see no change, so nothing is hashed yet.
    Served(Arc<Snapshot>),
    Hashed {
        known: [u64; 3],
        now: [u64; 3],
    },
}

/// The lists that are told of, by the notification that tells.
const LISTS: [(&str, &[Kind]); 3] = [
    ("notifications/tools/list_changed", &[Kind::Tool]),
    ("notifications/prompts/list_changed", &[Kind::Prompt]),
    (
        "notifications/resources/list_changed",
        &[Kind::Resource, Kind::ResourceTemplate],
    ),
];

impl Default for Lists {
    fn default() -> Self {
        let nothing = [0; 3];
        Self::Hashed {
            known: nothing,
            now: nothing,
        }
    }
}

impl News {
    /// What is served now, in full.
    pub(super) fn of(snapshot: &Arc<Snapshot>) -> Self {
        Self {
            wanted: [true; 3],
            lists: Lists::Served(Arc::clone(snapshot)),
        }
    }

    /// The same for somebody to whom only these lists are promised.
    pub(super) fn promised(mut self, offer: &Offer, asked: [bool; 3]) -> Self {
        for ((wanted, (_, kinds)), asked) in self.wanted.iter_mut().zip(LISTS).zip(asked) {
            *wanted = asked && offer.tells_of(kinds[0]);
        }
        self
    }

    /// Whether each of the lists is told of: tools, prompts, resources.
    pub(super) fn wanted(&self) -> [bool; 3] {
        self.wanted
    }

    /// Tells what is news; what could not be sent stays news.
    pub(crate) fn tell(
        &mut self,
        now: Option<&Arc<Snapshot>>,
        mut send: impl FnMut(&'static str) -> bool,
    ) {
        if let Some(now) = now {
            self.look_at(now);
        }
        let Lists::Hashed { known, now } = &mut self.lists else {
            return;
        };
        for (index, (method, _)) in LISTS.iter().enumerate() {
            if self.wanted[index] && known[index] != now[index] && send(method) {
                known[index] = now[index];
            }
        }
    }

    fn look_at(&mut self, snapshot: &Arc<Snapshot>) {
        let known = match &self.lists {
            Lists::Served(served) if Arc::ptr_eq(served, snapshot) => return,
            Lists::Served(served) => fingerprints(served),
            Lists::Hashed { known, .. } => *known,
        };
        let now = fingerprints(snapshot);
        self.lists = Lists::Hashed { known, now };
    }
}

fn fingerprints(snapshot: &Snapshot) -> [u64; 3] {
    let make = || LISTS.map(|(_, kinds)| fingerprint(snapshot, kinds));
    snapshot.lists.fingerprints(make)
}
