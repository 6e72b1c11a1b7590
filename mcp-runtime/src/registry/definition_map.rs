use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use super::definition::Definition;

/// The definitions of one kind, sorted by key. The key is the name of a tool or prompt, or the URI
/// of a resource.
///
/// A disabled definition is not listed and not found.
#[derive(Debug)]
pub(crate) struct DefinitionMap<T> {
    /// The definitions, sorted by key.
    entries: Vec<MapEntry<T>>,
    /// The index of the entry for each key, other key and former name. With it, a lookup takes
    /// constant time.
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
    /// Returns the enabled definition with this key, other key or former name.
    pub(crate) fn get(&self, key: &str) -> Option<&Arc<T>> {
        let entry = &self.entries[*self.indexes.get(key)?];
        entry.enabled.then_some(&entry.definition)
    }

    /// Returns all definitions in the order of their keys, including disabled definitions.
    pub(super) fn iter_all(&self) -> impl Iterator<Item = &Arc<T>> {
        self.entries.iter().map(|entry| &entry.definition)
    }

    /// Returns all enabled definitions in the order of their keys.
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

    /// Adds a definition.
    ///
    /// # Errors
    /// Returns the name and its existing definition if a name of the new definition is already
    /// used.
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

    /// Removes a definition. Returns whether the definition existed.
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

    /// Enables or disables a definition. Returns whether the definition exists.
    pub(crate) fn set_enabled(&mut self, key: &str, enabled: bool) -> bool {
        let index = self.index(key);
        index
            .map(|index| self.entries[index].enabled = enabled)
            .is_some()
    }

    /// Returns the index of the definition with this key. Former names are ignored.
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
