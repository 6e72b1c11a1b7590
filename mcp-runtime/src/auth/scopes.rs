use std::collections::BTreeSet;

/// The rule that decides whether a granted scope covers a required scope. Defaults to `Exact`.
///
/// ```
/// use mcp_runtime::auth::ScopeMatching;
///
/// assert!(ScopeMatching::Nested.covers("notes", "notes:read"));
/// assert!(!ScopeMatching::Exact.covers("notes", "notes:read"));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum ScopeMatching {
    /// The granted scope covers only an equal required scope.
    #[default]
    Exact,
    /// The granted scope covers an equal scope and all scopes below it, separated by `:`. For
    /// example, `notes` covers `notes:read`.
    ///
    /// Wildcards are not supported, and `*` has no special meaning.
    Nested,
}

impl ScopeMatching {
    /// Whether the granted scope covers the required scope.
    #[must_use]
    pub fn covers(self, granted: &str, required: &str) -> bool {
        match self {
            Self::Exact => granted == required,
            Self::Nested => required.strip_prefix(granted).is_some_and(|rest| {
                rest.is_empty() || (!granted.is_empty() && rest.starts_with(':'))
            }),
        }
    }

    /// Whether the granted scopes cover all required scopes.
    #[must_use]
    pub fn covers_all(self, granted: &BTreeSet<String>, required: &[&str]) -> bool {
        let is_covered = |required: &&str| granted.iter().any(|it| self.covers(it, required));
        required.iter().all(is_covered)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(granted: &str, required: &str, exact: bool, nested: bool) {
        assert_eq!(ScopeMatching::Exact.covers(granted, required), exact);
        assert_eq!(ScopeMatching::Nested.covers(granted, required), nested);
    }

    #[test]
    fn a_scope_covers_itself_and_if_nested_what_is_below() {
        check("notes:read", "notes:read", true, true);
        check("notes", "notes:read", false, true);
        check("notes", "notes:read:own", false, true);
        check("notes:read", "notes:read:own", false, true);
    }

    #[test]
    fn a_scope_covers_nothing_beside_or_above() {
        check("notes:read", "notes", false, false);
        check("note", "notes:read", false, false);
        check("notes:re", "notes:read", false, false);
        check("notes:", "notes:read", false, false);
        check("Notes", "notes", false, false);
        check("*", "notes", false, false);
        check("", ":notes", false, false);
    }

    #[test]
    fn all_required_scopes_must_be_covered() {
        let granted = BTreeSet::from(["a".to_owned(), "b".to_owned()]);
        assert!(ScopeMatching::Exact.covers_all(&granted, &["a", "b"]));
        assert!(ScopeMatching::Exact.covers_all(&granted, &[]));
        assert!(!ScopeMatching::Exact.covers_all(&granted, &["a", "c"]));
    }
}
