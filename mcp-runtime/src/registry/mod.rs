//! What a server serves: what is linked into the binary, found at start-up,
//! sorted and checked, and what is added while it runs.
//!
//! The only module that knows how definitions register themselves.
//! A [`Snapshot`] never changes; a change is a new one in its place.

mod common;
mod descriptor;
mod linked;
mod lists;
mod policy;
mod prompt;
mod resource;
mod shelf;
mod snapshot;
mod tool;

use std::sync::{Arc, PoisonError, RwLock};

pub(crate) use common::{Common, Defined, Handler, Kind};
pub use descriptor::{Definition, PromptDescriptor, ResourceDescriptor, ToolDescriptor};
pub(crate) use linked::linked_tools;
pub use policy::{Policy, TaskSupport};
pub(crate) use prompt::RegisteredPrompt;
pub(crate) use resource::RegisteredResource;
pub(crate) use shelf::Shelf;
pub(crate) use snapshot::{Found, Snapshot};
pub(crate) use tool::RegisteredTool;

use crate::context::State;
use crate::error::Error;

/// The one place where the definitions of a server are replaced.
#[derive(Debug, Default)]
pub(crate) struct Registry(RwLock<Arc<Snapshot>>);

impl Registry {
    /// What is served now.
    pub(crate) fn snapshot(&self) -> Arc<Snapshot> {
        // A poisoned lock still holds a whole snapshot: it is only ever replaced.
        let current = self.0.read().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(&current)
    }

    /// Changes what is served; with an error nothing changes.
    pub(crate) fn edit<T>(
        &self,
        change: impl FnOnce(&mut Snapshot) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let mut current = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let mut next = current.next();
        let changed = change(&mut next);
        let mut unserved = Arc::new(next);
        if changed.is_ok() {
            std::mem::swap(&mut *current, &mut unserved);
        }
        // The end of a handler is the user's code, and may itself change what is served.
        drop(current);
        drop(unserved);
        changed
    }

    /// Adds what is linked, of the groups that are to be served; every problem
    /// is reported, not only the first.
    pub(crate) fn link(&self, state: &State, groups: Option<&[String]>) -> Result<(), Error> {
        self.edit(|snapshot| {
            let mut errors = linked::add_to(snapshot, state, groups);
            if snapshot.tools.is_empty() && snapshot.prompts.is_empty() && !snapshot.has_resources()
            {
                errors.push(Error::NothingToServe);
            }
            Error::all(errors)
        })
    }
}

#[cfg(test)]
mod tests;
