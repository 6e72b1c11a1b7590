use syn::{Attribute, Fields, Item};

use super::attribute::{SERDE, mentions_any};

/// Checks whether `#[json]` adds `#[serde(deny_unknown_fields)]` to a type.
///
/// The type must have named fields. A flattened field excludes the attribute, because it reads the
/// unknown fields. A newtype variant in an internally tagged enum also excludes it, because the
/// inner type reads the fields of the variant.
pub(super) fn denies_unknown_fields(item: &Item) -> bool {
    match item {
        Item::Struct(item) => can_deny(&item.attrs) && has_only_named_fields(&item.fields),
        Item::Enum(item) => {
            let tagged = mentions_any(&item.attrs, SERDE, &["tag"]);
            let inner_tag = tagged && !mentions_any(&item.attrs, SERDE, &["content"]);
            let variants = || item.variants.iter().map(|variant| &variant.fields);
            let named = |fields: &Fields| matches!(fields, Fields::Named(_));
            can_deny(&item.attrs)
                && variants().any(named)
                && variants()
                    .filter(|fields| named(fields))
                    .all(has_only_named_fields)
                && !(inner_tag && variants().any(|fields| matches!(fields, Fields::Unnamed(_))))
        }
        _ => false,
    }
}

/// Checks whether the other serde attributes of the type allow `deny_unknown_fields`.
fn can_deny(attributes: &[Attribute]) -> bool {
    let decided = ["deny_unknown_fields", "transparent", "from", "try_from"];
    !mentions_any(attributes, SERDE, &decided)
}

fn has_only_named_fields(fields: &Fields) -> bool {
    let flattens = |field: &syn::Field| mentions_any(&field.attrs, SERDE, &["flatten"]);
    match fields {
        Fields::Named(fields) => !fields.named.iter().any(flattens),
        Fields::Unnamed(_) | Fields::Unit => false,
    }
}
