use std::borrow::Cow;
use std::fmt;

use super::descriptor::DefinitionDescriptor;
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

/// The result of a request, or the error to answer it with.
pub(crate) type Reply = Result<Payload, ErrorObject>;

/// What the handler of a definition returns.
pub(crate) type HandlerResult<T> = Result<<T as Definition>::Value, ToolError>;

/// A definition that requests can run: a tool, a prompt, a resource or a resource template.
///
/// It is made from a descriptor that is linked into the binary (static), or from a
/// description of the protocol and a closure (dynamic).
pub(crate) trait Definition: fmt::Debug + Send + Sync + Sized + 'static {
    /// The method that runs it.
    const METHOD: &'static str;
    /// Its name in messages.
    const WORD: &'static str;
    /// What its handler returns.
    type Value: Send + 'static;
    /// What its reply needs of the request.
    type Request;
    /// What is needed to turn the value into a reply.
    type ReplyContext: Send + 'static;

    fn meta(&self) -> &DefinitionMeta;

    fn handler(&self) -> &Handler<HandlerResult<Self>>;

    fn name(&self) -> &str {
        &self.meta().name
    }

    /// Another key under which it is found.
    fn other_key(&self) -> Option<String> {
        None
    }

    fn reply_context(
        &self,
        request: Self::Request,
        hints: CacheHints,
        revision: Revision,
    ) -> Self::ReplyContext;

    /// The size of the content of a value, in bytes.
    fn content_bytes(value: &Self::Value) -> usize;

    /// The reply with a value.
    fn reply(value: Self::Value, context: Self::ReplyContext) -> Reply;

    /// Whether the value itself is an error.
    fn is_failure(_value: &Self::Value) -> bool {
        false
    }

    /// Whether the value means that the requested resource does not exist.
    fn is_not_found(_value: &Self::Value) -> bool {
        false
    }

    /// Adds members to the `_meta` of a value, except those that it has already.
    fn add_meta(value: &mut Self::Value, meta: JsonObject);

    /// The reply to invalid arguments.
    fn invalid_arguments(text: &str) -> Reply {
        Err(ErrorObject::invalid_params(text.to_owned()))
    }

    /// The reply if the handler failed.
    fn failure(text: &str) -> Reply {
        Err(ErrorObject::new(ErrorCode::INTERNAL_ERROR, text.to_owned()))
    }
}

/// Adds `members` to `meta`, except those that it has already.
pub(super) fn merge_meta(meta: &mut Option<JsonObject>, mut members: JsonObject) {
    members.extend(meta.take().unwrap_or_default());
    *meta = Some(members);
}

/// What all kinds of definitions have.
#[derive(Debug)]
pub(crate) struct DefinitionMeta {
    pub(crate) kind: DefinitionKind,
    /// The key in its [`DefinitionMap`]: the name, or the URI of a resource.
    pub(crate) key: Cow<'static, str>,
    /// The name in the protocol.
    pub(crate) name: Cow<'static, str>,
    /// The location of the function, unless the definition is dynamic.
    pub(crate) location: Option<Location>,
    /// Former names, under which it is found but not listed.
    pub(crate) former_names: &'static [&'static str],
    /// Whether its handler can send log messages, since it has the [`Context`].
    pub(crate) can_log: bool,
    /// Whether its handler borrows the [`Principal`], so that anonymous callers are denied.
    pub(crate) requires_principal: bool,
    pub(crate) policy: Policy,
    /// Cache hints of its result; those of the server if it has none.
    pub(crate) cache: Option<CacheHints>,
    /// The arguments whose values must not be shown anywhere.
    pub(crate) secrets: Vec<&'static str>,
    pub(crate) arguments: ArgumentSet,
}

impl DefinitionMeta {
    pub(super) fn from_descriptor(
        kind: DefinitionKind,
        descriptor: &'static DefinitionDescriptor,
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

    /// Whether some callers must not use it.
    pub(crate) fn is_restricted(&self) -> bool {
        self.requires_principal || !self.policy.scopes.is_empty()
    }

    /// The names of the arguments that must not be shown: those of secrets and, if there
    /// are any, those that no parameter has, since they may be misspelt secrets.
    pub(crate) fn secret_names<'a>(&'a self, arguments: Option<&'a str>) -> Vec<Cow<'a, str>> {
        if self.secrets.is_empty() {
            return Vec::new();
        }
        let names = Members::of(arguments.unwrap_or("{}")).map(|(name, _)| name);
        names
            .filter(|name| self.secrets.contains(&&**name) || !self.arguments.has_parameter(name))
            .collect()
    }

    /// The errors that would make every call fail.
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

/// Prepares calls: a function that a macro generated, or a closure.
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
