use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use super::definition::Definition;

/// The definitions of one kind by key: the name, or the URI of a resource.
///
/// A disabled definition is neither listed nor found.
#[derive(Debug)]
pub(crate) struct DefinitionMap<T> {
    /// Sorted by key.
    entries: Vec<MapEntry<T>>,
    /// The index of the entry for each key, other key and former name, so that lookups
    /// take constant time.
    indexes: HashMap<Cow<'static, str>, usize>,
}

#[derive(Debug)]
struct MapEntry<T> {
    definition: Arc<T>,
    enabled: bool,
}

impl<T> Default for DefinitionMap<T> {
    fn default() -> Self {
        Self {
            entries: Vec::new(),
            indexes: HashMap::new(),
        }
    }
}

impl<T> Clone for DefinitionMap<T> {
    fn clone(&self) -> Self {
        let entries = self.entries.iter().map(|entry| MapEntry {
            definition: Arc::clone(&entry.definition),
            enabled: entry.enabled,
        });
        Self {
            entries: entries.collect(),
            indexes: self.indexes.clone(),
        }
    }
}

impl<T: Definition> DefinitionMap<T> {
    /// The definition that has the key, the other key or the former name.
    pub(crate) fn get(&self, key: &str) -> Option<&Arc<T>> {
        let entry = &self.entries[*self.indexes.get(key)?];
        entry.enabled.then_some(&entry.definition)
    }

    /// All definitions, including disabled ones, sorted.
    pub(super) fn iter_all(&self) -> impl Iterator<Item = &Arc<T>> {
        self.entries.iter().map(|entry| &entry.definition)
    }

    /// All enabled definitions, sorted.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Arc<T>> {
        let enabled = self.entries.iter().filter(|entry| entry.enabled);
        enabled.map(|entry| &entry.definition)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }

    pub(crate) fn len(&self) -> usize {
        self.iter().count()
    }

    /// Adds a definition; if a name is taken, returns the name and its definition.
    pub(super) fn insert(&mut self, definition: T) -> Result<(), (String, Arc<T>)> {
        let key = definition.meta().key.clone();
        let former_names = definition.meta().former_names.iter().copied();
        let other_keys = definition.other_key().map(Cow::Owned);
        let names = former_names.map(Cow::Borrowed).chain(other_keys);
        let names: Vec<Cow<'static, str>> = names.chain([key.clone()]).collect();
        for name in &names {
            if let Some(index) = self.indexes.get(name) {
                let first = Arc::clone(&self.entries[*index].definition);
                return Err((name.clone().into_owned(), first));
            }
        }
        let index = self.entries.partition_point(|entry| entry.key() < &*key);
        if index < self.entries.len() {
            let after = self.indexes.values_mut().filter(|other| **other >= index);
            after.for_each(|other| *other += 1);
        }
        self.indexes
            .extend(names.into_iter().map(|name| (name, index)));
        let entry = MapEntry {
            definition: Arc::new(definition),
            enabled: true,
        };
        self.entries.insert(index, entry);
        Ok(())
    }

    /// Removes a definition; returns whether it existed.
    pub(crate) fn remove(&mut self, key: &str) -> bool {
        let Some(index) = self.index(key) else {
            return false;
        };
        self.entries.remove(index);
        self.indexes.retain(|_, other| *other != index);
        let after = self.indexes.values_mut().filter(|other| **other > index);
        after.for_each(|other| *other -= 1);
        true
    }

    /// Enables or disables a definition; returns whether it exists.
    pub(crate) fn set_enabled(&mut self, key: &str, enabled: bool) -> bool {
        let index = self.index(key);
        index
            .map(|index| self.entries[index].enabled = enabled)
            .is_some()
    }

    /// The index of the definition with that key; former names do not count.
    fn index(&self, key: &str) -> Option<usize> {
        let index = *self.indexes.get(key)?;
        (self.entries[index].key() == key).then_some(index)
    }
}

impl<T: Definition> MapEntry<T> {
    fn key(&self) -> &str {
        &self.definition.meta().key
    }
}
