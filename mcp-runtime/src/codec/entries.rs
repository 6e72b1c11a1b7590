use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use crate::protocol::CacheHints;

/// The entries of a list as a revision has them, sorted: one text that is made
/// once, of which every page is a part.
#[derive(Debug, Default, Hash)]
pub(crate) struct Entries {
    /// All of them as JSON, with commas between.
    json: Vec<u8>,
    /// What each is found by, and where its JSON ends.
    places: Vec<(Cow<'static, str>, usize)>,
}

/// What an entry mostly needs, in bytes; what is not used costs no memory.
const USUAL: usize = 512;

impl Entries {
    /// With room for so many.
    pub(crate) fn with_capacity(entries: usize) -> Self {
        Self {
            json: Vec::with_capacity(entries * USUAL),
            places: Vec::with_capacity(entries),
        }
    }

    /// Adds an entry, which stands behind all that are there.
    pub(crate) fn push(&mut self, key: Cow<'static, str>, write: impl FnOnce(&mut Vec<u8>)) {
        if !self.places.is_empty() {
            self.json.push(b',');
        }
        write(&mut self.json);
        self.places.push((key, self.json.len()));
    }

    /// The entries that follow a key, at most so many, and the key of the last of
    /// them where it is not the last of all.
    fn following(&self, key: Option<&str>, most: usize) -> (Range<usize>, Option<&str>) {
        let begin = key.map_or(0, |key| {
            self.places.partition_point(|(own, _)| &**own <= key)
        });
        let page = &self.places[begin..];
        let page = &page[..page.len().min(most)];
        let Some((last, end)) = page.last() else {
            return (0..0, None);
        };
        // Behind the comma after the entry before.
        let start = begin.checked_sub(1).map_or(0, |it| self.places[it].1 + 1);
        let more = begin + page.len() < self.places.len();
        (start..*end, more.then_some(&**last))
    }
}

/// A page of a list.
#[derive(Debug)]
pub(crate) struct Page {
    pub(super) entries: Arc<Entries>,
    pub(super) range: Range<usize>,
    /// The member of the result that has the entries.
    pub(super) member: &'static str,
    pub(super) next_cursor: Option<String>,
    pub(super) hints: CacheHints,
}

impl Page {
    /// The entries that follow a key, at most so many; `cursor` makes a cursor of
    /// the key that the next page follows.
    pub(crate) fn new(
        entries: Arc<Entries>,
        member: &'static str,
        (after, most): (Option<&str>, usize),
        cursor: impl FnOnce(&str) -> String,
        hints: CacheHints,
    ) -> Self {
        let (range, last) = entries.following(after, most);
        let next_cursor = last.map(cursor);
        Self {
            entries,
            range,
            member,
            next_cursor,
            hints,
        }
    }

    /// The entries, with commas between.
    pub(super) fn json(&self) -> &[u8] {
        &self.entries.json[self.range.clone()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(after: Option<&str>, most: usize, expected: &str, last: Option<&str>) {
        let mut entries = Entries::with_capacity(3);
        for key in ["a", "c", "e"] {
            entries.push(key.into(), |out| out.extend_from_slice(key.as_bytes()));
        }
        let (range, found) = entries.following(after, most);
        let page = String::from_utf8(entries.json[range].to_vec()).unwrap();
        assert_eq!((page.as_str(), found), (expected, last), "{after:?} {most}");
    }

    #[test]
    fn pages_are_parts_of_the_whole() {
        check(None, 9, "a,c,e", None);
        check(None, 3, "a,c,e", None);
        check(None, 2, "a,c", Some("c"));
        check(Some("a"), 1, "c", Some("c"));
        check(Some("b"), 1, "c", Some("c"));
        check(Some("c"), 2, "e", None);
        check(Some("e"), 2, "", None);
        check(Some(""), 1, "a", Some("a"));
        assert_eq!(Entries::default().following(None, 2), (0..0, None));
    }
}
