use serde_json::Value;

use super::kind::DefinitionKind;
use super::policy::Policy;
use crate::argument::Parameter;
use crate::context::{RequestParts, Requirement, State};
use crate::error::{Error, Location};
use crate::handler::{PrepareFn, StateProvider};
use crate::output::{PromptOutcome, ResourceOutcome, ToolOutcome};
use crate::protocol::{Annotations, CacheHints, Icon, JsonObject, Resource, ToolAnnotations};

/// The data of all kinds of definitions that a macro generates. It consists only of constants and
/// function pointers.
#[derive(Debug)]
pub struct CommonDescriptor {
    /// The name that clients see.
    pub name: &'static str,
    /// The human-readable name.
    pub title: Option<&'static str>,
    /// The description, which is the doc comment of the function.
    pub description: &'static str,
    /// The parameters that are arguments, in the order of the function signature.
    pub parameters: &'static [Parameter],
    /// The types that the handler borrows from the server.
    pub requirements: &'static [Requirement],
    /// One function for each type that the handler elicits. It returns the reason why the type is
    /// not a valid form, or `None`.
    pub forms: &'static [fn() -> Option<String>],
    /// The source location of the handler function.
    pub location: Location,
    /// Returns the icons for user interfaces.
    pub icons: fn() -> Vec<Icon>,
    /// Returns the `_meta` of the definition.
    pub meta: Option<fn() -> JsonObject>,
    /// The group of the definition. A server can select the groups that it serves.
    pub group: Option<&'static str>,
    /// The deprecation message, if the definition is deprecated. It names the replacement.
    pub deprecated: Option<&'static str>,
    /// The former names of the definition. Clients can still use them, but they are not listed.
    pub renamed_from: &'static [&'static str],
}

/// The description of a tool that its macro generates.
#[derive(Debug)]
pub struct ToolDescriptor {
    /// The data that all kinds of definitions have.
    pub definition: CommonDescriptor,
    /// The hints for clients about the effects of the tool.
    pub annotations: ToolAnnotations,
    /// The policy for calls of the tool.
    pub policy: Policy,
    /// Returns the custom schema of the arguments, if the tool has one.
    pub input_schema: Option<fn() -> Result<Value, String>>,
    /// The URI of the `ui://` resource that displays the results of the tool.
    pub ui: Option<&'static str>,
    /// Returns the schema of the structured content of results.
    pub output_schema: fn() -> Option<Value>,
    /// Prepares a call of the handler function.
    pub prepare: PrepareFn<ToolOutcome>,
}

/// The description of a prompt that its macro generates.
#[derive(Debug)]
pub struct PromptDescriptor {
    /// The data that all kinds of definitions have.
    pub definition: CommonDescriptor,
    /// The policy for using the definition.
    pub policy: Policy,
    /// Prepares a call of the handler function.
    pub prepare: PrepareFn<PromptOutcome>,
}

/// The description of a resource or a resource template that its macro generates.
#[derive(Debug)]
pub struct ResourceDescriptor {
    /// The data that all kinds of definitions have.
    pub definition: CommonDescriptor,
    /// The policy for using the definition.
    pub policy: Policy,
    /// The URI of the resource, or the URI template (RFC 6570).
    pub uri: &'static str,
    /// The MIME type of the contents.
    pub mime_type: Option<&'static str>,
    /// The size of the contents in bytes.
    pub size: Option<u64>,
    /// Returns the annotations for clients.
    pub annotations: Option<fn() -> Annotations>,
    /// Whether clients can subscribe to changes of the contents.
    pub subscribe: bool,
    /// The cache hints of the contents. `None` means the cache hints of the server.
    pub cache: Option<CacheHints>,
    /// Lists the existing resources of a resource template.
    pub list: Option<fn(&StateProvider<'_>) -> Vec<Resource>>,
    /// Whether the values of URI variables may be absolute paths or contain `..` segments or NUL.
    pub allow_path_traversal: bool,
    /// Prepares a call of the handler function.
    pub prepare: PrepareFn<ResourceOutcome>,
}

impl CommonDescriptor {
    /// The descriptor with the default values of all fields.
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

    /// Returns the description, including the deprecation message if the definition is deprecated.
    pub(super) fn full_description(&self) -> String {
        match self.deprecated {
            Some(instead) => format!("{}\n\nDeprecated: {instead}", self.description),
            None => self.description.to_owned(),
        }
    }

    /// Returns the errors about missing state values and about invalid elicitation forms
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
