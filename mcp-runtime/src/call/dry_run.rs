use std::sync::LazyLock;

use memchr::memmem::Finder;
use serde_json::Value;

use super::Reply;
use super::approve::Consent;
use super::audit::Record;
use super::target::Target;
use crate::context::{DRY_RUN, RequestScope};
use crate::protocol::JsonObject;

/// Whether the client wants to know what would happen.
pub(super) fn is_dry_run(scope: &RequestScope<'_>) -> bool {
    static WORD: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new(DRY_RUN));
    let mentioned = |meta: &&str| WORD.find(meta.as_bytes()).is_some();
    let meta = scope.meta.filter(mentioned);
    let meta = meta.and_then(|meta| serde_json::from_str::<JsonObject>(meta).ok());
    meta.is_some_and(|meta| meta.get(DRY_RUN) == Some(&Value::Bool(true)))
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
