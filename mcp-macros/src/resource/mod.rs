//! The macro `#[resource("…")]`.

mod check;
mod emit;

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::{Expr, ItemFn, LitStr, Path};

use crate::args::{ExprList, Flag, KeyExprList, Keys, StringList, keys};
use crate::errors::Errors;
use crate::expand::Macro;
use crate::function::Function;

keys! {
    /// The keys of `#[resource("…", …)]`.
    pub(crate) struct ResourceKeys {
        name "name": LitStr,
        title "title": LitStr,
        mime_type "mime_type": LitStr,
        size "size": Expr,
        annotations "annotations": Expr,
        subscribe "subscribe": Flag,
        list "list": Path,
        allow_path_traversal "allow_path_traversal": Flag,
        ttl_ms "ttl_ms": Expr,
        private "private": Flag,
        scopes "scopes": StringList,
        group "group": LitStr,
        icons "icons": ExprList,
        meta "meta": KeyExprList,
        inline "inline": Flag,
        krate "crate": Path,
    }
}

/// A resource function, its URI or URI template, and the keys of its attribute.
pub(crate) struct Resource {
    uri: LitStr,
    keys: ResourceKeys,
    function: Function,
}

impl Macro for Resource {
    fn parse(args: TokenStream, item: TokenStream, errors: &mut Errors) -> Option<Self> {
        let (uri, rest) = uri(args, errors)?;
        let mut keys = ResourceKeys::default();
        keys.parse(rest, errors);
        let Ok(function) = syn::parse2::<ItemFn>(item.clone()) else {
            let first = item.into_iter().next();
            errors.push(
                first.to_token_stream(),
                "`#[resource]` goes on a function, not on this item",
            );
            return None;
        };
        let function = Function::parse(function, None, errors);
        Some(Self {
            uri,
            keys,
            function,
        })
    }

    fn check(&self, errors: &mut Errors) {
        check::check(self, errors);
    }

    fn item(&self) -> TokenStream {
        self.function.item_tokens()
    }

    fn emit(&self) -> TokenStream {
        emit::emit(self)
    }
}

impl Resource {
    /// Returns the name for programs and the tokens at which errors about the name are reported.
    fn name(&self) -> (String, TokenStream) {
        match &self.keys.name {
            Some(name) => (name.value.value(), name.value.to_token_stream()),
            None => {
                let ident = self.function.ident();
                (ident.unraw().to_string(), ident.to_token_stream())
            }
        }
    }
}

/// Splits the attribute into the URI and the keys. The URI is first and has no key.
fn uri(args: TokenStream, errors: &mut Errors) -> Option<(LitStr, TokenStream)> {
    let mut tokens = args.into_iter().peekable();
    let first = tokens.next().to_token_stream();
    let Ok(uri) = syn::parse2::<LitStr>(first.clone()) else {
        let message = "a resource needs its URI first: `#[resource(\"notes://{id}\")]`";
        errors.push(first, message);
        return None;
    };
    if let Some(TokenTree::Punct(comma)) = tokens.peek()
        && comma.as_char() == ','
    {
        tokens.next();
    }
    Some((uri, tokens.collect()))
}
