use proc_macro2::TokenStream;
use quote::quote;
use syn::LitStr;

use crate::args::{KeyValue, StringList};
use crate::errors::Errors;

/// Reports an error if a scope is empty or has a character that RFC 6749, appendix A.4, does not
/// allow.
pub(crate) fn check_scopes(scopes: Option<&KeyValue<StringList>>, errors: &mut Errors) {
    for scope in literals(scopes) {
        let text = scope.value();
        let is_allowed = |c: char| c.is_ascii_graphic() && c != '"' && c != '\\';
        if text.is_empty() || !text.chars().all(is_allowed) {
            errors.push(
                scope,
                "a scope is one word of ASCII characters; write each scope as a separate string",
            );
        }
    }
}

/// Returns the policy of a prompt or a resource, which contains only scopes.
pub(crate) fn scope_policy(
    scopes: Option<&KeyValue<StringList>>,
    private: &TokenStream,
) -> TokenStream {
    let scopes = literals(scopes);
    quote! { #private::Policy { scopes: &[#(#scopes),*], ..#private::Policy::DEFAULT } }
}

fn literals(scopes: Option<&KeyValue<StringList>>) -> impl Iterator<Item = &LitStr> {
    scopes.into_iter().flat_map(|scopes| &scopes.value.0)
}
