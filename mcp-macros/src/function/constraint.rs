//! What `#[arg(…)]` asks of values: its tokens.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::Ident;
use syn::spanned::Spanned;

use super::Argument;
use super::emit::Emit;
use crate::args::{Bounds, Given};

impl Argument {
    /// A name for the type, where the type has to stand at another place.
    ///
    /// A bound on an alias is reported where the alias is used, with the name of
    /// the type: so the error is on the key that asks for the bound.
    pub(super) fn alias(&self) -> Option<TokenStream> {
        let (name, ty) = (self.alias_at(Span::call_site()), &self.ty);
        self.is_constrained().then(|| quote! { type #name = #ty; })
    }

    fn alias_at(&self, span: Span) -> Ident {
        format_ident!("argument_type_{}", self.index, span = span)
    }

    fn is_constrained(&self) -> bool {
        let keys = &self.keys;
        keys.range.is_some()
            || keys.clamp.is_some()
            || keys.length.is_some()
            || keys.pattern.is_some()
            || keys.one_of.is_some()
            || keys.items.is_some()
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
            quote! { .with_default(|| #private::default_value::<#ty>(#default())) }
        });
        let example = keys.example.as_ref().map(|example| {
            let example = &example.value;
            let value = quote_spanned! { example.span() => #private::default_value(#example) };
            quote! { .with_example(|| #value) }
        });
        let rules = self.rules(argument);
        let rules = (!rules.is_empty()).then(|| quote! { .with_rules(&[#(&#rules),*]) });
        let clamp = keys.clamp.as_ref().map(|clamp| {
            let clamp = self.bounded(argument, clamp);
            quote! { .with_clamp(&#clamp) }
        });
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
        let made = quote_spanned! { ty.span() =>
            #private::tool_argument::<#ty>(#name, #description)
        };
        quote! { #made #default #complete #example #rules #clamp #secret #header }
    }

    fn rules(&self, argument: &Argument) -> Vec<TokenStream> {
        let keys = &argument.keys;
        let bounded = [&keys.range, &keys.length, &keys.items]
            .into_iter()
            .flatten();
        let mut rules: Vec<TokenStream> = bounded
            .map(|bounds| self.bounded(argument, bounds))
            .collect();
        rules.extend(keys.pattern.as_ref().map(|Given { key, value }| {
            let expression = &value.0;
            self.rule(argument, key, &quote! { #expression })
        }));
        rules.extend(keys.one_of.as_ref().map(|Given { key, value }| {
            let values = &value.0;
            self.rule(
                argument,
                key,
                &quote_spanned! { key.span() => &[#(#values),*] },
            )
        }));
        rules
    }

    /// A rule that takes bounds.
    fn bounded(&self, argument: &Argument, given: &Given<Bounds>) -> TokenStream {
        let Given { key, value } = given;
        let span = key.span();
        let private = self.private_at(span);
        let start = value.start.as_ref();
        let start = start.map(|start| quote_spanned! { span => .from(#start) });
        let end = value.end.as_ref().map(|end| match value.inclusive {
            true => quote_spanned! { span => .to(#end) },
            false => quote_spanned! { span => .before(#end) },
        });
        let bounds = quote_spanned! { span => #private::unbounded() #start #end };
        self.rule(argument, key, &bounds)
    }

    /// A rule that is named as its key.
    fn rule(&self, argument: &Argument, key: &Ident, value: &TokenStream) -> TokenStream {
        let span = key.span();
        let (private, alias) = (self.private_at(span), argument.alias_at(span));
        quote_spanned! { span => #private::#key::<#alias>(#value) }
    }
}
