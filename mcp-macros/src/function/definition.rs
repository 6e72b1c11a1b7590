use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, LitStr};

use super::emit::{Emitter, option};

/// The fields of a definition that the attribute and the doc comment set.
#[derive(Default)]
pub(crate) struct DefinitionFields<'a> {
    pub(crate) name: String,
    pub(crate) title: Option<&'a LitStr>,
    pub(crate) description: String,
    pub(crate) icons: &'a [Expr],
    pub(crate) meta: &'a [(LitStr, Expr)],
    pub(crate) group: Option<&'a LitStr>,
    pub(crate) deprecated: Option<&'a LitStr>,
    pub(crate) renamed_from: &'a [LitStr],
}

impl Emitter<'_> {
    /// Returns an expression for the `CommonDescriptor`. Optional fields are omitted unless
    /// they are set.
    pub(crate) fn definition(&self, fields: &DefinitionFields<'_>) -> TokenStream {
        let private = &self.private;
        let (name, description) = (&fields.name, &fields.description);
        let parameters = self
            .function
            .arguments()
            .map(|argument| self.parameter(argument));
        let requirements = self.function.borrows().map(|borrowed| {
            let ty = &borrowed.ty;
            quote_spanned! { ty.span() => #private::requirement::<#ty>() }
        });
        let location = quote_spanned! { self.function.ident().span() =>
            #private::Location { file: #private::file!(), line: #private::line!() }
        };
        let (forms, rest) = (self.forms(), self.optional_fields(fields));
        quote! {
            #private::CommonDescriptor {
                name: #name,
                description: #description,
                parameters: &[#(#parameters),*],
                requirements: &[#(#requirements),*],
                location: #location,
                #forms
                #rest
                ..#private::CommonDescriptor::EMPTY
            }
        }
    }

    fn optional_fields(&self, fields: &DefinitionFields<'_>) -> TokenStream {
        let private = &self.private;
        let text = |field: &str, text: Option<&LitStr>| {
            let field = syn::Ident::new(field, proc_macro2::Span::call_site());
            let text = option(private, text);
            quote! { #field: #text, }
        };
        let title = fields.title.map(|title| text("title", Some(title)));
        let group = fields.group.map(|group| text("group", Some(group)));
        let deprecated = fields
            .deprecated
            .map(|instead| text("deprecated", Some(instead)));
        let icons = (!fields.icons.is_empty()).then(|| {
            let icons = fields.icons.iter().map(|icon| {
                quote_spanned! { icon.span() => <#private::Icon as #private::From<_>>::from(#icon) }
            });
            quote! { icons: || #private::vec![#(#icons),*], }
        });
        let meta = (!fields.meta.is_empty()).then(|| self.meta(fields.meta));
        let renamed_from = fields.renamed_from;
        let renamed_from =
            (!renamed_from.is_empty()).then(|| quote! { renamed_from: &[#(#renamed_from),*], });
        quote! { #title #group #deprecated #icons #meta #renamed_from }
    }

    fn meta(&self, meta: &[(LitStr, Expr)]) -> TokenStream {
        let private = &self.private;
        let members = meta.iter().map(|(key, value)| {
            let value = quote_spanned! { value.span() => #private::to_json_value(#value) };
            quote! { (<#private::String as #private::From<_>>::from(#key), #value) }
        });
        quote! {
            meta: #private::Some(|| {
                #private::Iterator::collect(#private::IntoIterator::into_iter([#(#members),*]))
            }),
        }
    }
}
