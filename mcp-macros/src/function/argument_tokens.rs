//! Generates the tokens for an owned parameter.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Ident, Type};

use super::Argument;
use super::emit::{ArgumentFormat, Emitter};
use super::rules::Rules;

impl Argument {
    /// Returns a type alias for the parameter type if the parameter has rules. The code for a rule
    /// uses the alias with the span of the rule's key.
    pub(super) fn alias(&self) -> Option<TokenStream> {
        let (name, ty) = (self.type_alias(Span::call_site()), &self.ty);
        let is_used = self.keys.has_rules();
        is_used.then(|| quote! { type #name = #ty; })
    }

    fn type_alias(&self, span: Span) -> Ident {
        format_ident!("argument_type_{}", self.index, span = span)
    }
}

impl Emitter<'_> {
    /// Returns an expression for the runtime's `Parameter`. Only this expression has a trait bound
    /// on the type, so rustc reports an invalid argument type only once.
    pub(super) fn parameter(&self, argument: &Argument) -> TokenStream {
        let private = &self.private;
        let Argument {
            ty,
            description,
            keys,
            ..
        } = argument;
        let name = argument.name();
        let default = argument.default().map(|_| {
            let default = argument.default_fn();
            let to_json = match self.format {
                ArgumentFormat::Json => quote! { #private::to_json_value::<#ty> },
                ArgumentFormat::Text => quote! { #private::ArgumentProbe::<#ty>::TO_JSON },
            };
            quote! { .with_default(&#private::default_value(#default, #to_json)) }
        });
        let example = keys.example.as_ref().map(|example| {
            let example = &example.value;
            let value = quote_spanned! { example.span() => #private::to_json_value(#example) };
            quote! { .with_example(|| #value) }
        });
        let rules = Rules {
            keys,
            private,
            ty: &|span| argument.type_alias(span).into_token_stream(),
        };
        let clamp = rules.clamp().map(|clamp| quote! { .with_clamp(&#clamp) });
        let rules = rules.all();
        let rules = (!rules.is_empty()).then(|| quote! { .with_rules(&[#(&#rules),*]) });
        let secret = keys.secret.as_ref().map(|_| quote! { .with_secret() });
        let header = keys.header.as_ref().map(|header| {
            let header = &header.value;
            quote! { .with_header(#header) }
        });
        let complete = keys.complete.as_ref().map(|complete| {
            let path = &complete.value;
            let complete_argument =
                quote_spanned! { path.span() => #private::complete_argument(request, #path) };
            quote! { .with_completion(|request| #complete_argument) }
        });
        let constructor = self.constructor(ty, &name, description);
        quote! { #constructor #default #complete #example #rules #clamp #secret #header }
    }

    /// Returns the constructor call with the trait bound on `ty`. The call has the span of `ty`, so
    /// rustc reports an invalid type there.
    fn constructor(&self, ty: &Type, name: &str, description: &str) -> TokenStream {
        let private = &self.private;
        match self.format {
            ArgumentFormat::Json => quote_spanned! { ty.span() =>
                #private::tool_argument::<#ty>(#name, #description)
            },
            ArgumentFormat::Text => {
                let probe = quote! { #private::ArgumentProbe::<#ty> };
                quote_spanned! { ty.span() =>
                    #private::text_argument::<#ty, _, _>(
                        #name, #description, #probe::READER, #probe::PRESENCE,
                    )
                }
            }
        }
    }
}
