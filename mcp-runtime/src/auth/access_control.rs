use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use super::{Access, Authorizer, Decision, ResourceMetadata, ScopeMatching, TokenValidator};
use crate::context::TransportKind;

/// The access rules of a server. All access decisions are made here.
#[derive(Clone, Debug, Default)]
pub(crate) struct AccessControl {
    pub(crate) validator: Option<Arc<dyn TokenValidator>>,
    pub(crate) authorizer: Option<Arc<dyn Authorizer>>,
    pub(crate) scope_matching: ScopeMatching,
    /// Decides whether a call that needs consent may run if the client cannot elicit consent.
    pub(crate) consent_fallback: Option<Arc<dyn Authorizer>>,
    /// Whether a local caller without a token has every scope.
    pub(crate) allow_local: bool,
    pub(crate) resource_metadata: Option<ResourceMetadata>,
}

/// The decision whether a caller may use a definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum AccessOutcome {
    /// The caller may list and use the definition.
    Allowed,
    /// The authorizer denies access with this reason. The definition is hidden from the caller.
    Hidden(Cow<'static, str>),
    /// The definition requires an authenticated caller.
    Unauthenticated,
    /// The caller lacks a required scope.
    InsufficientScope,
}

impl AccessControl {
    /// Decides whether to allow the access. `needs_principal` is `true` if the handler borrows the
    /// principal.
    pub(crate) fn decide(&self, access: &Access<'_>, needs_principal: bool) -> AccessOutcome {
        // A principal without an id does not count as authenticated or as the local user.
        let principal = access
            .principal
            .filter(|principal| !principal.id.is_empty());
        let is_local = access.principal.is_none() && self.trusts(access.transport);
        let access = &Access {
            principal,
            ..*access
        };
        let decision = self.authorizer.as_ref();
        // Call the authorizer first, because the other verdicts disclose that the definition
        // exists.
        if let Some(Decision::Deny(reason)) = decision.map(|it| decide_or_deny(&**it, access)) {
            return AccessOutcome::Hidden(reason);
        }
        let (matching, required) = (self.scope_matching, access.scopes);
        match principal {
            Some(principal) if matching.covers_all(&principal.scopes, required) => {
                AccessOutcome::Allowed
            }
            Some(_) => AccessOutcome::InsufficientScope,
            None if needs_principal => AccessOutcome::Unauthenticated,
            None if required.is_empty() || is_local => AccessOutcome::Allowed,
            None => AccessOutcome::Unauthenticated,
        }
    }

    /// Whether a call that needs consent may run if the client cannot elicit consent.
    pub(crate) fn allows_without_consent(&self, access: &Access<'_>) -> bool {
        let decision = self.consent_fallback.as_ref();
        let decision = decision.map(|it| decide_or_deny(&**it, access));
        decision == Some(Decision::Allow)
    }

    /// Whether the tool, prompt and resource lists can differ between callers.
    pub(crate) fn can_personalize(&self) -> bool {
        self.validator.is_some() || self.authorizer.is_some()
    }

    /// Whether a caller through this transport is the local user, who has every scope.
    ///
    /// Only the transports that are listed here are trusted.
    fn trusts(&self, transport: TransportKind) -> bool {
        use TransportKind::{Cli, Memory, Stdio};
        self.allow_local && matches!(transport, Stdio | Memory | Cli)
    }
}

/// Calls the authorizer. Denies access if the authorizer panics.
fn decide_or_deny(authorizer: &dyn Authorizer, access: &Access<'_>) -> Decision {
    catch_unwind(AssertUnwindSafe(|| authorizer.decide(access)))
        .unwrap_or_else(|_| Decision::Deny("the authorizer panicked".into()))
}

#[cfg(test)]
mod tests {
    use super::super::Principal;
    use super::*;

    fn access<'a>(principal: Option<&'a Principal>, scopes: &'a [&'a str]) -> Access<'a> {
        Access {
            principal,
            transport: TransportKind::Stdio,
            kind: "tool",
            name: "tool",
            scopes,
        }
    }

    #[test]
    fn without_a_principal_only_what_is_open_is_allowed() {
        let access_control = AccessControl::default();
        assert_eq!(
            access_control.decide(&access(None, &[]), false),
            AccessOutcome::Allowed
        );
        assert_eq!(
            access_control.decide(&access(None, &[]), true),
            AccessOutcome::Unauthenticated
        );
        assert_eq!(
            access_control.decide(&access(None, &["a"]), false),
            AccessOutcome::Unauthenticated
        );
    }

    #[test]
    fn a_principal_without_an_id_is_nobody() {
        let access_control = AccessControl {
            allow_local: true,
            ..AccessControl::default()
        };
        let nobody = Principal::new("").with_scopes(["a"]);
        let decide = |scopes, needs| access_control.decide(&access(Some(&nobody), scopes), needs);
        assert_eq!(decide(&[], false), AccessOutcome::Allowed);
        assert_eq!(decide(&[], true), AccessOutcome::Unauthenticated);
        assert_eq!(decide(&["a"], false), AccessOutcome::Unauthenticated);
    }

    #[test]
    fn a_hidden_definition_does_not_disclose_its_scopes() {
        let deny = |_: &Access<'_>| Decision::Deny("no".into());
        let access_control = AccessControl {
            authorizer: Some(Arc::new(deny)),
            ..AccessControl::default()
        };
        let (alice, hidden) = (Principal::new("alice"), AccessOutcome::Hidden("no".into()));
        for principal in [None, Some(&alice)] {
            let decided = access_control.decide(&access(principal, &["a"]), true);
            assert_eq!(decided, hidden);
        }
    }

    #[test]
    fn a_local_user_has_scopes_only_where_the_server_says_so() {
        let access_control = AccessControl {
            allow_local: true,
            ..AccessControl::default()
        };
        assert_eq!(
            access_control.decide(&access(None, &["a"]), false),
            AccessOutcome::Allowed
        );
        assert_eq!(
            access_control.decide(&access(None, &["a"]), true),
            AccessOutcome::Unauthenticated
        );
    }

    #[test]
    fn a_principal_needs_every_scope_even_where_local_users_do_not() {
        let alice = Principal::new("alice").with_scopes(["a"]);
        let access_control = AccessControl {
            allow_local: true,
            ..AccessControl::default()
        };
        let decide = |scopes| access_control.decide(&access(Some(&alice), scopes), true);
        assert_eq!(decide(&["a"]), AccessOutcome::Allowed);
        assert_eq!(decide(&["a", "b"]), AccessOutcome::InsufficientScope);
    }

    #[test]
    fn an_authorizer_can_deny_and_cannot_allow_more() {
        let deny = |access: &Access<'_>| match access.principal {
            Some(_) => Decision::Allow,
            None => Decision::Deny("no".into()),
        };
        let access_control = AccessControl {
            authorizer: Some(Arc::new(deny)),
            ..AccessControl::default()
        };
        let bob = Principal::new("bob");
        let hidden = AccessOutcome::Hidden("no".into());
        assert_eq!(access_control.decide(&access(None, &[]), false), hidden);
        let decided = access_control.decide(&access(Some(&bob), &["a"]), false);
        assert_eq!(decided, AccessOutcome::InsufficientScope);
    }

    #[test]
    fn an_authorizer_that_panics_denies() {
        let panics = |_: &Access<'_>| -> Decision { panic!("planted") };
        let access_control = AccessControl {
            authorizer: Some(Arc::new(panics)),
            ..AccessControl::default()
        };
        let decided = access_control.decide(&access(None, &[]), false);
        assert!(matches!(decided, AccessOutcome::Hidden(_)));
    }
}
