use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{Field, Item, Path};

use crate::args::Keys;
use crate::errors::Errors;
use crate::function::{ArgKeys, Rules, check_limits, take_keys};

/// Turns `#[arg(…)]` on fields into what schemars and serde understand.
pub(super) fn limit(item: &mut Item, krate: &Path, errors: &mut Errors) {
    let private = quote! { #krate::__private };
    match item {
        Item::Struct(item) => {
            let generic = !item.generics.params.is_empty();
            for field in &mut item.fields {
                limit_field(field, generic, &private, errors);
            }
        }
        Item::Enum(item) => {
            let generic = !item.generics.params.is_empty();
            let fields = item
                .variants
                .iter_mut()
                .flat_map(|variant| &mut variant.fields);
            for field in fields {
                limit_field(field, generic, &private, errors);
            }
        }
        _ => {}
    }
}

fn limit_field(field: &mut Field, generic: bool, private: &TokenStream, errors: &mut Errors) {
    let keys = take_keys(&mut field.attrs, errors);
    check_keys(&keys, errors);
    check_limits(&keys, errors);
    if let Some(example) = &keys.example {
        let example = &example.value;
        field
            .attrs
            .push(syn::parse_quote! { #[schemars(example = #example)] });
    }
    let ty = &field.ty;
    // An item in a function cannot name the parameters of the type around it, nor `Self`.
    let inline = generic || says_self(ty.to_token_stream());
    let alias = format_ident!("FieldType");
    let named = (!inline).then(|| quote! { type #alias = #ty; });
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
                #named
                #private::field::limit(schema, &[#(&#rules),*]);
            })]
        });
    }
}

fn says_self(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == "Self",
        TokenTree::Group(group) => says_self(group.stream()),
        _ => false,
    })
}

/// What serde says about a field is said in serde's words.
fn check_keys(keys: &ArgKeys, errors: &mut Errors) {
    for key in keys.named() {
        let instead = match key.to_string().as_str() {
            "default" => "write `#[serde(default)]`",
            "rename" => "write `#[serde(rename = \"...\")]`",
            "description" => "write a doc comment",
            "clamp" => "write `range`, or clamp in the body",
            "secret" | "header" => "remove it",
            _ => continue,
        };
        errors.push(
            key,
            format!("`{key}` is for parameters, not for fields; {instead}"),
        );
    }
}
