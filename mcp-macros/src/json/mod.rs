//! The macro `#[json]`.

mod attribute;
mod field;
mod form;
mod recursion;
mod unenforced;
mod unknown_fields;

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Item, LitStr, Path};

use crate::args::{Keys, keys};
use crate::errors::Errors;
use crate::expand::Macro;

keys! {
    /// The keys of `#[json(…)]`.
    pub(crate) struct JsonKeys {
        krate "crate": Path,
    }
}

/// A type and the keys of its attribute.
pub(crate) struct Json {
    krate: Path,
    item: Item,
}

impl Macro for Json {
    fn parse(args: TokenStream, item: TokenStream, errors: &mut Errors) -> Option<Self> {
        let mut keys = JsonKeys::default();
        keys.parse(args, errors);
        match syn::parse2::<Item>(item.clone()) {
            Ok(mut item @ (Item::Struct(_) | Item::Enum(_))) => {
                let krate = match &keys.krate {
                    Some(krate) => krate.value.clone(),
                    None => syn::parse_quote!(::mcp_runtime),
                };
                field::apply_arg_attributes(&mut item, &krate, errors);
                Some(Self { krate, item })
            }
            _ => {
                let first = item.into_iter().next();
                let message = "`#[json]` goes on a struct or an enum, not on this item";
                errors.push(first.to_token_stream(), message);
                None
            }
        }
    }

    fn check(&self, errors: &mut Errors) {
        recursion::check(&self.item, errors);
    }

    /// Returns the item with the derives. The derives are present even if there are errors, because
    /// otherwise each use of the type would cause another error.
    fn item(&self) -> TokenStream {
        let krate = &self.krate;
        let serde = private_path(krate, "serde");
        let schemars = private_path(krate, "schemars");
        let deny = unknown_fields::denies_unknown_fields(&self.item)
            .then(|| quote! { , deny_unknown_fields });
        let unenforced = unenforced::transform(&self.item, krate);
        let item = &self.item;
        let form = form::marker_impls(item, &quote! { #krate::__private });
        quote! {
            // The schemars derive calls methods of these traits, which a module without the
            // standard prelude does not import.
            #[allow(unused_imports, clippy::items_after_statements)]
            use #krate::__private::{From as _, Into as _, IntoIterator as _, Iterator as _};
            #[derive(
                #krate::__private::serde::Serialize,
                #krate::__private::serde::Deserialize,
                #krate::__private::schemars::JsonSchema,
            )]
            #[serde(crate = #serde #deny)]
            #[schemars(crate = #schemars #unenforced)]
            #item
            #form
        }
    }

    fn emit(&self) -> TokenStream {
        TokenStream::new()
    }
}

/// Returns the path of a crate that the runtime re-exports as a string literal for an attribute.
fn private_path(krate: &Path, module: &str) -> LitStr {
    let path = quote! { #krate::__private }.to_string().replace(' ', "");
    LitStr::new(&format!("{path}::{module}"), proc_macro2::Span::call_site())
}
