//! What is linked into the binary, found at start-up, sorted and checked.
//!
//! The only module that knows how definitions register themselves.

mod descriptor;
mod policy;
mod tool;

use std::collections::BTreeMap;

pub use descriptor::{Definition, ToolDescriptor};
pub use policy::Policy;
pub(crate) use tool::RegisteredTool;

use crate::context::State;
use crate::error::{Error, Location};

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
    /// From a name that a tool had before to the one that it has.
    former: BTreeMap<&'static str, &'static str>,
}

impl Registry {
    /// Collects what is linked; every problem is reported, not only the first.
    pub(crate) fn linked(state: &State) -> Result<Self, Error> {
        let mut errors = Vec::new();
        let mut places: BTreeMap<&'static str, Location> = BTreeMap::new();
        let mut former = BTreeMap::new();
        let mut tools = BTreeMap::new();
        for tool in linked() {
            let definition = tool.definition();
            errors.extend(definition.unmet(state));
            errors.extend(tool.contradictions());
            let names = definition.renamed_from.iter().copied();
            for name in names.clone().chain([definition.name]) {
                if let Some(first) = places.insert(name, definition.location) {
                    errors.push(Error::DuplicateTool {
                        name: name.to_owned(),
                        first,
                        second: definition.location,
                    });
                }
            }
            former.extend(names.map(|name| (name, definition.name)));
            tools.insert(definition.name, tool);
        }
        if tools.is_empty() {
            errors.push(Error::NoTools);
        }
        Error::all(errors)?;
        Ok(Self { tools, former })
    }

    /// The tool that has the name, or had it before.
    pub(crate) fn tool(&self, name: &str) -> Option<&RegisteredTool> {
        let renamed = || self.tools.get(self.former.get(name)?);
        self.tools.get(name).or_else(renamed)
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
