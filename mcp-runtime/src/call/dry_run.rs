use super::Reply;
use super::approve::Consent;
use super::record::CallRecord;
use crate::context::{DRY_RUN, RequestParts};
use crate::jsonrpc::Members;
use crate::registry::Definition;

/// Whether the request is a dry run.
pub(super) fn is_dry_run(parts: &RequestParts<'_>) -> bool {
    let is_set = |meta: &str| {
        let mut members = Members::of(meta);
        members.any(|(key, value)| key == DRY_RUN && value == "true")
    };
    parts.meta.is_some_and(is_set)
}

/// Returns the reply to a dry run, which says which handler would run.
///
/// The reply is an error result, because the handler did not run and the text does not match the
/// output schema.
pub(super) fn reply<T: Definition>(
    record: CallRecord,
    definition: &T,
    consent: Option<&Consent>,
) -> Reply {
    let (word, name) = (T::WORD, definition.name());
    let mut text = format!("dry run: the {word} `{name}` would run with these arguments");
    if let Some(consent) = consent {
        text.push_str(", after the user has approved: ");
        text.push_str(consent.message());
    }
    text.push_str("\nnothing was done");
    record.dry_run::<T>(&text)
}
