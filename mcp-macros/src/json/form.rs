//! Whether a person can fill in a form for the type, as far as its tokens tell.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Attribute, Field, Fields, Generics, Ident, Item, Type};

use super::attribute::{SCHEMARS, SERDE, mentions_any};

/// What the type is in a form, asked of the compiler only where a body asks a person.
///
/// A bound that names no parameter of the type would be an error at once, needed
/// or not; with a lifetime in front of it, it is one for who relies on it.
pub(super) fn form(item: &Item, private: &TokenStream) -> TokenStream {
    match item {
        Item::Struct(item) => {
            let says =
                |role: &str, bounds| says(role, &item.ident, &item.generics, bounds, private);
            match &item.fields {
                Fields::Named(fields) => {
                    let judged = fields.named.iter().filter(|it| is_judged(&it.attrs));
                    let judged = judged.filter(|_| !is_other(&item.attrs));
                    let fields = judged.map(|field| bound(field, "FormField", private));
                    let whole = quote! {
                        for<'mcp_form> Self: #private::serde::de::DeserializeOwned
                            + #private::schemars::JsonSchema + ::core::marker::Send + 'static
                    };
                    let form = says("Elicitable", fields.chain([whole]).collect());
                    // Read as something else, it may be a field as well.
                    let field = is_other(&item.attrs).then(|| says("FormField", Vec::new()));
                    quote! { #form #field }
                }
                Fields::Unnamed(fields) if fields.unnamed.len() == 1 => {
                    let bounds = fields.unnamed.iter();
                    let choice = bounds.map(|field| bound(field, "FormChoice", private));
                    let choice = says("FormChoice", choice.collect());
                    // The type may be of another crate, which cannot say what it is.
                    let field = says("FormField", Vec::new());
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
            let says = |role: &str| says(role, &item.ident, &item.generics, Vec::new(), private);
            let (field, choice) = (says("FormField"), says("FormChoice"));
            quote! { #field #choice }
        }
        _ => TokenStream::new(),
    }
}

fn says(
    role: &str,
    ident: &Ident,
    generics: &Generics,
    bounds: Vec<TokenStream>,
    private: &TokenStream,
) -> TokenStream {
    let role = Ident::new(role, proc_macro2::Span::call_site());
    let (parameters, arguments, written) = generics.split_for_impl();
    let written = written.iter().flat_map(|clause| &clause.predicates);
    quote! {
        #[automatically_derived]
        #[allow(deprecated, unused_lifetimes)]
        impl #parameters #private::#role for #ident #arguments where #(#written,)* #(#bounds,)* {}
    }
}

fn bound(field: &Field, role: &str, private: &TokenStream) -> TokenStream {
    let (ty, span): (&Type, _) = (&field.ty, field.ty.span());
    let role = Ident::new(role, span);
    quote_spanned! { span => for<'mcp_form> #ty: #private::#role }
}

/// Whether the type of a field decides what the form has.
fn is_judged(attributes: &[Attribute]) -> bool {
    let conditional = |it: &Attribute| it.path().is_ident("cfg") || it.path().is_ident("cfg_attr");
    !attributes.iter().any(conditional)
        && !has_other_schema(attributes)
        && !mentions_any(
            attributes,
            SERDE,
            &["flatten", "skip", "skip_deserializing"],
        )
}

/// Whether a struct is read or described as something else than its fields.
fn is_other(attributes: &[Attribute]) -> bool {
    has_other_schema(attributes) || mentions_any(attributes, SERDE, &["transparent"])
}

/// Whether it is read or described as something else than its type.
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
