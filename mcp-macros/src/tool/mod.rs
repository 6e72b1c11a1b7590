//! `#[tool]`.

mod check;
mod emit;

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::{Expr, ItemFn, LitStr, Path};

use crate::args::{
    Bytes, Choice, Count, Exprs, Flag, Hint, Keys, Millis, Names, Pairs, Texts, keys,
};
use crate::errors::Errors;
use crate::expand::Macro;
use crate::function::Function;

keys! {
    /// The keys of `#[tool(…)]`.
    pub(crate) struct ToolKeys {
        name "name": LitStr,
        title "title": LitStr,
        description "description": LitStr,
        read_only "read_only": Hint,
        destructive "destructive": Hint,
        idempotent "idempotent": Hint,
        open_world "open_world": Flag,
        closed_world "closed_world": Flag,
        icons "icons": Exprs,
        meta "meta": Pairs,
        group "group": LitStr,
        scopes "scopes": Texts,
        confirm "confirm": LitStr,
        timeout "timeout": Millis,
        inline "inline": Flag,
        serial "serial": Flag,
        max_concurrency "max_concurrency": Count,
        max_result "max_result": Bytes,
        unknown "unknown": Choice,
        renamed_from "renamed_from": Names,
        deprecated "deprecated": LitStr,
        input_schema "input_schema": Expr,
        dotted "dotted": Flag,
        krate "crate": Path,
    }
}

/// A function and what its attribute says.
pub(crate) struct Tool {
    keys: ToolKeys,
    function: Function,
}

impl Macro for Tool {
    fn parse(args: TokenStream, item: TokenStream, errors: &mut Errors) -> Option<Self> {
        let mut keys = ToolKeys::default();
        keys.read(args, errors);
        let Ok(function) = syn::parse2::<ItemFn>(item.clone()) else {
            let first = item.into_iter().next();
            errors.push(
                first.to_token_stream(),
                "`#[tool]` goes on a function, not on this item",
            );
            return None;
        };
        let function = Function::parse(function, errors);
        Some(Self { keys, function })
    }

    fn check(&self, errors: &mut Errors) {
        check::check(self, errors);
    }

    fn item(&self) -> TokenStream {
        self.function.item.to_token_stream()
    }

    fn emit(&self) -> TokenStream {
        emit::emit(self)
    }
}

impl Tool {
    /// The name on the wire.
    fn name(&self) -> String {
        match &self.keys.name {
            Some(name) => name.value.value(),
            None => self.function.ident().unraw().to_string(),
        }
    }

    /// What to mark when the name is wrong.
    fn name_tokens(&self) -> TokenStream {
        match &self.keys.name {
            Some(name) => name.value.to_token_stream(),
            None => self.function.ident().to_token_stream(),
        }
    }

    /// What the model is told it does.
    fn description(&self) -> String {
        match &self.keys.description {
            Some(description) => description.value.value(),
            None => self.function.description.clone(),
        }
    }
}
