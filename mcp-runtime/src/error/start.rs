use std::fmt;
use std::io;

use crate::uri_template::UriTemplateError;

/// Why a server cannot start or go on, told to the operator.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Two definitions answer to one name.
    #[error(
        "two {kind}s are named `{name}`: {} and {}; rename one",
        Place(*.first), Place(*.second)
    )]
    Duplicate {
        /// For example `tool`.
        kind: &'static str,
        /// The name, or the URI of a resource.
        name: String,
        /// Where the first stands; `None` if it was added while serving.
        first: Option<Location>,
        /// Where the second stands.
        second: Option<Location>,
    },
    /// The URI of a resource is none.
    #[error("the resource `{template}` cannot be served: {problem}")]
    UriTemplate {
        /// As it was written.
        template: String,
        /// What is wrong with it.
        problem: UriTemplateError,
    },
    /// A definition borrows a value that was not given to the server.
    #[error(
        "{kind} `{name}` ({location}) needs a `&{type_name}`, and the server has none; \
         add `.state(value)` to the server"
    )]
    MissingState {
        /// For example `tool`.
        kind: &'static str,
        /// The name on the wire.
        name: String,
        /// The type behind the reference.
        type_name: &'static str,
        /// Where the definition stands.
        location: Location,
    },
    /// A definition contradicts itself.
    #[error("{kind} `{name}` ({}): {problem}", Place(*.location))]
    Contradiction {
        /// For example `tool`.
        kind: &'static str,
        /// The name on the wire.
        name: String,
        /// Where the definition stands.
        location: Option<Location>,
        /// What is wrong, and with what of it.
        problem: String,
    },
    /// A definition is not for everybody, and the server knows nobody.
    #[error(
        "{kind} `{name}` ({}) needs a caller who is known, and the server knows none; \
         add `.authenticate(...)` to the server, or `.allow_local()` for the local user",
        Place(*.location)
    )]
    NoAuthentication {
        /// For example `tool`.
        kind: &'static str,
        /// The name on the wire.
        name: String,
        /// Where the definition stands.
        location: Option<Location>,
    },
    /// No body could run within that time.
    #[error("a timeout of zero lets nothing run; leave `.timeout(...)` out for no timeout")]
    ZeroTimeout,
    /// The token of the local user is not good.
    #[error("`{0}` is no token that this server takes")]
    BadToken(&'static str),
    /// Nothing was registered.
    #[error(
        "no tools, prompts or resources were found; annotate a function with `#[tool]`, and if \
         they live in a library crate, name it once in the binary: `use my_tools as _;`"
    )]
    NothingToServe,
    /// The key that seals what travels through clients cannot be read.
    #[error("`{variable}` cannot be read: {problem}")]
    StateKey {
        /// The variable of the environment.
        variable: &'static str,
        /// What it should be.
        problem: String,
    },
    /// Several of the above at once.
    #[error("{} problems:\n{}", .0.len(), Lines(.0))]
    Several(Vec<Error>),
    /// The state of the server could not be made.
    #[error("the server could not be built: {0}")]
    Build(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// Other machines reach the server, and nobody said under which names.
    #[error(
        "{address} can be reached from other machines; name the hosts that clients use: \
         `--public-host NAME` or `HttpOptions::public_host(\"NAME\")`"
    )]
    NoPublicHost {
        /// What was bound.
        address: std::net::SocketAddr,
    },
    /// Other machines reach the server, and it knows none of its callers.
    #[error(
        "{address} can be reached from other machines, and the server knows no callers; add \
         `.authenticate(...)` to the server, or say `--anonymous` or `HttpOptions::anonymous()`"
    )]
    OpenToAll {
        /// What was bound.
        address: std::net::SocketAddr,
    },
    /// The operating system refused something.
    #[error("{doing}: {source}")]
    Io {
        /// What was being done.
        doing: &'static str,
        /// What the system said.
        source: io::Error,
    },
}

/// Where a definition stands in its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Location {
    /// As `file!()` gives it.
    pub file: &'static str,
    /// Counted from 1.
    pub line: u32,
}

impl fmt::Display for Location {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}", self.file, self.line)
    }
}

impl Error {
    /// One error as itself, several together, none as success.
    pub(crate) fn all(mut errors: Vec<Self>) -> Result<(), Self> {
        match errors.len() {
            0 => Ok(()),
            1 => Err(errors.remove(0)),
            _ => Err(Self::Several(errors)),
        }
    }

    pub(crate) fn io(doing: &'static str) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io { doing, source }
    }
}

/// Where something stands that may not stand anywhere.
struct Place(Option<Location>);

impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some(location) => location.fmt(formatter),
            None => formatter.write_str("one added while serving"),
        }
    }
}

struct Lines<'a>(&'a [Error]);

impl fmt::Display for Lines<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, error) in self.0.iter().enumerate() {
            let separator = if index == 0 { "" } else { "\n" };
            write!(formatter, "{separator}- {error}")?;
        }
        Ok(())
    }
}
