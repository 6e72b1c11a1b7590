//! Implements the marker traits for types that can be an elicitation form or a field of a form.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Attribute, Field, Fields, Generics, Ident, Item, Type};

use super::attribute::{SCHEMARS, SERDE, mentions_any};

/// Returns the implementations of the marker traits. rustc checks their trait bounds only where the
/// type is used in an elicitation.
///
/// rustc checks a bound without generic parameters at the definition, and a bound with a lifetime
/// parameter (`for<'mcp_form>`) only where the trait is used.
pub(super) fn marker_impls(item: &Item, private: &TokenStream) -> TokenStream {
    match item {
        Item::Struct(item) => {
            let marker = |role: &str, bounds| {
                marker_impl(role, &item.ident, &item.generics, bounds, private)
            };
            match &item.fields {
                Fields::Named(fields) => {
                    let checked = fields.named.iter().filter(|it| is_checked(&it.attrs));
                    let checked = checked.filter(|_| !has_other_form(&item.attrs));
                    let fields = checked.map(|field| bound(field, "FormField", private));
                    let readable = quote! {
                        for<'mcp_form> Self: #private::serde::de::DeserializeOwned
                            + #private::schemars::JsonSchema + ::core::marker::Send + 'static
                    };
                    let form = marker("Elicitable", fields.chain([readable]).collect());
                    // A struct that serde reads as another type can also be a field of a form.
                    let field =
                        has_other_form(&item.attrs).then(|| marker("FormField", Vec::new()));
                    quote! { #form #field }
                }
                Fields::Unnamed(fields) if fields.unnamed.len() == 1 => {
                    let bounds = fields.unnamed.iter();
                    let choice = bounds.map(|field| bound(field, "FormChoice", private));
                    let choice = marker("FormChoice", choice.collect());
                    // The inner type has no bound here, because a type of another crate does not
                    // implement the marker traits.
                    let field = marker("FormField", Vec::new());
                    quote! { #field #choice }
                }
                Fields::Unnamed(_) | Fields::Unit => TokenStream::new(),
            }
        }
        Item::Enum(item) => {
            let plain = |variant: &syn::Variant| matches!(variant.fields, Fields::Unit);
            let tagged = mentions_any(&item.attrs, SERDE, &["tag", "untagged"]);
            if tagged || !item.variants.iter().all(plain) {
                return TokenStream::new();
            }
            let marker =
                |role: &str| marker_impl(role, &item.ident, &item.generics, Vec::new(), private);
            let (field, choice) = (marker("FormField"), marker("FormChoice"));
            quote! { #field #choice }
        }
        _ => TokenStream::new(),
    }
}

fn marker_impl(
    role: &str,
    ident: &Ident,
    generics: &Generics,
    bounds: Vec<TokenStream>,
    private: &TokenStream,
) -> TokenStream {
    let role = Ident::new(role, proc_macro2::Span::call_site());
    let (parameters, arguments, where_clause) = generics.split_for_impl();
    let predicates = where_clause.iter().flat_map(|clause| &clause.predicates);
    quote! {
        #[automatically_derived]
        #[allow(deprecated, unused_lifetimes)]
        impl #parameters #private::#role for #ident #arguments where #(#predicates,)* #(#bounds,)* {}
    }
}

fn bound(field: &Field, role: &str, private: &TokenStream) -> TokenStream {
    let (ty, span): (&Type, _) = (&field.ty, field.ty.span());
    let role = Ident::new(role, span);
    quote_spanned! { span => for<'mcp_form> #ty: #private::#role }
}

/// Checks whether the type of a field must implement a marker trait.
fn is_checked(attributes: &[Attribute]) -> bool {
    let conditional = |it: &Attribute| it.path().is_ident("cfg") || it.path().is_ident("cfg_attr");
    !attributes.iter().any(conditional)
        && !has_other_schema(attributes)
        && !mentions_any(
            attributes,
            SERDE,
            &["flatten", "skip", "skip_deserializing"],
        )
}

/// Checks whether serde or schemars treats a struct as another type and not as its fields.
fn has_other_form(attributes: &[Attribute]) -> bool {
    has_other_schema(attributes) || mentions_any(attributes, SERDE, &["transparent"])
}

/// Checks whether serde or schemars treats a field or a type as another type.
fn has_other_schema(attributes: &[Attribute]) -> bool {
    mentions_any(
        attributes,
        SERDE,
        &["with", "deserialize_with", "from", "try_from", "tag"],
    ) || mentions_any(
        attributes,
        SCHEMARS,
        &["with", "schema_with", "extend", "skip"],
    )
}
