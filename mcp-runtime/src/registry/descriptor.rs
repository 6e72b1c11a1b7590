use crate::argument::Parameter;
use crate::context::{Requirement, State};
use crate::error::{Error, Location};
use crate::handler::Prepare;
use crate::output::Outcome;
use crate::protocol::ToolAnnotations;

/// What all definitions have in common, as a macro writes it: constants and
/// function pointers only.
#[derive(Debug)]
pub struct Definition {
    /// The name on the wire.
    pub name: &'static str,
    /// A name for people.
    pub title: Option<&'static str>,
    /// The doc comment.
    pub description: &'static str,
    /// The owned parameters, in the order of the signature.
    pub parameters: &'static [Parameter],
    /// What is borrowed from the server.
    pub requirements: &'static [Requirement],
    /// Where the function stands.
    pub location: Location,
}

/// A tool as its macro describes it.
#[derive(Debug)]
pub struct ToolDescriptor {
    /// What it has in common with other definitions.
    pub definition: Definition,
    /// Hints for clients.
    pub annotations: ToolAnnotations,
    /// The schema of the structured result.
    pub output_schema: fn() -> Option<serde_json::Value>,
    /// From arguments to a body that is ready to run.
    pub prepare: Prepare<Outcome>,
}

impl Definition {
    /// An error for each state value that is needed and missing.
    pub(super) fn unmet<'a>(&'a self, state: &'a State) -> impl Iterator<Item = Error> + 'a {
        let missing = self
            .requirements
            .iter()
            .filter(|need| !state.satisfies(need));
        missing.map(|need| Error::MissingState {
            tool: self.name.to_owned(),
            type_name: (need.type_name)(),
            location: self.location,
        })
    }
}
