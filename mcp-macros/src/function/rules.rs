//! The limits of `#[arg(…)]`, as tokens.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote_spanned};
use syn::Ident;

use super::parameter::ArgKeys;
use crate::args::{Bounds, Given};

/// Writes the rules that a type has to satisfy.
pub(crate) struct Rules<'a> {
    pub(crate) keys: &'a ArgKeys,
    /// The path to what generated code may name.
    pub(crate) private: &'a TokenStream,
    /// The type, standing at the key that asks something of it.
    ///
    /// A bound on an alias is reported where the alias is used, with the name of
    /// the type: so the error is on the key.
    pub(crate) ty: &'a dyn Fn(Span) -> TokenStream,
}

impl Rules<'_> {
    /// What refuses values.
    pub(crate) fn all(&self) -> Vec<TokenStream> {
        let keys = self.keys;
        let bounded = [&keys.range, &keys.length, &keys.items];
        let bounded = bounded.into_iter().flatten();
        let mut rules: Vec<TokenStream> = bounded.map(|bounds| self.bounded(bounds)).collect();
        rules.extend(keys.pattern.as_ref().map(|Given { key, value }| {
            let expression = value.0.to_token_stream();
            self.rule(key, &expression)
        }));
        rules.extend(keys.one_of.as_ref().map(|Given { key, value }| {
            let values = &value.0;
            self.rule(key, &quote_spanned! { key.span() => &[#(#values),*] })
        }));
        rules
    }

    /// What adjusts values.
    pub(crate) fn clamp(&self) -> Option<TokenStream> {
        let clamp = self.keys.clamp.as_ref();
        clamp.map(|clamp| self.bounded(clamp))
    }

    /// A rule that takes bounds.
    fn bounded(&self, given: &Given<Bounds>) -> TokenStream {
        let Given { key, value } = given;
        let span = key.span();
        let private = standing_at(self.private, span);
        let start = value.start.as_ref();
        let start = start.map(|start| quote_spanned! { span => .from(#start) });
        let end = value.end.as_ref().map(|end| match value.inclusive {
            true => quote_spanned! { span => .to(#end) },
            false => quote_spanned! { span => .before(#end) },
        });
        self.rule(
            key,
            &quote_spanned! { span => #private::unbounded() #start #end },
        )
    }

    /// A rule that is named as its key.
    fn rule(&self, key: &Ident, value: &TokenStream) -> TokenStream {
        let span = key.span();
        let (private, ty) = (standing_at(self.private, span), (self.ty)(span));
        quote_spanned! { span => #private::#key::<#ty>(#value) }
    }
}

/// The same path, standing where the user wrote what it is about.
///
/// An expression's place begins at its first token, and errors that differ in
/// their place only are told twice.
fn standing_at(path: &TokenStream, span: Span) -> TokenStream {
    let tokens = path.clone().into_iter();
    tokens
        .map(|mut token| {
            // The place of `$crate` tells which crate it is.
            if token.to_string() != "$crate" {
                token.set_span(span);
            }
            token
        })
        .collect()
}
