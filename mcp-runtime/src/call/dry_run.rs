use super::Reply;
use super::approve::Consent;
use super::audit::Record;
use super::target::Target;
use crate::context::{DRY_RUN, RequestScope};
use crate::jsonrpc::Members;

/// Whether the client wants to know what would happen.
pub(super) fn is_dry_run(scope: &RequestScope<'_>) -> bool {
    let asks = |meta: &str| {
        let mut members = Members::of(meta);
        members.any(|(key, value)| key == DRY_RUN && value == "true")
    };
    scope.meta.is_some_and(asks)
}

/// Says what would run.
///
/// It is told as a failure: nothing was done, and it has not the form of what
/// the body returns.
pub(super) fn told<T: Target>(record: Record, target: &T, consent: Option<&Consent>) -> Reply {
    let (word, name) = (T::WORD, target.name());
    let mut text = format!("dry run: the {word} `{name}` would run with these arguments");
    if let Some(consent) = consent {
        text.push_str(", once a person has agreed to: ");
        text.push_str(consent.question());
    }
    text.push_str("\nnothing was done");
    record.not_run::<T>(&text)
}
