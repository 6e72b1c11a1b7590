use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::common::Defined;

/// The definitions of one kind, by what they are found by.
///
/// What is disabled is neither listed nor found.
#[derive(Debug)]
pub(crate) struct Shelf<T>(BTreeMap<Cow<'static, str>, Placed<T>>);

#[derive(Debug)]
struct Placed<T> {
    definition: Arc<T>,
    enabled: bool,
}

impl<T> Default for Shelf<T> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<T> Clone for Shelf<T> {
    fn clone(&self) -> Self {
        let placed = self.0.iter().map(|(key, placed)| {
            let placed = Placed {
                definition: Arc::clone(&placed.definition),
                enabled: placed.enabled,
            };
            (key.clone(), placed)
        });
        Self(placed.collect())
    }
}

impl<T: Defined> Shelf<T> {
    pub(crate) fn get(&self, key: &str) -> Option<&Arc<T>> {
        let placed = self.0.get(key)?;
        placed.enabled.then_some(&placed.definition)
    }

    /// All that are served, sorted.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Arc<T>> {
        let enabled = self.0.values().filter(|placed| placed.enabled);
        enabled.map(|placed| &placed.definition)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }

    pub(crate) fn len(&self) -> usize {
        self.iter().count()
    }

    /// Adds a definition; one that has its place already stays.
    pub(super) fn insert(&mut self, definition: T) -> Result<(), Arc<T>> {
        let key = definition.common().key.clone();
        if let Some(first) = self.0.get(&key) {
            return Err(Arc::clone(&first.definition));
        }
        let definition = Arc::new(definition);
        let enabled = true;
        self.0.insert(
            key,
            Placed {
                definition,
                enabled,
            },
        );
        Ok(())
    }

    pub(crate) fn remove(&mut self, key: &str) -> bool {
        self.0.remove(key).is_some()
    }

    /// Tells whether there is such a definition.
    pub(crate) fn set_enabled(&mut self, key: &str, enabled: bool) -> bool {
        let placed = self.0.get_mut(key);
        placed.map(|placed| placed.enabled = enabled).is_some()
    }

    /// Leaves out what `served` refuses.
    pub(super) fn retain(&mut self, served: impl Fn(&T) -> bool) {
        self.0.retain(|_, placed| served(&placed.definition));
    }
}
