//! The tokens of the rules in `#[arg(…)]`.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote_spanned};
use syn::Ident;

use super::parameter::ArgKeys;
use crate::args::{Bounds, KeyValue};

/// Emits the rules for the value of an argument or a field.
pub(crate) struct Rules<'a> {
    pub(crate) keys: &'a ArgKeys,
    /// The path of the only module that generated code names.
    pub(crate) private: &'a TokenStream,
    /// Returns the type with the span of a key.
    ///
    /// rustc reports an unsatisfied bound on an alias where the alias is used, with the
    /// name of the type, so the error is at the key.
    pub(crate) ty: &'a dyn Fn(Span) -> TokenStream,
}

impl Rules<'_> {
    /// The rules that reject values.
    pub(crate) fn all(&self) -> Vec<TokenStream> {
        let keys = self.keys;
        let bounded = [&keys.range, &keys.length, &keys.items];
        let bounded = bounded.into_iter().flatten();
        let mut rules: Vec<TokenStream> = bounded.map(|bounds| self.bounded(bounds)).collect();
        rules.extend(keys.pattern.as_ref().map(|KeyValue { key, value }| {
            let expression = value.0.to_token_stream();
            self.rule(key, &expression)
        }));
        rules.extend(keys.one_of.as_ref().map(|KeyValue { key, value }| {
            let values = &value.0;
            self.rule(key, &quote_spanned! { key.span() => &[#(#values),*] })
        }));
        rules
    }

    /// The rule that moves values into a range.
    pub(crate) fn clamp(&self) -> Option<TokenStream> {
        let clamp = self.keys.clamp.as_ref();
        clamp.map(|clamp| self.bounded(clamp))
    }

    /// A rule with bounds.
    fn bounded(&self, bounds: &KeyValue<Bounds>) -> TokenStream {
        let KeyValue { key, value } = bounds;
        let span = key.span();
        let private = with_span(self.private, span);
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

    /// A call of the function that has the name of the key.
    fn rule(&self, key: &Ident, value: &TokenStream) -> TokenStream {
        let span = key.span();
        let (private, ty) = (with_span(self.private, span), (self.ty)(span));
        quote_spanned! { span => #private::#key::<#ty>(#value) }
    }
}

/// The path with the span of the user's tokens.
///
/// The span of an expression starts at its first token, and rustc reports an error twice
/// if its spans differ.
fn with_span(path: &TokenStream, span: Span) -> TokenStream {
    let tokens = path.clone().into_iter();
    tokens
        .map(|mut token| {
            // The span of `$crate` determines the crate.
            if token.to_string() != "$crate" {
                token.set_span(span);
            }
            token
        })
        .collect()
}
