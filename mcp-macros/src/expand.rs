use proc_macro2::TokenStream;
use quote::quote;

use crate::errors::Errors;

/// One attribute macro, from tokens to tokens.
pub(crate) trait Macro: Sized {
    /// Reads the attribute and the item into a model; what is unreadable is an error.
    fn parse(args: TokenStream, item: TokenStream, errors: &mut Errors) -> Option<Self>;

    /// Checks every rule, so that all mistakes come together.
    fn check(&self, errors: &mut Errors);

    /// The item as the user wrote it, without the attributes that only we know;
    /// nothing if the compiler would say again what is wrong with it.
    fn item(&self) -> TokenStream;

    /// The item's registration.
    fn emit(&self) -> TokenStream;
}

/// Drives the stages. With an error the item is kept, so that nothing else breaks.
pub(crate) fn expand<M: Macro>(args: TokenStream, item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let Some(model) = M::parse(args, item.clone(), &mut errors) else {
        let errors = errors.into_tokens();
        return quote! { #errors #item };
    };
    model.check(&mut errors);
    let item = model.item();
    if errors.is_empty() {
        let registration = model.emit();
        quote! { #item #registration }
    } else {
        let errors = errors.into_tokens();
        quote! { #errors #item }
    }
}
