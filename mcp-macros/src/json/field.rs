use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{Field, Item, LitStr, Path, Type};

use super::attribute::{SERDE, aliases, mentions_any};
use crate::args::Keys;
use crate::errors::Errors;
use crate::function::{ArgKeys, Rules, check_rules, take_keys};

/// Replaces each `#[arg(…)]` on a field by schemars attributes.
pub(super) fn apply_arg_attributes(item: &mut Item, krate: &Path, errors: &mut Errors) {
    let private = quote! { #krate::__private };
    match item {
        Item::Struct(item) => {
            let generic = !item.generics.params.is_empty();
            for field in &mut item.fields {
                apply_to_field(field, generic, &private, errors);
            }
        }
        Item::Enum(item) => {
            let generic = !item.generics.params.is_empty();
            let fields = item
                .variants
                .iter_mut()
                .flat_map(|variant| &mut variant.fields);
            for field in fields {
                apply_to_field(field, generic, &private, errors);
            }
        }
        _ => {}
    }
}

fn apply_to_field(field: &mut Field, generic: bool, private: &TokenStream, errors: &mut Errors) {
    let aliases = aliases(&field.attrs);
    if !aliases.is_empty() && field.ident.is_some() {
        field.attrs.push(syn::parse_quote! {
            #[schemars(transform = |schema: &mut #private::schemars::Schema| {
                #private::field::add_aliases(schema, &[#(#aliases),*]);
            })]
        });
    }
    flatten_option(field, private);
    let keys = take_keys(&mut field.attrs, errors);
    check_keys(&keys, errors);
    check_rules(&keys, errors);
    if let Some(example) = &keys.example {
        let example = &example.value;
        field
            .attrs
            .push(syn::parse_quote! { #[schemars(example = #example)] });
    }
    let ty = &field.ty;
    // If the field type uses generic parameters or `Self`, the rules cannot use a type alias,
    // because an alias inside a function has no access to them.
    let inline = generic || uses_self(ty.to_token_stream());
    let alias = format_ident!("FieldType");
    let type_alias = (!inline).then(|| quote! { type #alias = #ty; });
    let rules = Rules {
        keys: &keys,
        private: &quote! { #private::field },
        ty: &|span| match inline {
            true => ty.to_token_stream(),
            false => quote_spanned! { span => FieldType },
        },
    };
    let rules = rules.all();
    if !rules.is_empty() {
        field.attrs.push(syn::parse_quote! {
            #[schemars(transform = |schema: &mut #private::schemars::Schema| {
                #type_alias
                #private::field::apply_rules(schema, &[#(&#rules),*]);
            })]
        });
    }
}

fn uses_self(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == "Self",
        TokenTree::Group(group) => uses_self(group.stream()),
        _ => false,
    })
}

/// Reports an error for each key that fields do not support. For some of these keys, serde has an
/// attribute.
fn check_keys(keys: &ArgKeys, errors: &mut Errors) {
    for key in keys.present() {
        let instead = match key.to_string().as_str() {
            "default" => "write `#[serde(default)]`",
            "rename" => "write `#[serde(rename = \"...\")]`",
            "description" => "write a doc comment",
            "clamp" => "use `range`, or clamp in the handler",
            "secret" | "header" | "any_name" => "remove it",
            _ => continue,
        };
        errors.push(
            key,
            format!("`{key}` is for parameters, not for fields; {instead}"),
        );
    }
}

/// Adds a custom deserializer to a flattened `Option`. The deserializer rejects invalid members,
/// but serde would ignore them and return `None`.
fn flatten_option(field: &mut Field, private: &TokenStream) {
    let is_option = match &field.ty {
        Type::Path(path) => path
            .path
            .segments
            .last()
            .is_some_and(|it| it.ident == "Option"),
        _ => false,
    };
    let is_custom = ["with", "deserialize_with", "skip", "skip_deserializing"];
    if is_option
        && mentions_any(&field.attrs, SERDE, &["flatten"])
        && !mentions_any(&field.attrs, SERDE, &is_custom)
    {
        let path = private_path_text(private, "field::flatten_option");
        field
            .attrs
            .push(syn::parse_quote! { #[serde(deserialize_with = #path)] });
    }
}

/// Returns a path in the module `private` as a string literal for a serde attribute.
fn private_path_text(private: &TokenStream, path: &str) -> LitStr {
    let private = private.to_string().replace(' ', "");
    LitStr::new(&format!("{private}::{path}"), Span::call_site())
}
