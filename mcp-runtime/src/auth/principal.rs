use std::collections::BTreeSet;
use std::fmt;

use serde_json::Value;

use crate::protocol::JsonObject;

/// An authenticated caller. A handler receives the caller as a `&Principal` parameter.
///
/// A tool that borrows the principal is hidden from callers without a principal, and they cannot
/// call it.
///
/// ```
/// use mcp_runtime::auth::Principal;
///
/// let alice = Principal::new("alice").with_display_name("Alice").with_scopes(["notes:read"]);
/// assert!(alice.scopes.contains("notes:read"));
/// ```
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub struct Principal {
    /// The id of the caller, which is stable and unique among all callers. It must not be the
    /// token. A principal with an empty id does not count as authenticated.
    pub id: Box<str>,
    /// The display name of the caller.
    pub display_name: Option<String>,
    /// The scopes that are granted to the caller.
    pub scopes: BTreeSet<String>,
    /// Other data that the token validator has stored, such as the claims of the token.
    pub extra: JsonObject,
}

impl Principal {
    /// Creates a principal with this id and without scopes.
    pub fn new(id: impl Into<Box<str>>) -> Self {
        Self {
            id: id.into(),
            display_name: None,
            scopes: BTreeSet::new(),
            extra: JsonObject::new(),
        }
    }

    /// Sets the display name of the caller.
    #[must_use]
    pub fn with_display_name(mut self, name: impl Into<String>) -> Self {
        self.display_name = Some(name.into());
        self
    }

    /// Grants scopes to the caller.
    #[must_use]
    pub fn with_scopes<S: Into<String>>(mut self, scopes: impl IntoIterator<Item = S>) -> Self {
        self.scopes.extend(scopes.into_iter().map(Into::into));
        self
    }

    /// Adds a member to [`extra`](Self::extra).
    #[must_use]
    pub fn with_extra(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.extra.insert(key.into(), value.into());
        self
    }
}

/// Formats the id, the scopes and the keys of `extra`. All other values are omitted.
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
            .with_display_name("Alice Planted")
            .with_extra("email", "planted@example.com");
        let shown = format!("{principal:?}");
        assert!(
            shown.contains("alice") && shown.contains("email"),
            "{shown}"
        );
        assert!(!shown.to_lowercase().contains("planted"), "{shown}");
    }
}
