use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;

use super::Emitter;

impl Emitter<'_> {
    /// Returns a function that selects the conversion of the return value of a prompt or a
    /// resource.
    ///
    /// `converter` is the name of the runtime function that returns the conversion. `outcome` is
    /// the name of the type to which the value is converted.
    pub(crate) fn convert_output(&self, converter: &str, outcome: &str) -> TokenStream {
        let (private, function) = (&self.private, self.function);
        let returned = match function.output() {
            Some(ty) => ty.to_token_stream(),
            None => quote! { () },
        };
        let span = function
            .output()
            .map_or_else(|| function.ident().span(), Spanned::span);
        let (converter, outcome): (Ident, Ident) =
            (format_ident!("{converter}"), format_ident!("{outcome}"));
        let conversion =
            quote_spanned! { span => #private::#converter::<#returned, _, _>(split, error) };
        quote! {
            fn __mcp_output() -> fn(#returned) -> #private::#outcome {
                use #private::selection::*;
                let returned = #private::type_tag::<#returned>();
                let split = (&returned).return_kind();
                let error = (&&&split.error()).error_kind();
                #conversion
            }
        }
    }
}
