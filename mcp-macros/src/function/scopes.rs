use proc_macro2::TokenStream;
use quote::quote;
use syn::LitStr;

use crate::args::{Given, Texts};
use crate::errors::Errors;

/// What a scope may hold (RFC 6749, appendix A.4).
pub(crate) fn check_scopes(scopes: Option<&Given<Texts>>, errors: &mut Errors) {
    for scope in each(scopes) {
        let text = scope.value();
        let legal = |c: char| c.is_ascii_graphic() && c != '"' && c != '\\';
        if text.is_empty() || !text.chars().all(legal) {
            errors.push(
                scope,
                "a scope is one word; give each scope a text of its own",
            );
        }
    }
}

/// The policy of a definition of which only scopes can be said.
pub(crate) fn policy(scopes: Option<&Given<Texts>>, private: &TokenStream) -> TokenStream {
    let scopes = each(scopes);
    quote! { #private::Policy { scopes: &[#(#scopes),*], ..#private::Policy::OPEN } }
}

fn each(scopes: Option<&Given<Texts>>) -> impl Iterator<Item = &LitStr> {
    scopes.into_iter().flat_map(|scopes| &scopes.value.0)
}
