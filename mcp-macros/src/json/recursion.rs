//! Rejects types that contain themselves in a field whose schema schemars inlines. schemars would
//! overflow the stack when it generates such a schema.

use syn::{Fields, GenericArgument, Ident, Item, PathArguments, Type};

use super::attribute::{SERDE, mentions_any};
use crate::errors::Errors;

/// The wrapper types that have the same schema as their content, apart from `null`.
const TRANSPARENT: [&str; 6] = ["Arc", "Box", "Cell", "Option", "Rc", "RefCell"];

pub(super) fn check(item: &Item, errors: &mut Errors) {
    let (ident, fields) = match item {
        Item::Struct(item) => (&item.ident, vec![(&item.fields, false)]),
        Item::Enum(item) => {
            let internal = mentions_any(&item.attrs, SERDE, &["tag"])
                && !mentions_any(&item.attrs, SERDE, &["content"]);
            let fields = item.variants.iter().map(|it| {
                let untagged = mentions_any(&it.attrs, SERDE, &["untagged"]);
                (&it.fields, internal && !untagged)
            });
            (&item.ident, fields.collect())
        }
        _ => return,
    };
    for (fields, is_internal) in fields {
        let inlines = is_internal && matches!(fields, Fields::Unnamed(_)) && fields.len() == 1;
        for field in fields {
            let flattens = mentions_any(&field.attrs, SERDE, &["flatten"]);
            if (inlines || flattens) && is_self(&field.ty, ident) {
                errors.push(
                    &field.ty,
                    format!(
                        "`{ident}` contains itself through its tag or a flattened field, so it \
                         has no schema and no value can be read; add `content = \"...\"` to the \
                         tag, or give the field a name"
                    ),
                );
            }
        }
    }
}

/// Checks whether `ty` is the declared type `ident`, possibly inside of wrapper types such as
/// `Box`.
fn is_self(ty: &Type, ident: &Ident) -> bool {
    let Type::Path(path) = ty else {
        return false;
    };
    let Some(last) = path.path.segments.last() else {
        return false;
    };
    if path.path.segments.len() == 1 && (last.ident == *ident || last.ident == "Self") {
        return true;
    }
    let PathArguments::AngleBracketed(arguments) = &last.arguments else {
        return false;
    };
    let is_transparent = TRANSPARENT.iter().any(|name| last.ident == name);
    is_transparent
        && arguments.args.iter().any(|argument| match argument {
            GenericArgument::Type(inner) => is_self(inner, ident),
            _ => false,
        })
}
