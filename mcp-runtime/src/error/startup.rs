use std::fmt;
use std::io;

use crate::uri_template::UriTemplateError;

/// The reason why a server cannot start or stopped serving.
///
/// It is for the operator: [`main!`](crate::main!) prints it on stderr.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Two definitions of one kind have the same name.
    #[error(
        "two {kind}s are named `{name}`: {} and {}; rename one",
        DisplayLocation(*.first), DisplayLocation(*.second)
    )]
    Duplicate {
        /// For example `tool`.
        kind: &'static str,
        /// The name, or the URI of a resource.
        name: String,
        /// The location of the first; `None` if it was added at run time.
        first: Option<Location>,
        /// The location of the second; `None` if it was added at run time.
        second: Option<Location>,
    },
    /// The URI or URI template of a resource is invalid.
    #[error("the resource `{template}` cannot be served: {problem}")]
    UriTemplate {
        /// The URI as written in the source.
        template: String,
        /// What is wrong with it.
        problem: UriTemplateError,
    },
    /// A definition borrows a value that was not registered with
    /// [`Server::state`](crate::Server::state).
    #[error(
        "{kind} `{name}` ({location}) needs a `&{type_name}`, which the server does not have; \
         add `.state(value)` to the server"
    )]
    MissingState {
        /// For example `tool`.
        kind: &'static str,
        /// The name that clients see.
        name: String,
        /// The borrowed type.
        type_name: &'static str,
        /// The location of the definition.
        location: Location,
    },
    /// A definition is invalid, for example because two of its settings conflict.
    #[error("{kind} `{name}` ({}): {problem}", DisplayLocation(*.location))]
    InvalidDefinition {
        /// For example `tool`.
        kind: &'static str,
        /// The name that clients see.
        name: String,
        /// The location of the definition; `None` if it was added at run time.
        location: Option<Location>,
        /// What is wrong with the definition.
        problem: String,
    },
    /// A definition requires an authenticated caller, but the server authenticates nobody.
    #[error(
        "{kind} `{name}` ({}) needs an authenticated caller, but the server has no authentication; \
         add `.authenticate(...)` to the server, or `.allow_local()` for the local user",
        DisplayLocation(*.location)
    )]
    NoAuthentication {
        /// For example `tool`.
        kind: &'static str,
        /// The name that clients see.
        name: String,
        /// The location of the definition; `None` if it was added at run time.
        location: Option<Location>,
    },
    /// [`Server::timeout`](crate::Server::timeout) is zero.
    #[error("a timeout of zero would stop every call; remove `.timeout(...)` to have no timeout")]
    ZeroTimeout,
    /// The token of the local user, from this environment variable, was rejected.
    #[error("the token in `{0}` is not valid for this server")]
    InvalidLocalToken(&'static str),
    /// No tools, prompts or resources are linked into the binary.
    #[error(
        "no tools, prompts or resources were found; annotate a function with `#[tool]`, and if \
         they live in a library crate, name it once in the binary: `use my_tools as _;`"
    )]
    NothingToServe,
    /// The environment variable with the key that seals `requestState` is invalid.
    #[error("`{variable}` is invalid: {problem}")]
    StateKey {
        /// The name of the environment variable.
        variable: &'static str,
        /// The expected format.
        problem: String,
    },
    /// Several errors were found.
    #[error("{} problems:\n{}", .0.len(), BulletList(.0))]
    Multiple(Vec<Error>),
    /// The setup of the server failed, for example the closure of [`main!`](crate::main!).
    #[error("the server could not be built: {0}")]
    Build(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The server listens beyond loopback, but no public host name is configured.
    #[error(
        "{address} can be reached from other machines; name the hosts that clients use: \
         `--public-host NAME` or `HttpOptions::public_host(\"NAME\")`"
    )]
    NoPublicHost {
        /// The bound address.
        address: std::net::SocketAddr,
    },
    /// The server listens beyond loopback without authentication.
    #[error(
        "{address} can be reached from other machines, but the server has no authentication; add \
         `.authenticate(...)` to the server, or pass `--anonymous` or \
         `HttpOptions::allow_anonymous()`"
    )]
    PublicWithoutAuth {
        /// The bound address.
        address: std::net::SocketAddr,
    },
    /// An operation of the operating system failed.
    #[error("{action}: {source}")]
    Io {
        /// The operation, for example `binding the address`.
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
    /// The line, counted from 1.
    pub line: u32,
}

impl fmt::Display for Location {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}", self.file, self.line)
    }
}

impl Error {
    /// Returns `Ok` for an empty list, a single error as is, and several as [`Multiple`](Self::Multiple).
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

/// Displays the location of a static or dynamic definition.
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
