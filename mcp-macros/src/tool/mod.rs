//! `#[tool]`.

mod check;
mod emit;

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::{Expr, ItemFn, LitStr, Path, Signature};

use crate::args::{
    Bytes, Choice, Count, Exprs, Flag, Hint, Keys, Millis, Names, Pairs, Task, Texts, keys,
};
use crate::errors::Errors;
use crate::expand::Macro;
use crate::function::{Function, Owner};

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
        ui "ui": LitStr,
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
        task "task": Task,
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
    shared: Shared,
}

/// What a tool has from the `impl` that it is a method of.
#[derive(Clone, Default)]
pub(crate) struct Shared {
    pub(crate) owner: Option<Owner>,
    pub(crate) prefix: Option<LitStr>,
    pub(crate) group: Option<LitStr>,
    pub(crate) scopes: Vec<LitStr>,
    pub(crate) krate: Option<Path>,
}

impl Macro for Tool {
    fn parse(args: TokenStream, item: TokenStream, errors: &mut Errors) -> Option<Self> {
        let Ok(function) = syn::parse2::<ItemFn>(item.clone()) else {
            let first = item.into_iter().next();
            errors.push(
                first.to_token_stream(),
                "`#[tool]` goes on a function, not on this item",
            );
            return None;
        };
        Some(Self::new(args, function, Shared::default(), errors))
    }

    fn check(&self, errors: &mut Errors) {
        check::check(self, errors);
    }

    fn item(&self) -> TokenStream {
        self.function.kept()
    }

    fn emit(&self) -> TokenStream {
        emit::emit(self)
    }
}

impl Tool {
    /// The tool that a function is, with what it shares with others.
    pub(crate) fn new(
        args: TokenStream,
        function: ItemFn,
        shared: Shared,
        errors: &mut Errors,
    ) -> Self {
        let mut keys = ToolKeys::default();
        keys.read(args, errors);
        let function = Function::parse(function, shared.owner.clone(), errors);
        Self {
            keys,
            function,
            shared,
        }
    }

    /// The signature as written, without our attributes.
    pub(crate) fn signature(&self) -> &Signature {
        &self.function.item.sig
    }

    /// The name on the wire.
    fn name(&self) -> String {
        let own = match &self.keys.name {
            Some(name) => name.value.value(),
            None => self.function.ident().unraw().to_string(),
        };
        let prefix = self.shared.prefix.as_ref().map(LitStr::value);
        prefix.unwrap_or_default() + &own
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

    /// Its own scopes and those of its `impl`.
    fn scopes(&self) -> impl Iterator<Item = &LitStr> {
        let own = self.keys.scopes.iter().flat_map(|scopes| &scopes.value.0);
        self.shared.scopes.iter().chain(own)
    }
}
