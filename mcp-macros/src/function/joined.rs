use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;

use super::Emit;

impl Emit<'_> {
    /// The one place that asks how what a prompt or a resource returns is
    /// converted: `join` is the function that knows, `outcome` what it makes.
    pub(crate) fn joined(&self, join: &str, outcome: &str) -> TokenStream {
        let (private, function) = (&self.private, self.function);
        let returned = match function.output() {
            Some(ty) => ty.to_token_stream(),
            None => quote! { () },
        };
        let span = function
            .output()
            .map_or_else(|| function.ident().span(), Spanned::span);
        let (join, outcome): (Ident, Ident) = (format_ident!("{join}"), format_ident!("{outcome}"));
        let joined = quote_spanned! { span => #private::#join::<#returned, _, _>(split, error) };
        quote! {
            fn __mcp_output() -> fn(#returned) -> #private::#outcome {
                use #private::kinds::*;
                let returned = #private::probe::<#returned>();
                let split = (&returned).split();
                let error = (&&&split.error()).error_kind();
                #joined
            }
        }
    }
}
