use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use crate::protocol::CacheHints;

/// The serialized entries of a list for one revision, sorted by key. Each page of the list is a
/// slice of this text.
#[derive(Debug, Default, Hash)]
pub(crate) struct SerializedList {
    /// The entries as JSON, separated by commas.
    json: Vec<u8>,
    /// The key of each entry and the end position of the entry in `json`.
    ends: Vec<(Cow<'static, str>, usize)>,
}

/// The estimated length of an entry in bytes.
const ENTRY_CAPACITY: usize = 512;

impl SerializedList {
    /// Creates an empty list with memory for `entries` entries.
    pub(crate) fn with_capacity(entries: usize) -> Self {
        Self {
            json: Vec::with_capacity(entries * ENTRY_CAPACITY),
            ends: Vec::with_capacity(entries),
        }
    }

    /// Appends an entry. Its key must be greater than the key of the previous entry.
    pub(crate) fn push(&mut self, key: Cow<'static, str>, write: impl FnOnce(&mut Vec<u8>)) {
        if !self.ends.is_empty() {
            self.json.push(b',');
        }
        write(&mut self.json);
        self.ends.push((key, self.json.len()));
    }

    /// Returns the range of at most `max` entries after `key`. If there are more entries, also
    /// returns the key of the last entry in the range.
    fn page_after(&self, key: Option<&str>, max: usize) -> (Range<usize>, Option<&str>) {
        let begin = key.map_or(0, |key| self.ends.partition_point(|(own, _)| &**own <= key));
        let page = &self.ends[begin..];
        let page = &page[..page.len().min(max)];
        let Some((last, end)) = page.last() else {
            return (0..0, None);
        };
        // The entry starts after the comma that follows the previous entry.
        let start = begin.checked_sub(1).map_or(0, |it| self.ends[it].1 + 1);
        let more = begin + page.len() < self.ends.len();
        (start..*end, more.then_some(&**last))
    }
}

/// A page of a list.
#[derive(Debug)]
pub(crate) struct ListPage {
    pub(super) entries: Arc<SerializedList>,
    pub(super) range: Range<usize>,
    /// The name of the result member that contains the entries.
    pub(super) member: &'static str,
    pub(super) next_cursor: Option<String>,
    pub(super) hints: CacheHints,
}

impl ListPage {
    /// Creates a page of at most `max` entries after the key `after`. `cursor` converts the key of
    /// the last entry to the cursor of the next page.
    pub(crate) fn new(
        entries: Arc<SerializedList>,
        member: &'static str,
        (after, max): (Option<&str>, usize),
        cursor: impl FnOnce(&str) -> String,
        hints: CacheHints,
    ) -> Self {
        let (range, last) = entries.page_after(after, max);
        let next_cursor = last.map(cursor);
        Self {
            entries,
            range,
            member,
            next_cursor,
            hints,
        }
    }

    /// Returns the JSON of the entries on this page, separated by commas.
    pub(super) fn json(&self) -> &[u8] {
        &self.entries.json[self.range.clone()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(after: Option<&str>, max: usize, expected: &str, last: Option<&str>) {
        let mut entries = SerializedList::with_capacity(3);
        for key in ["a", "c", "e"] {
            entries.push(key.into(), |out| out.extend_from_slice(key.as_bytes()));
        }
        let (range, found) = entries.page_after(after, max);
        let page = String::from_utf8(entries.json[range].to_vec()).unwrap();
        assert_eq!((page.as_str(), found), (expected, last), "{after:?} {max}");
    }

    #[test]
    fn pages_are_slices_of_the_list() {
        check(None, 9, "a,c,e", None);
        check(None, 3, "a,c,e", None);
        check(None, 2, "a,c", Some("c"));
        check(Some("a"), 1, "c", Some("c"));
        check(Some("b"), 1, "c", Some("c"));
        check(Some("c"), 2, "e", None);
        check(Some("e"), 2, "", None);
        check(Some(""), 1, "a", Some("a"));
        assert_eq!(SerializedList::default().page_after(None, 2), (0..0, None));
    }
}
