//! The definitions of a server: the static definitions, which are linked into the binary, and the
//! dynamic definitions, which are added at run time.
//!
//! This is the only module that uses `inventory`. A [`Snapshot`] is immutable. Each change replaces
//! the snapshot with a changed copy.

mod definition;
mod definition_map;
mod descriptor;
mod dynamic_definition;
mod kind;
mod list_cache;
mod policy;
mod prompt;
mod resource;
mod snapshot;
mod static_definitions;
mod tool;

use std::sync::{Arc, PoisonError, RwLock};

pub(crate) use definition::{Definition, DefinitionMeta, HandlerResult, Reply};
pub(crate) use definition_map::DefinitionMap;
pub use descriptor::{CommonDescriptor, PromptDescriptor, ResourceDescriptor, ToolDescriptor};
pub use dynamic_definition::DynamicDefinition;
pub(crate) use kind::DefinitionKind;
pub use policy::{Policy, TaskSupport};
pub(crate) use prompt::RegisteredPrompt;
pub(crate) use resource::RegisteredResource;
pub(crate) use snapshot::{ResourceMatch, Snapshot};
pub(crate) use static_definitions::static_tools;
pub(crate) use tool::RegisteredTool;

use crate::context::State;
use crate::error::Error;

/// The current [`Snapshot`] of a server.
#[derive(Debug, Default)]
pub(crate) struct Registry(RwLock<Arc<Snapshot>>);

impl Registry {
    pub(crate) fn snapshot(&self) -> Arc<Snapshot> {
        // A poisoned lock still holds a valid snapshot, because a snapshot is never changed in
        // place.
        let current = self.0.read().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(&current)
    }

    /// Replaces the snapshot with a changed copy.
    ///
    /// # Errors
    /// Returns the error of `change` if it fails. In this case the snapshot is not replaced.
    pub(crate) fn edit<T>(
        &self,
        change: impl FnOnce(&mut Snapshot) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let mut current = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let mut next = current.to_edit();
        let changed = change(&mut next);
        let mut unused = Arc::new(next);
        if changed.is_ok() {
            std::mem::swap(&mut *current, &mut unused);
        }
        // Unlock before dropping the unused snapshot. Dropping a handler runs user code, which may
        // call `edit` again.
        drop(current);
        drop(unused);
        changed
    }

    /// Adds the static definitions of the selected groups.
    ///
    /// # Errors
    /// Returns all errors of all definitions, or an error if the server has no definitions.
    pub(crate) fn add_static(&self, state: &State, groups: Option<&[String]>) -> Result<(), Error> {
        self.edit(|snapshot| {
            let mut errors = static_definitions::add_to(snapshot, state, groups);
            if snapshot.is_empty() {
                errors.push(Error::NothingToServe);
            }
            Error::from_list(errors)
        })
    }
}

#[cfg(test)]
mod tests;
