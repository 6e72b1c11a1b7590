use crate::argument::{Parameter, Refusal};
use crate::call::{Call, Prepared};
use crate::context::{Requirement, State};
use crate::error::{Error, Location};
use crate::protocol::ToolAnnotations;

/// Reads the arguments of a call and readies the body, without running it.
pub type Prepare = fn(&mut Call<'_>) -> Result<Prepared, Refusal>;

/// A tool as its macro describes it: constants and function pointers only.
#[derive(Debug)]
pub struct ToolDescriptor {
    /// The name on the wire.
    pub name: &'static str,
    /// A name for people.
    pub title: Option<&'static str>,
    /// The doc comment.
    pub description: &'static str,
    /// Hints for clients.
    pub annotations: ToolAnnotations,
    /// The owned parameters, in the order of the signature.
    pub parameters: &'static [Parameter],
    /// What is borrowed from the server.
    pub requirements: &'static [Requirement],
    /// The schema of the structured result.
    pub output_schema: fn() -> Option<serde_json::Value>,
    /// From arguments to a body that is ready to run.
    pub prepare: Prepare,
    /// Where the function stands.
    pub location: Location,
}

impl ToolDescriptor {
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
