use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use super::common::Defined;

/// The definitions of one kind, by what they are found by.
///
/// What is disabled is neither listed nor found.
#[derive(Debug)]
pub(crate) struct Shelf<T> {
    /// Sorted by key.
    placed: Vec<Placed<T>>,
    /// From a key, or one that it was before, to the place: among ten thousand
    /// definitions one is found as soon as among two.
    places: HashMap<Cow<'static, str>, usize>,
}

#[derive(Debug)]
struct Placed<T> {
    definition: Arc<T>,
    enabled: bool,
}

impl<T> Default for Shelf<T> {
    fn default() -> Self {
        Self {
            placed: Vec::new(),
            places: HashMap::new(),
        }
    }
}

impl<T> Clone for Shelf<T> {
    fn clone(&self) -> Self {
        let placed = self.placed.iter().map(|placed| Placed {
            definition: Arc::clone(&placed.definition),
            enabled: placed.enabled,
        });
        Self {
            placed: placed.collect(),
            places: self.places.clone(),
        }
    }
}

impl<T: Defined> Shelf<T> {
    /// The definition that has the key, or had it before.
    pub(crate) fn get(&self, key: &str) -> Option<&Arc<T>> {
        let placed = &self.placed[*self.places.get(key)?];
        placed.enabled.then_some(&placed.definition)
    }

    /// All that are served or disabled, sorted.
    pub(super) fn placed(&self) -> impl Iterator<Item = &Arc<T>> {
        self.placed.iter().map(|placed| &placed.definition)
    }

    /// All that are served, sorted.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Arc<T>> {
        let enabled = self.placed.iter().filter(|placed| placed.enabled);
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
            if let Some(place) = self.places.get(name) {
                let first = Arc::clone(&self.placed[*place].definition);
                return Err((name.to_owned(), first));
            }
        }
        let place = self.placed.partition_point(|placed| placed.key() < &*key);
        if place < self.placed.len() {
            let after = self.places.values_mut().filter(|other| **other >= place);
            after.for_each(|other| *other += 1);
        }
        let names = former.iter().map(|name| Cow::Borrowed(*name)).chain([key]);
        self.places.extend(names.map(|name| (name, place)));
        let placed = Placed {
            definition: Arc::new(definition),
            enabled: true,
        };
        self.placed.insert(place, placed);
        Ok(())
    }

    pub(crate) fn remove(&mut self, key: &str) -> bool {
        let Some(place) = self.place(key) else {
            return false;
        };
        self.placed.remove(place);
        self.places.retain(|_, other| *other != place);
        let after = self.places.values_mut().filter(|other| **other > place);
        after.for_each(|other| *other -= 1);
        true
    }

    /// Tells whether there is such a definition.
    pub(crate) fn set_enabled(&mut self, key: &str, enabled: bool) -> bool {
        let place = self.place(key);
        place
            .map(|place| self.placed[place].enabled = enabled)
            .is_some()
    }

    /// Where the definition of that key stands; former keys do not count.
    fn place(&self, key: &str) -> Option<usize> {
        let place = *self.places.get(key)?;
        (self.placed[place].key() == key).then_some(place)
    }
}

impl<T: Defined> Placed<T> {
    fn key(&self) -> &str {
        &self.definition.common().key
    }
}
