use crate::dispatch::capability::Offer;
use crate::dispatch::lists::fingerprint;
use crate::registry::{Kind, Snapshot};

/// What somebody knows of the three lists, as hashes of what is really served.
///
/// Whoever knows the hash of what is served now is not told of it again: a
/// change that changes nothing visible is no news, and a change back is.
#[derive(Clone, Debug, Default)]
pub(crate) struct News([Item; 3]);

#[derive(Clone, Copy, Debug, Default)]
struct Item {
    /// Whether it is to be told at all.
    wanted: bool,
    known: u64,
    now: u64,
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

impl News {
    /// What is served now, in full.
    pub(super) fn of(snapshot: &Snapshot) -> Self {
        Self(LISTS.map(|(_, kinds)| {
            let now = fingerprint(snapshot, kinds);
            Item {
                wanted: true,
                known: now,
                now,
            }
        }))
    }

    /// The same for somebody to whom only these lists are promised.
    pub(super) fn promised(mut self, offer: &Offer, asked: [bool; 3]) -> Self {
        for ((item, (_, kinds)), asked) in self.0.iter_mut().zip(LISTS).zip(asked) {
            item.wanted = asked && offer.tells_of(kinds[0]);
        }
        self
    }

    /// Whether each of the lists is told of: tools, prompts, resources.
    pub(super) fn wanted(&self) -> [bool; 3] {
        self.0.map(|item| item.wanted)
    }

    /// Tells what is news; what could not be sent stays news.
    pub(crate) fn tell(&mut self, now: Option<&Self>, mut send: impl FnMut(&'static str) -> bool) {
        for (index, item) in self.0.iter_mut().enumerate() {
            if let Some(now) = now {
                item.now = now.0[index].now;
            }
            if item.wanted && item.known != item.now && send(LISTS[index].0) {
                item.known = item.now;
            }
        }
    }
}
