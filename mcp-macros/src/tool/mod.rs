//! `#[tool]`.

mod check;
mod emit;

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::{ItemFn, LitStr};

use crate::args::{Args, Key, Kind};
use crate::errors::Errors;
use crate::expand::Macro;
use crate::signature::Signature;

/// The keys of `#[tool(…)]`, in the order in which messages list them.
const KEYS: [Key; 8] = [
    ("name", Kind::Text),
    ("title", Kind::Text),
    ("read_only", Kind::Flag),
    ("destructive", Kind::Flag),
    ("idempotent", Kind::Flag),
    ("closed_world", Kind::Flag),
    ("inline", Kind::Flag),
    ("crate", Kind::Path),
];

/// A function and what its attribute says.
pub(crate) struct Tool {
    args: Args,
    signature: Signature,
}

impl Macro for Tool {
    fn parse(args: TokenStream, item: TokenStream, errors: &mut Errors) -> Option<Self> {
        let args = Args::parse(args, &KEYS, errors);
        let Ok(function) = syn::parse2::<ItemFn>(item.clone()) else {
            let first = item.into_iter().next();
            errors.push(
                first.to_token_stream(),
                "`#[tool]` goes on a function, not on this item",
            );
            return None;
        };
        let signature = Signature::parse(function, errors);
        Some(Self { args, signature })
    }

    fn check(&self, errors: &mut Errors) {
        check::check(self, errors);
    }

    fn item(&self) -> TokenStream {
        self.signature.function.to_token_stream()
    }

    fn emit(&self) -> TokenStream {
        emit::emit(self)
    }
}

impl Tool {
    /// The name on the wire.
    fn name(&self) -> String {
        let given = self.args.text("name").map(LitStr::value);
        given.unwrap_or_else(|| self.signature.ident().unraw().to_string())
    }

    /// What to mark when the name is wrong.
    fn name_tokens(&self) -> TokenStream {
        let given = self.args.text("name").map(ToTokens::to_token_stream);
        given.unwrap_or_else(|| self.signature.ident().to_token_stream())
    }
}
