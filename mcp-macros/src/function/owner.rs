use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{Attribute, ItemImpl, Receiver, Type};

use crate::errors::Errors;

/// The `impl` that a method stands in.
#[derive(Clone)]
pub(crate) struct Owner {
    ty: Type,
    pub(super) attributes: Vec<Attribute>,
}

/// What `Self` is called where the `impl` does not reach.
const ALIAS: &str = "McpToolsSelf";

impl Owner {
    pub(crate) fn of(item: &ItemImpl) -> Self {
        Self {
            ty: item.self_ty.as_ref().clone(),
            attributes: item.attrs.clone(),
        }
    }

    /// The same tokens where `Self` means nothing, as in items within a constant.
    pub(super) fn outside(&self, tokens: TokenStream) -> TokenStream {
        let (alias, ty) = (Ident::new(ALIAS, proc_macro2::Span::call_site()), &self.ty);
        let tokens = renamed(tokens);
        quote! { type #alias = #ty; #tokens }
    }
}

fn renamed(tokens: TokenStream) -> TokenStream {
    let rename = |token| match token {
        TokenTree::Ident(ident) if ident == "Self" => {
            // At the place of the `Self` and visible to it, as the alias is.
            let span = proc_macro2::Span::call_site().located_at(ident.span());
            TokenTree::Ident(Ident::new(ALIAS, span))
        }
        TokenTree::Group(group) => {
            let mut inner = Group::new(group.delimiter(), renamed(group.stream()));
            inner.set_span(group.span());
            TokenTree::Group(inner)
        }
        token => token,
    };
    tokens.into_iter().map(rename).collect()
}

/// State is shared between calls, so a method can only look at it.
pub(super) fn check_receiver(receiver: &Receiver, owner: Option<&Owner>, errors: &mut Errors) {
    let written = receiver.to_token_stream().to_string();
    let shared = written.replace(' ', "") == "&self";
    if owner.is_none() {
        let message = "a tool with `self` is a method; put `#[tools]` on its `impl`";
        errors.push(receiver, message);
    } else if !shared {
        let message = "a tool borrows its state; write `&self`, and put what changes in a `Mutex`";
        errors.push(receiver, message);
    }
}
