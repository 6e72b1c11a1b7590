//! Marks the types for which serde accepts values that do not match the schema.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Attribute, Field, Fields, Item, Path};

use super::attribute::{SERDE, mentions_any};

/// Returns additional arguments for `#[schemars(…)]`. For a struct with a flattened field, the
/// schema disallows unknown members. A type whose schema serde does not enforce is marked, and the
/// server validates its values against the schema.
pub(super) fn transform(item: &Item, krate: &Path) -> TokenStream {
    let fields = fields(item);
    let has = |keys: &[&str]| {
        let mut fields = fields.iter();
        fields.any(|field| mentions_any(&field.attrs, SERDE, keys))
    };
    let private = quote! { #krate::__private::field };
    let attributes: &[Attribute] = match item {
        Item::Struct(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        _ => &[],
    };
    let converted = mentions_any(attributes, SERDE, &["from", "try_from"]);
    if has(&["flatten"]) && matches!(item, Item::Struct(_)) {
        quote! { , transform = #private::close_flattened }
    } else if converted || has(&["flatten", "with", "deserialize_with"]) {
        quote! { , transform = #private::mark_unenforced }
    } else {
        TokenStream::new()
    }
}

fn fields(item: &Item) -> Vec<&Field> {
    let all: Vec<&Fields> = match item {
        Item::Struct(item) => vec![&item.fields],
        Item::Enum(item) => item.variants.iter().map(|it| &it.fields).collect(),
        _ => Vec::new(),
    };
    all.into_iter().flatten().collect()
}
