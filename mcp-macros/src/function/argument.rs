//! An owned parameter, as tokens.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Ident, Type};

use super::Argument;
use super::emit::{Arrives, Emit};
use super::rules::Rules;

impl Argument {
    /// A name for the type, where the type has to stand at another place.
    pub(super) fn alias(&self) -> Option<TokenStream> {
        let (name, ty) = (self.alias_at(Span::call_site()), &self.ty);
        let needed = self.keys.limits_anything();
        needed.then(|| quote! { type #name = #ty; })
    }

    fn alias_at(&self, span: Span) -> Ident {
        format_ident!("argument_type_{}", self.index, span = span)
    }
}

impl Emit<'_> {
    /// The one place that demands that the type can be an argument.
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
            let told = match self.arrives {
                Arrives::Json => quote! { #private::default_value::<#ty> },
                Arrives::Text => quote! { #private::Asked::<#ty>::TOLD },
            };
            quote! { .with_default(&#private::preset(#default, #told)) }
        });
        let example = keys.example.as_ref().map(|example| {
            let example = &example.value;
            let value = quote_spanned! { example.span() => #private::default_value(#example) };
            quote! { .with_example(|| #value) }
        });
        let rules = Rules {
            keys,
            private,
            ty: &|span| argument.alias_at(span).into_token_stream(),
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
            let completer =
                quote_spanned! { path.span() => #private::completer(completing, #path) };
            quote! { .with_completion(|completing| #completer) }
        });
        let made = self.unlimited(ty, &name, description);
        quote! { #made #default #complete #example #rules #clamp #secret #header }
    }

    /// The bound on the type stands at the type.
    fn unlimited(&self, ty: &Type, name: &str, description: &str) -> TokenStream {
        let private = &self.private;
        match self.arrives {
            Arrives::Json => quote_spanned! { ty.span() =>
                #private::tool_argument::<#ty>(#name, #description)
            },
            Arrives::Text => {
                let asked = quote! { #private::Asked::<#ty> };
                quote_spanned! { ty.span() =>
                    #private::text_argument::<#ty, _, _>(
                        #name, #description, #asked::READER, #asked::PRESENCE,
                    )
                }
            }
        }
    }
}
