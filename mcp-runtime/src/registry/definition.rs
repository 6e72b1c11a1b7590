use std::borrow::Cow;
use std::fmt;

use super::descriptor::CommonDescriptor;
use super::kind::DefinitionKind;
use super::policy::Policy;
use crate::argument::{ArgumentSet, Parameter, Rejection};
use crate::auth::Principal;
use crate::codec::Payload;
use crate::context::{Context, requirement};
use crate::error::{Error, Location, ToolError};
use crate::handler::{Inputs, PrepareFn, PreparedCall};
use crate::jsonrpc::{ErrorCode, ErrorObject, Members};
use crate::protocol::{CacheHints, JsonObject, Revision};

/// The reply to a request: its result, or an error.
pub(crate) type Reply = Result<Payload, ErrorObject>;

/// The return value of the handler of a definition.
pub(crate) type HandlerResult<T> = Result<<T as Definition>::Value, ToolError>;

/// A definition that clients can use: a tool, a prompt, a resource or a resource template.
///
/// A static definition is created from a descriptor that is linked into the binary. A dynamic
/// definition is created from its protocol description and a closure.
pub(crate) trait Definition: fmt::Debug + Send + Sync + Sized + 'static {
    /// The request method that runs the handler.
    const METHOD: &'static str;
    /// The name of the kind of definition in messages.
    const WORD: &'static str;
    /// The value that the handler returns if it succeeds.
    type Value: Send + 'static;
    /// The part of the request that the reply needs.
    type Request;
    /// The data that is needed to create a reply from the value.
    type ReplyContext: Send + 'static;

    fn meta(&self) -> &DefinitionMeta;

    fn handler(&self) -> &Handler<HandlerResult<Self>>;

    fn name(&self) -> &str {
        &self.meta().name
    }

    /// Returns another key under which clients can find the definition.
    fn other_key(&self) -> Option<String> {
        None
    }

    fn reply_context(
        &self,
        request: Self::Request,
        hints: CacheHints,
        revision: Revision,
    ) -> Self::ReplyContext;

    /// Returns the size of a value's content, in bytes.
    fn content_bytes(value: &Self::Value) -> usize;

    /// Creates the reply from the value that the handler has returned.
    fn reply(value: Self::Value, context: Self::ReplyContext) -> Reply;

    /// Whether the value reports an error.
    fn is_failure(_value: &Self::Value) -> bool {
        false
    }

    /// Whether the value means that the requested resource does not exist.
    fn is_not_found(_value: &Self::Value) -> bool {
        false
    }

    /// Adds members to the `_meta` of a value. Existing members are kept.
    fn add_meta(value: &mut Self::Value, meta: JsonObject);

    /// Creates the reply to a request with invalid arguments.
    fn invalid_arguments(text: &str) -> Reply {
        Err(ErrorObject::invalid_params(text.to_owned()))
    }

    /// Creates the reply to a request whose handler has failed.
    fn failure(text: &str) -> Reply {
        Err(ErrorObject::new(ErrorCode::INTERNAL_ERROR, text.to_owned()))
    }
}

/// Adds `members` to `meta`. Existing members are kept.
pub(super) fn merge_meta(meta: &mut Option<JsonObject>, mut members: JsonObject) {
    members.extend(meta.take().unwrap_or_default());
    *meta = Some(members);
}

/// The data that all kinds of definitions have.
#[derive(Debug)]
pub(crate) struct DefinitionMeta {
    pub(crate) kind: DefinitionKind,
    /// The key in the [`DefinitionMap`]: the name of a tool or prompt, or the URI of a resource.
    pub(crate) key: Cow<'static, str>,
    /// The name that clients see.
    pub(crate) name: Cow<'static, str>,
    /// The source location of the handler function, or `None` if the definition is dynamic.
    pub(crate) location: Option<Location>,
    /// The former names of the definition. Clients can still use them, but they are not listed.
    pub(crate) former_names: &'static [&'static str],
    /// Whether the handler can send log messages, which requires the [`Context`].
    pub(crate) can_log: bool,
    /// Whether the handler borrows the [`Principal`]. If so, unauthenticated callers are denied.
    pub(crate) requires_principal: bool,
    pub(crate) policy: Policy,
    /// The cache hints of results. `None` means the cache hints of the server.
    pub(crate) cache: Option<CacheHints>,
    /// The names of the arguments whose values are secret.
    pub(crate) secrets: Vec<&'static str>,
    pub(crate) arguments: ArgumentSet,
}

