use serde_json::Value;

use crate::argument::Parameter;
use crate::context::{Requirement, State};
use crate::error::{Error, Location};
use crate::handler::{Lender, Prepare};
use crate::output::{Outcome, PromptOutcome, ResourceOutcome};
use crate::protocol::{Annotations, CacheHints, JsonObject, Resource, ToolAnnotations};

use super::Kind;

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
    /// What few definitions say.
    pub extras: Extras,
}

/// What few definitions say.
#[derive(Clone, Copy, Debug)]
pub struct Extras {
    /// The groups that it belongs to; without any it is always served.
    pub groups: &'static [&'static str],
    /// The URIs of its icons.
    pub icons: &'static [&'static str],
    /// Its `_meta`.
    pub meta: Option<fn() -> Value>,
}

impl Extras {
    /// Nothing.
    pub const NONE: Self = Self {
        groups: &[],
        icons: &[],
        meta: None,
    };

    pub(super) fn meta(&self) -> Option<JsonObject> {
        match self.meta?() {
            Value::Object(members) => Some(members),
            _ => None,
        }
    }
}

/// A tool as its macro describes it.
#[derive(Debug)]
pub struct ToolDescriptor {
    /// What it has in common with other definitions.
    pub definition: Definition,
    /// Hints for clients.
    pub annotations: ToolAnnotations,
    /// The `ui://` resource that shows its results.
    pub ui: Option<&'static str>,
    /// The schema of the structured result.
    pub output_schema: fn() -> Option<Value>,
    /// From arguments to a body that is ready to run.
    pub prepare: Prepare<Outcome>,
}

/// A prompt as its macro describes it.
#[derive(Debug)]
pub struct PromptDescriptor {
    /// What it has in common with other definitions.
    pub definition: Definition,
    /// From arguments to a body that is ready to run.
    pub prepare: Prepare<PromptOutcome>,
}

/// A resource, or a family of them, as its macro describes it.
#[derive(Debug)]
pub struct ResourceDescriptor {
    /// What it has in common with other definitions.
    pub definition: Definition,
    /// The URI, or a template of RFC 6570.
    pub uri: &'static str,
    /// The type of its contents.
    pub mime_type: Option<&'static str>,
    /// In bytes.
    pub size: Option<u64>,
    /// Hints for clients.
    pub annotations: Option<fn() -> Annotations>,
    /// Whether clients can be told when its contents change.
    pub subscribe: bool,
    /// How long its contents may be kept; the server's own hint unless said.
    pub cache: Option<CacheHints>,
    /// The resources of the family that exist.
    pub list: Option<fn(&Lender<'_>) -> Vec<Resource>>,
    /// From variables to a body that is ready to run.
    pub prepare: Prepare<ResourceOutcome>,
}

impl Definition {
    /// An error for each state value that is needed and missing.
    pub(super) fn unmet<'a>(
        &'a self,
        kind: Kind,
        state: &'a State,
    ) -> impl Iterator<Item = Error> + 'a {
        let missing = self
            .requirements
            .iter()
            .filter(|need| !state.satisfies(need));
        missing.map(move |need| Error::MissingState {
            kind: kind.word(),
            name: self.name.to_owned(),
            type_name: (need.type_name)(),
            location: self.location,
        })
    }
}
