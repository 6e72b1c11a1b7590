use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{Attribute, ItemImpl, Receiver, Type};

use crate::errors::Errors;

/// The `impl` block of a method.
#[derive(Clone)]
pub(crate) struct ImplBlock {
    ty: Type,
    pub(super) attributes: Vec<Attribute>,
}

/// The name of the type alias that replaces `Self` in generated code.
const ALIAS: &str = "McpToolsSelf";

impl ImplBlock {
    pub(crate) fn of(item: &ItemImpl) -> Self {
        Self {
            ty: item.self_ty.as_ref().clone(),
            attributes: item.attrs.clone(),
        }
    }

    /// Replaces `Self` by a type alias and declares the alias. Items in a constant cannot use
    /// `Self`.
    pub(super) fn replace_self(&self, tokens: TokenStream) -> TokenStream {
        let (alias, ty) = (Ident::new(ALIAS, proc_macro2::Span::call_site()), &self.ty);
        let tokens = rename_self(tokens);
        quote! { type #alias = #ty; #tokens }
    }
}

fn rename_self(tokens: TokenStream) -> TokenStream {
    let rename = |token| match token {
        TokenTree::Ident(ident) if ident == "Self" => {
            // The span resolves like the alias, but errors are reported at the location of `Self`.
            let span = proc_macro2::Span::call_site().located_at(ident.span());
            TokenTree::Ident(Ident::new(ALIAS, span))
        }
        TokenTree::Group(group) => {
            let mut inner = Group::new(group.delimiter(), rename_self(group.stream()));
            inner.set_span(group.span());
            TokenTree::Group(inner)
        }
        token => token,
    };
    tokens.into_iter().map(rename).collect()
}

/// Reports an error unless the receiver is `&self` in a `#[tools]` block. All calls share one value
/// of the type.
pub(super) fn check_receiver(receiver: &Receiver, owner: Option<&ImplBlock>, errors: &mut Errors) {
    let written = receiver.to_token_stream().to_string();
    let is_shared = written.replace(' ', "") == "&self";
    if owner.is_none() {
        let message = "a tool with `self` is a method; put `#[tools]` on its `impl`";
        errors.push(receiver, message);
    } else if !is_shared {
        let message = "a tool takes `&self`; put mutable state in a `Mutex`";
        errors.push(receiver, message);
    }
}
