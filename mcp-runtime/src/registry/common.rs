use std::borrow::Cow;
use std::fmt;

use super::{Definition, Policy};
use crate::argument::{Declared, Parameter, Refusal};
use crate::auth::Principal;
use crate::context::{Context, requirement};
use crate::error::{Error, Location};
use crate::handler::{Body, Inputs, Prepare};
use crate::jsonrpc::Members;

/// What can be defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Kind {
    Tool,
    Prompt,
    Resource,
    ResourceTemplate,
}

impl Kind {
    /// As errors name it.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Tool => "tool",
            Self::Prompt => "prompt",
            Self::Resource => "resource",
            Self::ResourceTemplate => "resource template",
        }
    }
}

/// A definition in service, whatever its kind.
pub(crate) trait Defined: fmt::Debug + Send + Sync + 'static {
    /// What it is.
    fn kind(&self) -> Kind;

    /// What it has in common with the other kinds.
    fn common(&self) -> &Common;

    /// The same, for more to be said of it before it serves.
    fn common_mut(&mut self) -> &mut Common;
}

/// What all definitions in service have in common.
#[derive(Debug)]
pub(crate) struct Common {
    /// What it is found by: the name, or the URI of a resource.
    pub(crate) key: Cow<'static, str>,
    /// The name on the wire.
    pub(crate) name: Cow<'static, str>,
    /// Where its function stands, if one is linked.
    pub(crate) location: Option<Location>,
    /// Names that it had before: they are answered and not listed.
    pub(crate) former: &'static [&'static str],
    /// Whether its body can send log messages: it has the request.
    pub(crate) logs: bool,
    /// Whether its body borrows the caller, and so needs one who is known.
    pub(crate) personal: bool,
    /// What is laid down about its calls.
    pub(crate) policy: Policy,
    /// The arguments whose values nothing may show.
    pub(crate) secrets: Vec<&'static str>,
    pub(crate) arguments: Declared,
}

impl Common {
    /// Whether not everybody may use it.
    pub(crate) fn is_closed(&self) -> bool {
        self.personal || !self.policy.scopes.is_empty()
    }

    /// The names among the arguments whose values nothing may show: also those that
    /// no parameter has, as long as one may be that of a secret, misspelt.
    pub(crate) fn kept<'a>(&'a self, arguments: Option<&'a str>) -> Vec<Cow<'a, str>> {
        if self.secrets.is_empty() {
            return Vec::new();
        }
        let names = Members::of(arguments.unwrap_or("{}")).map(|(name, _)| name);
        let kept =
            |name: &Cow<'_, str>| self.secrets.contains(&&**name) || !self.arguments.declares(name);
        names.filter(kept).collect()
    }

    pub(super) fn linked(definition: &'static Definition, key: &'static str) -> Self {
        let needs = |wanted| {
            let mut needs = definition.requirements.iter();
            needs.any(|need| need.is_same(&wanted))
        };
        let parameters = definition.parameters.iter();
        let secret = parameters.filter(|parameter| parameter.is_secret());
        Self {
            key: key.into(),
            name: definition.name.into(),
            location: Some(definition.location),
            former: definition.renamed_from,
            logs: needs(requirement::<Context>()),
            personal: needs(requirement::<Principal>()),
            policy: Policy::OPEN,
            secrets: secret.map(Parameter::name).collect(),
            arguments: Declared::new(definition.name, definition.parameters),
        }
    }

    /// An error for each way in which the definition contradicts itself.
    pub(super) fn contradictions(&self, kind: Kind) -> impl Iterator<Item = Error> {
        let (name, location) = (self.name.clone(), self.location);
        let problems = self.arguments.mistakes().into_iter();
        problems.map(move |problem| Error::Contradiction {
            kind: kind.word(),
            name: name.clone().into_owned(),
            location,
            problem,
        })
    }

    /// Of a definition that is made while the server runs.
    pub(super) fn made(key: String, name: String, schema: serde_json::Value) -> Self {
        Self {
            arguments: Declared::made(name.clone(), schema),
            key: key.into(),
            name: name.into(),
            location: None,
            former: &[],
            logs: true,
            personal: false,
            policy: Policy::OPEN,
            secrets: Vec::new(),
        }
    }
}

type Made<T> = dyn Fn(&mut Inputs<'_>) -> Result<Body<T>, Refusal> + Send + Sync;

/// From inputs to a body: generated code, or a closure.
pub(crate) enum Handler<T> {
    Linked(Prepare<T>),
    Made(Box<Made<T>>),
}

impl<T> Handler<T> {
    pub(crate) fn prepare(&self, inputs: &mut Inputs<'_>) -> Result<Body<T>, Refusal> {
        match self {
            Self::Linked(prepare) => prepare(inputs),
            Self::Made(prepare) => prepare(inputs),
        }
    }
}

impl<T> fmt::Debug for Handler<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Linked(_) => "Linked",
            Self::Made(_) => "Made",
        })
    }
}
