//! `#[json]`.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Attribute, Fields, Item, LitStr, Path};

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
    keys: JsonKeys,
    item: Item,
}

impl Macro for Json {
    fn parse(args: TokenStream, item: TokenStream, errors: &mut Errors) -> Option<Self> {
        let mut keys = JsonKeys::default();
        keys.read(args, errors);
        match syn::parse2::<Item>(item.clone()) {
            Ok(item @ (Item::Struct(_) | Item::Enum(_))) => Some(Self { keys, item }),
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
        let krate = match &self.keys.krate {
            Some(krate) => krate.value.clone(),
            None => syn::parse_quote!(::mcp_runtime),
        };
        let serde = inner(&krate, "serde");
        let schemars = inner(&krate, "schemars");
        let deny = self.is_closed().then(|| quote! { , deny_unknown_fields });
        let item = &self.item;
        quote! {
            #[derive(
                #krate::__private::serde::Serialize,
                #krate::__private::serde::Deserialize,
                #krate::__private::schemars::JsonSchema,
            )]
            #[serde(crate = #serde #deny)]
            #[schemars(crate = #schemars)]
            #item
        }
    }

    fn emit(&self) -> TokenStream {
        TokenStream::new()
    }
}

impl Json {
    /// Whether unknown members are refused: for a struct of named fields, unless
    /// a flattened field is there to take them.
    fn is_closed(&self) -> bool {
        let Item::Struct(item) = &self.item else {
            return false;
        };
        let Fields::Named(fields) = &item.fields else {
            return false;
        };
        let flattens = |attribute: &Attribute| mentions(attribute, "flatten");
        let denies = |attribute: &Attribute| {
            mentions(attribute, "deny_unknown_fields") || mentions(attribute, "transparent")
        };
        !item.attrs.iter().any(denies)
            && !fields
                .named
                .iter()
                .any(|field| field.attrs.iter().any(flattens))
    }
}

/// Whether a `#[serde(…)]` attribute has that key.
fn mentions(attribute: &Attribute, key: &str) -> bool {
    let mut found = false;
    if attribute.path().is_ident("serde") {
        // What serde's derive would refuse, it refuses itself.
        let _ = attribute.parse_nested_meta(|meta| {
            found |= meta.path.is_ident(key);
            if meta.input.peek(syn::Token![=]) {
                meta.value()?.parse::<syn::Expr>()?;
            }
            Ok(())
        });
    }
    found
}

/// A module behind the runtime, as the text that derives take it in.
fn inner(krate: &Path, module: &str) -> LitStr {
    let path = quote! { #krate::__private }.to_string().replace(' ', "");
    LitStr::new(&format!("{path}::{module}"), proc_macro2::Span::call_site())
}
