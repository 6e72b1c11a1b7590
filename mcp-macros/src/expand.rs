use proc_macro2::TokenStream;
use quote::quote;

use crate::errors::Errors;

/// An attribute macro. [`expand`] calls the methods of this trait to expand it.
pub(crate) trait Macro: Sized {
    /// Parses the attribute and the item. Returns `None` if the item cannot be parsed.
    fn parse(args: TokenStream, item: TokenStream, errors: &mut Errors) -> Option<Self>;

    /// Checks all rules of the macro and reports each violation in `errors`.
    fn check(&self, errors: &mut Errors);

    /// Returns the user's item without helper attributes. Returns no tokens if the compiler would
    /// report an error twice.
    fn item(&self) -> TokenStream;

    /// Returns the code that registers the item.
    fn emit(&self) -> TokenStream;
}

/// Expands an attribute macro. If there are errors, the output still contains the item, because
/// other code that uses the item would otherwise cause more errors.
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
