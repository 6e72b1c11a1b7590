use std::collections::BTreeSet;
use std::fmt;

use serde_json::Value;

use crate::protocol::JsonObject;

/// An authenticated caller; a parameter `&Principal` receives it.
///
/// There is no default: a caller whom nobody has identified is no principal.
/// A tool that borrows one is neither listed nor callable where there is none.
///
/// ```
/// use mcp_runtime::auth::Principal;
///
/// let alice = Principal::new("alice").named("Alice").with_scopes(["notes:read"]);
/// assert!(alice.scopes.contains("notes:read"));
/// ```
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub struct Principal {
    /// Stable and unique among all callers; never the token.
    pub id: Box<str>,
    /// A name for people.
    pub display_name: Option<String>,
    /// What the caller was granted.
    pub scopes: BTreeSet<String>,
    /// What else the validator knows, for example the claims of a token.
    pub extra: JsonObject,
}

impl Principal {
    /// A caller who was granted nothing.
    pub fn new(id: impl Into<Box<str>>) -> Self {
        Self {
            id: id.into(),
            display_name: None,
            scopes: BTreeSet::new(),
            extra: JsonObject::new(),
        }
    }

    /// With a name for people.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.display_name = Some(name.into());
        self
    }

    /// With more scopes.
    #[must_use]
    pub fn with_scopes<S: Into<String>>(mut self, scopes: impl IntoIterator<Item = S>) -> Self {
        self.scopes.extend(scopes.into_iter().map(Into::into));
        self
    }

    /// With something else that is known about the caller.
    #[must_use]
    pub fn with_extra(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.extra.insert(key.into(), value.into());
        self
    }
}

/// Shows the id and the scopes; of all else only that it is there.
impl fmt::Debug for Principal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Principal")
            .field("id", &self.id)
            .field("scopes", &self.scopes)
            .field("extra", &self.extra.keys())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_shows_no_values() {
        let principal = Principal::new("alice")
            .named("Alice Planted")
            .with_extra("email", "planted@example.com");
        let shown = format!("{principal:?}");
        assert!(
            shown.contains("alice") && shown.contains("email"),
            "{shown}"
        );
        assert!(!shown.to_lowercase().contains("planted"), "{shown}");
    }
}
