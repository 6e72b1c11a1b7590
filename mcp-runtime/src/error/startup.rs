use std::fmt;
use std::io;

use crate::uri_template::UriTemplateError;

/// The reason why a server could not start or had to stop.
///
/// [`main!`](crate::main!) prints it on stderr for the operator.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Two definitions of the same kind have the same name.
    #[error(
        "two {kind}s are named `{name}`: {} and {}; rename one",
        DisplayLocation(*.first), DisplayLocation(*.second)
    )]
    Duplicate {
        /// The kind of the definition, for example `tool`.
        kind: &'static str,
        /// The duplicate name, or the URI of a resource.
        name: String,
        /// The location of the first definition, or `None` if it was added at run time.
        first: Option<Location>,
        /// The location of the second definition, or `None` if it was added at run time.
        second: Option<Location>,
    },
    /// The URI or URI template of a resource is invalid.
    #[error("the resource `{template}` cannot be served: {problem}")]
    UriTemplate {
        /// The URI or template as written in the source.
        template: String,
        /// The reason why the URI is invalid.
        problem: UriTemplateError,
    },
    /// A definition borrows a value that was not registered with
    /// [`Server::state`](crate::Server::state).
    #[error(
        "{kind} `{name}` ({location}) needs a `&{type_name}`, which the server does not have; \
         add `.state(value)` to the server"
    )]
    MissingState {
        /// The kind of the definition, for example `tool`.
        kind: &'static str,
        /// The name of the definition, as clients see it.
        name: String,
        /// The name of the borrowed type.
        type_name: &'static str,
        /// The location of the definition.
        location: Location,
    },
    /// A definition is invalid, for example because two of its settings conflict.
    #[error("{kind} `{name}` ({}): {problem}", DisplayLocation(*.location))]
    InvalidDefinition {
        /// The kind of the definition, for example `tool`.
        kind: &'static str,
        /// The name of the definition, as clients see it.
        name: String,
        /// The location of the definition, or `None` if it was added at run time.
        location: Option<Location>,
        /// The reason why the definition is invalid.
        problem: String,
    },
    /// A definition requires an authenticated caller, but the server has no authentication.
    #[error(
        "{kind} `{name}` ({}) needs an authenticated caller, but the server has no authentication; \
         add `.authenticate(...)` to the server, or `.allow_local()` for the local user",
        DisplayLocation(*.location)
    )]
    NoAuthentication {
        /// The kind of the definition, for example `tool`.
        kind: &'static str,
        /// The name of the definition, as clients see it.
        name: String,
        /// The location of the definition, or `None` if it was added at run time.
        location: Option<Location>,
    },
    /// [`Server::timeout`](crate::Server::timeout) is zero.
    #[error("a timeout of zero would stop every call; remove `.timeout(...)` to have no timeout")]
    ZeroTimeout,
    /// The server rejected the token of the local user. The value is the environment variable that
    /// holds the token.
    #[error("the token in `{0}` is not valid for this server")]
    InvalidLocalToken(&'static str),
    /// No tools, prompts or resources are linked into the binary.
    #[error(
        "no tools, prompts or resources were found; annotate a function with `#[tool]`, and if \
         they live in a library crate, name it once in the binary: `use my_tools as _;`"
    )]
    NothingToServe,
    /// The environment variable with the keys for sealing `requestState` is invalid.
    #[error("`{variable}` is invalid: {problem}")]
    StateKey {
        /// The name of the environment variable.
        variable: &'static str,
        /// The format that the value must have.
        problem: String,
    },
    /// Several errors were found.
    #[error("{} problems:\n{}", .0.len(), BulletList(.0))]
    Multiple(Vec<Error>),
    /// The setup of the server failed, for example in the closure of [`main!`](crate::main!).
    #[error("the server could not be built: {0}")]
    Build(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// Other machines can reach the address of the server, but no public host name is configured.
    #[error(
        "{address} can be reached from other machines; name the hosts that clients use: \
         `--public-host NAME` or `HttpOptions::public_host(\"NAME\")`"
    )]
    NoPublicHost {
        /// The address that the server listens on.
        address: std::net::SocketAddr,
    },
    /// Other machines can reach the address of the server, but the server has no authentication.
    #[error(
        "{address} can be reached from other machines, but the server has no authentication; add \
         `.authenticate(...)` to the server, or pass `--anonymous` or \
         `HttpOptions::allow_anonymous()`"
    )]
    PublicWithoutAuth {
        /// The address that the server listens on.
        address: std::net::SocketAddr,
    },
    /// The operating system reported an error.
    #[error("{action}: {source}")]
    Io {
        /// The failed operation, for example `binding the address`.
        action: &'static str,
        /// The error of the operating system.
        source: io::Error,
    },
}

/// The source location of a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Location {
    /// The path of the file, as returned by `file!()`.
    pub file: &'static str,
    /// The line number, counted from 1.
    pub line: u32,
}

impl fmt::Display for Location {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}", self.file, self.line)
    }
}

impl Error {
    /// Returns `Ok` if `errors` is empty, a single error unchanged, and several errors as
    /// [`Multiple`](Self::Multiple).
    pub(crate) fn from_list(mut errors: Vec<Self>) -> Result<(), Self> {
        match errors.len() {
            0 => Ok(()),
            1 => Err(errors.remove(0)),
            _ => Err(Self::Multiple(errors)),
        }
    }

    pub(crate) fn io(action: &'static str) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io { action, source }
    }
}

/// The location of a static or dynamic definition, formatted for an error message.
struct DisplayLocation(Option<Location>);

impl fmt::Display for DisplayLocation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some(location) => location.fmt(formatter),
            None => formatter.write_str("added at run time"),
        }
    }
}

struct BulletList<'a>(&'a [Error]);

impl fmt::Display for BulletList<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, error) in self.0.iter().enumerate() {
            let separator = if index == 0 { "" } else { "\n" };
            write!(formatter, "{separator}- {error}")?;
        }
        Ok(())
    }
}
