//! `#[json]`.

mod attribute;
mod closed;
mod field;
mod form;

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

/// A type and what its attribute says.
pub(crate) struct Json {
    krate: Path,
    item: Item,
}

impl Macro for Json {
    fn parse(args: TokenStream, item: TokenStream, errors: &mut Errors) -> Option<Self> {
        let mut keys = JsonKeys::default();
        keys.read(args, errors);
        match syn::parse2::<Item>(item.clone()) {
            Ok(mut item @ (Item::Struct(_) | Item::Enum(_))) => {
                let krate = match &keys.krate {
                    Some(krate) => krate.value.clone(),
                    None => syn::parse_quote!(::mcp_runtime),
                };
                field::limit(&mut item, &krate, errors);
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

    fn check(&self, _: &mut Errors) {}

    /// The derives stand in front even beside an error: without them every use of
    /// the type would be one more.
    fn item(&self) -> TokenStream {
        let krate = &self.krate;
        let serde = inner(krate, "serde");
        let schemars = inner(krate, "schemars");
        let deny = closed::is_closed(&self.item).then(|| quote! { , deny_unknown_fields });
        let item = &self.item;
        let form = form::form(item, &quote! { #krate::__private });
        quote! {
            // What schemars derives calls methods that a module without the prelude
            // does not have.
            #[allow(unused_imports, clippy::items_after_statements)]
            use #krate::__private::{From as _, Into as _, IntoIterator as _, Iterator as _};
            #[derive(
                #krate::__private::serde::Serialize,
                #krate::__private::serde::Deserialize,
                #krate::__private::schemars::JsonSchema,
            )]
            #[serde(crate = #serde #deny)]
            #[schemars(crate = #schemars)]
            #item
            #form
        }
    }

    fn emit(&self) -> TokenStream {
        TokenStream::new()
    }
}

/// A module behind the runtime, as the text that derives take it in.
fn inner(krate: &Path, module: &str) -> LitStr {
    let path = quote! { #krate::__private }.to_string().replace(' ', "");
    LitStr::new(&format!("{path}::{module}"), proc_macro2::Span::call_site())
}
