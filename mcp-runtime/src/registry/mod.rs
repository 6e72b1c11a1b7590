//! What is linked into the binary, found at start-up, sorted and checked.
//!
//! The only module that knows how definitions register themselves.

mod descriptor;
mod tool;

use std::collections::BTreeMap;

pub use descriptor::{Definition, ToolDescriptor};
pub(crate) use tool::RegisteredTool;

use crate::context::State;
use crate::error::Error;

inventory::collect!(ToolDescriptor);

/// Every tool that is linked, sorted by name and place.
///
/// Link order is arbitrary, so nothing may depend on it.
pub(crate) fn linked() -> Vec<RegisteredTool> {
    let mut descriptors: Vec<_> = inventory::iter::<ToolDescriptor>.into_iter().collect();
    descriptors.sort_by_key(|tool| {
        let Definition { name, location, .. } = tool.definition;
        (name, location.file, location.line)
    });
    descriptors.into_iter().map(RegisteredTool::new).collect()
}

/// Every tool that the server can call, by name.
#[derive(Debug)]
pub(crate) struct Registry {
    tools: BTreeMap<&'static str, RegisteredTool>,
}

impl Registry {
    /// Collects what is linked; every problem is reported, not only the first.
    pub(crate) fn linked(state: &State) -> Result<Self, Error> {
        let mut errors = Vec::new();
        let mut tools: BTreeMap<&'static str, RegisteredTool> = BTreeMap::new();
        for tool in linked() {
            let definition = tool.definition();
            errors.extend(definition.unmet(state));
            if let Some(first) = tools.get(definition.name) {
                errors.push(Error::DuplicateTool {
                    name: definition.name.to_owned(),
                    first: first.definition().location,
                    second: definition.location,
                });
            } else {
                tools.insert(definition.name, tool);
            }
        }
        if tools.is_empty() {
            errors.push(Error::NoTools);
        }
        Error::all(errors)?;
        Ok(Self { tools })
    }

    pub(crate) fn tool(&self, name: &str) -> Option<&RegisteredTool> {
        self.tools.get(name)
    }

    /// All tools, sorted by name.
    pub(crate) fn tools(&self) -> impl Iterator<Item = &RegisteredTool> {
        self.tools.values()
    }

    pub(crate) fn len(&self) -> usize {
        self.tools.len()
    }
}

#[cfg(test)]
mod tests;
