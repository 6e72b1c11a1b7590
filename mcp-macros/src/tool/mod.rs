//! The macro `#[tool]`.

mod check;
mod emit;

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::{Expr, ItemFn, LitStr, Path, Signature};

use crate::args::{
    BoolFlag, Bytes, Count, ExprList, Flag, KeyExprList, Keys, Millis, StringList, StringOrList,
    TaskSupport, UnknownPolicy, keys,
};
use crate::errors::Errors;
use crate::expand::Macro;
use crate::function::{Function, ImplBlock};

keys! {
    /// The keys of `#[tool(…)]`.
    pub(crate) struct ToolKeys {
        name "name": LitStr,
        title "title": LitStr,
        description "description": LitStr,
        read_only "read_only": BoolFlag,
        destructive "destructive": BoolFlag,
        idempotent "idempotent": BoolFlag,
        open_world "open_world": Flag,
        closed_world "closed_world": Flag,
        ui "ui": LitStr,
        icons "icons": ExprList,
        meta "meta": KeyExprList,
        group "group": LitStr,
        scopes "scopes": StringList,
        confirm "confirm": LitStr,
        timeout "timeout": Millis,
        inline "inline": Flag,
        serial "serial": Flag,
        max_concurrency "max_concurrency": Count,
        max_result "max_result": Bytes,
        task "task": TaskSupport,
        unknown "unknown": UnknownPolicy,
        renamed_from "renamed_from": StringOrList,
        deprecated "deprecated": LitStr,
        input_schema "input_schema": Expr,
        dotted "dotted": Flag,
        krate "crate": Path,
    }
}

/// A tool function and the keys of its attribute.
pub(crate) struct Tool {
    keys: ToolKeys,
    function: Function,
    settings: ImplSettings,
}

/// The settings that all tools of an `impl` block inherit.
#[derive(Clone, Default)]
pub(crate) struct ImplSettings {
    pub(crate) owner: Option<ImplBlock>,
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
        Some(Self::new(args, function, ImplSettings::default(), errors))
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

impl Tool {
    /// Creates a tool from a function and the settings of its `impl` block.
    pub(crate) fn new(
        args: TokenStream,
        function: ItemFn,
        settings: ImplSettings,
        errors: &mut Errors,
    ) -> Self {
        let mut keys = ToolKeys::default();
        keys.parse(args, errors);
        let function = Function::parse(function, settings.owner.clone(), errors);
        Self {
            keys,
            function,
            settings,
        }
    }

    /// Returns the signature of the user's function without helper attributes.
    pub(crate) fn signature(&self) -> &Signature {
        &self.function.item.sig
    }

    /// Returns the name of the tool in the protocol.
    fn name(&self) -> String {
        let own = match &self.keys.name {
            Some(name) => name.value.value(),
            None => self.function.ident().unraw().to_string(),
        };
        let prefix = self.settings.prefix.as_ref().map(LitStr::value);
        prefix.unwrap_or_default() + &own
    }

    /// Returns the tokens at which errors about the name are reported.
    fn name_tokens(&self) -> TokenStream {
        match &self.keys.name {
            Some(name) => name.value.to_token_stream(),
            None => self.function.ident().to_token_stream(),
        }
    }

    /// Returns the description for the model.
    fn description(&self) -> String {
        match &self.keys.description {
            Some(description) => description.value.value(),
            None => self.function.description.clone(),
        }
    }

    /// Returns the scopes of the tool and the scopes of its `impl` block.
    fn scopes(&self) -> impl Iterator<Item = &LitStr> {
        let own = self.keys.scopes.iter().flat_map(|scopes| &scopes.value.0);
        self.settings.scopes.iter().chain(own)
    }
}
