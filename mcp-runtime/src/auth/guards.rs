use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use super::{Access, Authorizer, Decision, ResourceMetadata, ScopeMatching, TokenValidator};
use crate::context::Channel;

/// What a server knows about its callers: the one place that decides.
#[derive(Clone, Debug, Default)]
pub(crate) struct Guards {
    pub(crate) validator: Option<Arc<dyn TokenValidator>>,
    pub(crate) authorizer: Option<Arc<dyn Authorizer>>,
    pub(crate) matching: ScopeMatching,
    /// Decides where a person has to agree and cannot be asked.
    pub(crate) unasked: Option<Arc<dyn Authorizer>>,
    /// Whether the local user has every scope.
    pub(crate) allow_local: bool,
    pub(crate) metadata: Option<ResourceMetadata>,
}

/// Whether somebody may see and use something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Yes.
    Allowed,
    /// No, and it does not exist for this caller.
    Hidden(Cow<'static, str>),
    /// No, since nobody knows who it is.
    Anonymous,
    /// No, since the caller lacks one of the scopes at least.
    Insufficient,
}

impl Guards {
    /// Decides on `access`; `personal` is what needs a principal in any case.
    pub(crate) fn decide(&self, access: &Access<'_>, personal: bool) -> Verdict {
        match access.principal {
            Some(principal) if !self.matching.cover(&principal.scopes, access.scopes) => {
                return Verdict::Insufficient;
            }
            Some(_) => {}
            None if personal => return Verdict::Anonymous,
            None if !access.scopes.is_empty() && !self.trusts(access.channel) => {
                return Verdict::Anonymous;
            }
            None => {}
        }
        match self.authorizer.as_ref().map(|it| decided(&**it, access)) {
            None | Some(Decision::Allow) => Verdict::Allowed,
            Some(Decision::Deny(reason)) => Verdict::Hidden(reason),
        }
    }

    /// Whether a call that a person has to agree to may go on where nobody can
    /// be asked.
    pub(crate) fn excuses(&self, access: &Access<'_>) -> bool {
        let decided = self.unasked.as_ref().map(|it| decided(&**it, access));
        decided == Some(Decision::Allow)
    }

    /// Whether lists may differ between callers.
    pub(crate) fn are_personal(&self) -> bool {
        self.validator.is_some() || self.authorizer.is_some()
    }

    /// Whether a caller of that channel is the local user, and has every scope.
    ///
    /// A channel that is not named here is not trusted.
    fn trusts(&self, channel: Channel) -> bool {
        self.allow_local && matches!(channel, Channel::Stdio | Channel::Memory | Channel::Cli)
    }
}

/// An authorizer that panics denies.
fn decided(authorizer: &dyn Authorizer, access: &Access<'_>) -> Decision {
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
            channel: Channel::Stdio,
            kind: "tool",
            name: "tool",
            scopes,
        }
    }

    #[test]
    fn without_a_principal_only_what_is_open_is_allowed() {
        let guards = Guards::default();
        assert_eq!(guards.decide(&access(None, &[]), false), Verdict::Allowed);
        assert_eq!(guards.decide(&access(None, &[]), true), Verdict::Anonymous);
        assert_eq!(
            guards.decide(&access(None, &["a"]), false),
            Verdict::Anonymous
        );
    }

    #[test]
    fn a_local_user_has_scopes_only_where_the_server_says_so() {
        let guards = Guards {
            allow_local: true,
            ..Guards::default()
        };
        assert_eq!(
            guards.decide(&access(None, &["a"]), false),
            Verdict::Allowed
        );
        assert_eq!(
            guards.decide(&access(None, &["a"]), true),
            Verdict::Anonymous
        );
    }

    #[test]
    fn a_principal_needs_every_scope_even_where_local_users_do_not() {
        let alice = Principal::new("alice").with_scopes(["a"]);
        let guards = Guards {
            allow_local: true,
            ..Guards::default()
        };
        let decide = |scopes| guards.decide(&access(Some(&alice), scopes), true);
        assert_eq!(decide(&["a"]), Verdict::Allowed);
        assert_eq!(decide(&["a", "b"]), Verdict::Insufficient);
    }

    #[test]
    fn an_authorizer_can_deny_and_cannot_allow_more() {
        let deny = |access: &Access<'_>| match access.principal {
            Some(_) => Decision::Allow,
            None => Decision::Deny("no".into()),
        };
        let guards = Guards {
            authorizer: Some(Arc::new(deny)),
            ..Guards::default()
        };
        let bob = Principal::new("bob");
        let hidden = Verdict::Hidden("no".into());
        assert_eq!(guards.decide(&access(None, &[]), false), hidden);
        let decided = guards.decide(&access(Some(&bob), &["a"]), false);
        assert_eq!(decided, Verdict::Insufficient);
    }

    #[test]
    fn an_authorizer_that_panics_denies() {
        let panics = |_: &Access<'_>| -> Decision { panic!("planted") };
        let guards = Guards {
            authorizer: Some(Arc::new(panics)),
            ..Guards::default()
        };
        let decided = guards.decide(&access(None, &[]), false);
        assert!(matches!(decided, Verdict::Hidden(_)));
    }
}
