use proc_macro2::TokenStream;
use quote::quote;

use crate::errors::Errors;

/// An attribute macro, as the stages that [`expand`] runs.
pub(crate) trait Macro: Sized {
    /// Parses the attribute and the item into a model; `None` if the item cannot be parsed.
    fn parse(args: TokenStream, item: TokenStream, errors: &mut Errors) -> Option<Self>;

    /// Checks every rule, so that all mistakes are reported together.
    fn check(&self, errors: &mut Errors);

    /// The item as written, without the helper attributes; empty if the compiler would
    /// report the same mistake again.
    fn item(&self) -> TokenStream;

    /// The code that registers the item.
    fn emit(&self) -> TokenStream;
}

/// Runs the stages. Keeps the item if there are errors, so that its uses still compile.
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
