use serde_json::Value;

use super::kind::DefinitionKind;
use super::policy::Policy;
use crate::argument::Parameter;
use crate::context::{RequestParts, Requirement, State};
use crate::error::{Error, Location};
use crate::handler::{PrepareFn, StateProvider};
use crate::output::{PromptOutcome, ResourceOutcome, ToolOutcome};
use crate::protocol::{Annotations, CacheHints, Icon, JsonObject, Resource, ToolAnnotations};

/// What all definitions have, as a macro generates it: constants and function pointers only.
#[derive(Debug)]
pub struct DefinitionDescriptor {
    /// The name in the protocol.
    pub name: &'static str,
    /// A human-readable name.
    pub title: Option<&'static str>,
    /// The doc comment.
    pub description: &'static str,
    /// The owned parameters, in the order of the signature.
    pub parameters: &'static [Parameter],
    /// What the handler borrows from the server.
    pub requirements: &'static [Requirement],
    /// For each elicitation form of the handler a function that returns its error, if any.
    pub forms: &'static [fn() -> Option<String>],
    /// The location of the function.
    pub location: Location,
    /// Icons for user interfaces.
    pub icons: fn() -> Vec<Icon>,
    /// The `_meta` of the definition.
    pub meta: Option<fn() -> JsonObject>,
    /// The group that a server can select.
    pub group: Option<&'static str>,
    /// What to use instead, if it is deprecated.
    pub deprecated: Option<&'static str>,
    /// Former names, under which it is found but not listed.
    pub renamed_from: &'static [&'static str],
}

/// A tool as its macro describes it.
#[derive(Debug)]
pub struct ToolDescriptor {
    /// What all definitions have.
    pub definition: DefinitionDescriptor,
    /// Hints for clients.
    pub annotations: ToolAnnotations,
    /// The policy of its calls.
    pub policy: Policy,
    /// A custom schema of the arguments.
    pub input_schema: Option<fn() -> Result<Value, String>>,
    /// The `ui://` resource that shows its results.
    pub ui: Option<&'static str>,
    /// The schema of the structured result.
    pub output_schema: fn() -> Option<Value>,
    /// Prepares a call of the function.
    pub prepare: PrepareFn<ToolOutcome>,
}

/// A prompt as its macro describes it.
#[derive(Debug)]
pub struct PromptDescriptor {
    /// What all definitions have.
    pub definition: DefinitionDescriptor,
    /// The policy of its use.
    pub policy: Policy,
    /// Prepares a call of the function.
    pub prepare: PrepareFn<PromptOutcome>,
}

/// A resource or a resource template as its macro describes it.
#[derive(Debug)]
pub struct ResourceDescriptor {
    /// What all definitions have.
    pub definition: DefinitionDescriptor,
    /// The policy of its use.
    pub policy: Policy,
    /// The URI, or a template of RFC 6570.
    pub uri: &'static str,
    /// The MIME type of its contents.
    pub mime_type: Option<&'static str>,
    /// The size of its contents in bytes.
    pub size: Option<u64>,
    /// Annotations for clients.
    pub annotations: Option<fn() -> Annotations>,
    /// Whether clients can subscribe to changes of its contents.
    pub subscribe: bool,
    /// How long its contents may be cached; defaults to the hint of the server.
    pub cache: Option<CacheHints>,
    /// Lists the resources of a template that exist.
    pub list: Option<fn(&StateProvider<'_>) -> Vec<Resource>>,
    /// Prepares a call of the function.
    pub prepare: PrepareFn<ResourceOutcome>,
}

impl DefinitionDescriptor {
    /// The default of all members.
    pub const EMPTY: Self = Self {
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

    /// The description, with what to use instead if it is deprecated.
    pub(super) fn full_description(&self) -> String {
        match self.deprecated {
            Some(instead) => format!("{}\n\nDeprecated: {instead}", self.description),
            None => self.description.to_owned(),
        }
    }

    /// The errors of state values that are missing, and of forms that no client can show
    /// (specification, *Elicitation*, *Requested schema*).
    pub(super) fn errors<'a>(
        &'a self,
        kind: DefinitionKind,
        state: &'a State,
    ) -> impl Iterator<Item = Error> + 'a {
        let requirements = self.requirements.iter();
        let missing =
            requirements.filter(|it| !RequestParts::can_provide(it) && !state.satisfies(it));
        let missing = missing.map(move |requirement| Error::MissingState {
            kind: kind.as_str(),
            name: self.name.to_owned(),
            type_name: (requirement.type_name)(),
            location: self.location,
        });
        let forms = self.forms.iter().filter_map(|form| form());
        missing.chain(forms.map(move |problem| Error::InvalidDefinition {
            kind: kind.as_str(),
            name: self.name.to_owned(),
            location: Some(self.location),
            problem: format!("it asks for a form, and {problem}"),
        }))
    }
}
