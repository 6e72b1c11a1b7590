//! Generates the tokens for the rules in `#[arg(…)]`.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote_spanned};
use syn::Ident;

use super::parameter::ArgKeys;
use crate::args::{Bounds, KeyValue};

/// A generator of the rules for an argument or a field.
pub(crate) struct Rules<'a> {
    pub(crate) keys: &'a ArgKeys,
    /// The path of the runtime module that contains the rule functions.
    pub(crate) private: &'a TokenStream,
    /// Returns tokens for the type that have the span of a key.
    ///
    /// The tokens are usually a type alias. If the type does not support a rule, rustc reports the
    /// error at the key of the rule and shows the name of the type.
    pub(crate) ty: &'a dyn Fn(Span) -> TokenStream,
}

impl Rules<'_> {
    /// Returns the rules that reject invalid values.
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

    /// Returns the rule that clamps values to a range.
    pub(crate) fn clamp(&self) -> Option<TokenStream> {
        let clamp = self.keys.clamp.as_ref();
        clamp.map(|clamp| self.bounded(clamp))
    }

    /// Returns a rule with bounds.
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

    /// Returns a call of the runtime function that has the same name as the key.
    fn rule(&self, key: &Ident, value: &TokenStream) -> TokenStream {
        let span = key.span();
        let (private, ty) = (with_span(self.private, span), (self.ty)(span));
        quote_spanned! { span => #private::#key::<#ty>(#value) }
    }
}

/// Returns the path with the span `span`.
///
/// rustc would report an error twice if the path and the rest of the call had different spans.
fn with_span(path: &TokenStream, span: Span) -> TokenStream {
    let tokens = path.clone().into_iter();
    tokens
        .map(|mut token| {
            // `$crate` must keep its span, because the span determines the crate.
            if token.to_string() != "$crate" {
                token.set_span(span);
            }
            token
        })
        .collect()
}
