use syn::{Attribute, Fields, Item};

use super::attribute::{SERDE, mentions_any};

/// Whether unknown members are refused.
///
/// They are where fields have names, unless a flattened field is there to take
/// them, or the type is read through another one. A variant that is tagged from
/// within and holds a type of its own leaves its members to that type.
pub(super) fn is_closed(item: &Item) -> bool {
    match item {
        Item::Struct(item) => is_open_to_it(&item.attrs) && closes(&item.fields),
        Item::Enum(item) => {
            let tagged = mentions_any(&item.attrs, SERDE, &["tag"]);
            let inner_tag = tagged && !mentions_any(&item.attrs, SERDE, &["content"]);
            let variants = || item.variants.iter().map(|variant| &variant.fields);
            let named = |fields: &Fields| matches!(fields, Fields::Named(_));
            is_open_to_it(&item.attrs)
                && variants().any(named)
                && variants().filter(|fields| named(fields)).all(closes)
                && !(inner_tag && variants().any(|fields| matches!(fields, Fields::Unnamed(_))))
        }
        _ => false,
    }
}

/// Whether the attribute that closes it has its place among the others.
fn is_open_to_it(attributes: &[Attribute]) -> bool {
    let decided = ["deny_unknown_fields", "transparent", "from", "try_from"];
    !mentions_any(attributes, SERDE, &decided)
}

fn closes(fields: &Fields) -> bool {
    let flattens = |field: &syn::Field| mentions_any(&field.attrs, SERDE, &["flatten"]);
    match fields {
        Fields::Named(fields) => !fields.named.iter().any(flattens),
        Fields::Unnamed(_) | Fields::Unit => false,
    }
}
