use serde_json::Value;

use crate::argument::Parameter;
use crate::context::{Requirement, State};
use crate::error::{Error, Location};
use crate::handler::{Lender, Prepare};
use crate::output::{Outcome, PromptOutcome, ResourceOutcome};
use crate::protocol::{Annotations, CacheHints, Icon, JsonObject, Resource, ToolAnnotations};

use super::{Kind, Policy};

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
    /// What is wrong with each form that the body asks for, if anything.
    pub forms: &'static [fn() -> Option<String>],
    /// Where the function stands.
    pub location: Location,
    /// Pictures for people.
    pub icons: fn() -> Vec<Icon>,
    /// For programs, as `_meta`.
    pub meta: Option<fn() -> JsonObject>,
    /// What it belongs to together with others.
    pub group: Option<&'static str>,
    /// What to use instead.
    pub deprecated: Option<&'static str>,
    /// Names that it had before: they are answered and not listed.
    pub renamed_from: &'static [&'static str],
}

/// A tool as its macro describes it.
#[derive(Debug)]
pub struct ToolDescriptor {
    /// What it has in common with other definitions.
    pub definition: Definition,
    /// Hints for clients.
    pub annotations: ToolAnnotations,
    /// What is laid down about its calls.
    pub policy: Policy,
    /// A schema of the arguments that was written by hand.
    pub input_schema: Option<fn() -> Result<Value, String>>,
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
    /// What is laid down about its use.
    pub policy: Policy,
    /// From arguments to a body that is ready to run.
    pub prepare: Prepare<PromptOutcome>,
}

/// A resource, or a family of them, as its macro describes it.
#[derive(Debug)]
pub struct ResourceDescriptor {
    /// What it has in common with other definitions.
    pub definition: Definition,
    /// What is laid down about its use.
    pub policy: Policy,
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
    /// What a definition has that says nothing about itself.
    pub const PLAIN: Self = Self {
        name: "",
        title: None,
        description: "",
        parameters: &[],
        requirements: &[],
        forms: &[],
        location: Location { file: "", line: 0 },
        icons: Vec::new,
        meta: None,
        group: None,
        deprecated: None,
        renamed_from: &[],
    };

    /// The description, with what to use instead.
    pub(super) fn told(&self) -> String {
        match self.deprecated {
            Some(instead) => format!("{}\n\nDeprecated: {instead}", self.description),
            None => self.description.to_owned(),
        }
    }

    /// An error for each thing that the body needs and cannot have.
    pub(super) fn unmet<'a>(
        &'a self,
        kind: Kind,
        state: &'a State,
    ) -> impl Iterator<Item = Error> + 'a {
        self.missing(kind, state).chain(self.misfits(kind))
    }

    /// An error for each form that cannot be asked (specification, *Elicitation*,
    /// *Requested schema*).
    fn misfits(&self, kind: Kind) -> impl Iterator<Item = Error> + '_ {
        let problems = self.forms.iter().filter_map(|form| form());
        problems.map(move |problem| Error::Contradiction {
            kind: kind.word(),
            name: self.name.to_owned(),
            location: Some(self.location),
            problem: format!("it asks for a form, and {problem}"),
        })
    }

    /// An error for each state value that is needed and missing.
    fn missing<'a>(&'a self, kind: Kind, state: &'a State) -> impl Iterator<Item = Error> + 'a {
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