impl DefinitionMeta {
    pub(super) fn from_descriptor(
        kind: DefinitionKind,
        descriptor: &'static CommonDescriptor,
        key: &'static str,
        policy: Policy,
    ) -> Self {
        let requires = |wanted| {
            let mut requirements = descriptor.requirements.iter();
            requirements.any(|requirement| requirement.is_same(&wanted))
        };
        let parameters = descriptor.parameters.iter();
        let secrets = parameters.filter(|parameter| parameter.is_secret());
        Self {
            kind,
            key: key.into(),
            name: descriptor.name.into(),
            location: Some(descriptor.location),
            former_names: descriptor.renamed_from,
            can_log: requires(requirement::<Context>()),
            requires_principal: requires(requirement::<Principal>()),
            policy,
            cache: None,
            secrets: secrets.map(Parameter::name).collect(),
            arguments: ArgumentSet::new(descriptor.name, descriptor.parameters),
        }
    }

    pub(super) fn dynamic(
        kind: DefinitionKind,
        key: &str,
        name: &str,
        schema: serde_json::Value,
    ) -> Self {
        Self {
            kind,
            key: key.to_owned().into(),
            name: name.to_owned().into(),
            location: None,
            former_names: &[],
            can_log: true,
            requires_principal: false,
            policy: Policy::DEFAULT,
            cache: None,
            secrets: Vec::new(),
            arguments: ArgumentSet::dynamic(name.to_owned(), schema),
        }
    }

    /// Whether some callers must not use the definition.
    pub(crate) fn is_restricted(&self) -> bool {
        self.requires_principal || !self.policy.scopes.is_empty()
    }

    /// Returns the names of the arguments whose values must be redacted. If the definition has
    /// secret arguments, these include all unknown arguments, whose names may be misspelt.
    pub(crate) fn secret_names<'a>(&'a self, arguments: Option<&'a str>) -> Vec<Cow<'a, str>> {
        if self.secrets.is_empty() {
            return Vec::new();
        }
        let names = Members::of(arguments.unwrap_or("{}")).map(|(name, _)| name);
        names
            .filter(|name| self.secrets.contains(&&**name) || !self.arguments.has_parameter(name))
            .collect()
    }

    /// Returns the errors in the definition that would make every call fail.
    pub(super) fn errors(&self) -> impl Iterator<Item = Error> {
        let problems = self.arguments.definition_errors().into_iter();
        problems.map(|problem| self.error(problem))
    }

    pub(super) fn error(&self, problem: String) -> Error {
        Error::InvalidDefinition {
            kind: self.kind.as_str(),
            name: self.name.clone().into_owned(),
            location: self.location,
            problem,
        }
    }
}

type DynamicHandler<T> =
    dyn Fn(&mut Inputs<'_>) -> Result<PreparedCall<T>, Rejection> + Send + Sync;

/// The handler of a definition: a function that a macro has generated, or a closure.
pub(crate) enum Handler<T> {
    Static(PrepareFn<T>),
    Dynamic(Box<DynamicHandler<T>>),
}

impl<T> Handler<T> {
    pub(crate) fn prepare(&self, inputs: &mut Inputs<'_>) -> Result<PreparedCall<T>, Rejection> {
        match self {
            Self::Static(prepare) => prepare(inputs),
            Self::Dynamic(prepare) => prepare(inputs),
        }
    }
}

impl<T> fmt::Debug for Handler<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Static(_) => "Static",
            Self::Dynamic(_) => "Dynamic",
        })
    }
}
