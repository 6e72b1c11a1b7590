use std::collections::BTreeSet;

/// When a scope that a caller has covers one that is needed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum ScopeMatching {
    /// When they are the same.
    #[default]
    Exact,
    /// Also when it is the beginning, up to a `:`: `notes` covers `notes:read`.
    ///
    /// There are no wildcards: `*` is a scope like any other.
    Nested,
}

impl ScopeMatching {
    /// Whether `held` covers `needed`.
    #[must_use]
    pub fn covers(self, held: &str, needed: &str) -> bool {
        match self {
            Self::Exact => held == needed,
            Self::Nested => needed
                .strip_prefix(held)
                .is_some_and(|rest| rest.is_empty() || (!held.is_empty() && rest.starts_with(':'))),
        }
    }

    /// Whether every one of `needed` is covered by one of `held`.
    #[must_use]
    pub fn cover(self, held: &BTreeSet<String>, needed: &[&str]) -> bool {
        let covered = |needed: &&str| held.iter().any(|held| self.covers(held, needed));
        needed.iter().all(covered)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(held: &str, needed: &str, exact: bool, nested: bool) {
        assert_eq!(ScopeMatching::Exact.covers(held, needed), exact);
        assert_eq!(ScopeMatching::Nested.covers(held, needed), nested);
    }

    #[test]
    fn a_scope_covers_itself_and_where_nested_what_is_below() {
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
    fn all_needed_scopes_must_be_covered() {
        let held = BTreeSet::from(["a".to_owned(), "b".to_owned()]);
        assert!(ScopeMatching::Exact.cover(&held, &["a", "b"]));
        assert!(ScopeMatching::Exact.cover(&held, &[]));
        assert!(!ScopeMatching::Exact.cover(&held, &["a", "c"]));
    }
}
