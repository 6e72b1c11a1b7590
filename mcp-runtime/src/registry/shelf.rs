use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::common::Defined;

/// The definitions of one kind, by what they are found by.
///
/// What is disabled is neither listed nor found.
#[derive(Debug)]
pub(crate) struct Shelf<T> {
    placed: BTreeMap<Cow<'static, str>, Placed<T>>,
    /// From what a definition was found by before to what it is found by.
    former: BTreeMap<&'static str, Cow<'static, str>>,
}

#[derive(Debug)]
struct Placed<T> {
    definition: Arc<T>,
    enabled: bool,
}

impl<T> Default for Shelf<T> {
    fn default() -> Self {
        Self {
            placed: BTreeMap::new(),
            former: BTreeMap::new(),
        }
    }
}

impl<T> Clone for Shelf<T> {
    fn clone(&self) -> Self {
        let placed = self.placed.iter().map(|(key, placed)| {
            let placed = Placed {
                definition: Arc::clone(&placed.definition),
                enabled: placed.enabled,
            };
            (key.clone(), placed)
        });
        Self {
            placed: placed.collect(),
            former: self.former.clone(),
        }
    }
}

impl<T: Defined> Shelf<T> {
    /// The definition that has the key, or had it before.
    pub(crate) fn get(&self, key: &str) -> Option<&Arc<T>> {
        let renamed = || self.placed.get(self.former.get(key)?);
        let placed = self.placed.get(key).or_else(renamed)?;
        placed.enabled.then_some(&placed.definition)
    }

    /// All that are served, sorted.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Arc<T>> {
        let enabled = self.placed.values().filter(|placed| placed.enabled);
        enabled.map(|placed| &placed.definition)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }

    pub(crate) fn len(&self) -> usize {
        self.iter().count()
    }

    /// Adds a definition; one that has its place already stays.
    pub(super) fn insert(&mut self, definition: T) -> Result<(), (String, Arc<T>)> {
        let key = definition.common().key.clone();
        let former = definition.common().former;
        for name in former.iter().copied().chain([&*key]) {
            let renamed = || self.placed.get(self.former.get(name)?);
            if let Some(first) = self.placed.get(name).or_else(renamed) {
                let first = Arc::clone(&first.definition);
                return Err((name.to_owned(), first));
            }
        }
        self.former
            .extend(former.iter().map(|name| (*name, key.clone())));
        let definition = Arc::new(definition);
        let enabled = true;
        self.placed.insert(
            key,
            Placed {
                definition,
                enabled,
            },
        );
        Ok(())
    }

    pub(crate) fn remove(&mut self, key: &str) -> bool {
        self.former.retain(|_, named| named != key);
        self.placed.remove(key).is_some()
    }

    /// Tells whether there is such a definition.
    pub(crate) fn set_enabled(&mut self, key: &str, enabled: bool) -> bool {
        let placed = self.placed.get_mut(key);
        placed.map(|placed| placed.enabled = enabled).is_some()
    }
}
