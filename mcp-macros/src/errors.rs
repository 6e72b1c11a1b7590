use std::fmt::Display;

use proc_macro2::TokenStream;
use quote::ToTokens;

/// All compile errors of one macro invocation.
#[derive(Default)]
pub(crate) struct Errors(Option<syn::Error>);

impl Errors {
    /// Adds an error at `tokens` in the user's code.
    pub(crate) fn push(&mut self, tokens: impl ToTokens, message: impl Display) {
        self.add(syn::Error::new_spanned(tokens, message));
    }

    pub(crate) fn add(&mut self, error: syn::Error) {
        match &mut self.0 {
            Some(first) => first.combine(error),
            empty => *empty = Some(error),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    pub(crate) fn into_tokens(self) -> TokenStream {
        self.0
            .map_or_else(TokenStream::new, syn::Error::into_compile_error)
    }
}
