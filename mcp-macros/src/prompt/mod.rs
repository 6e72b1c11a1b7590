//! The macro `#[prompt]`.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::{ItemFn, LitStr, Path};

use crate::args::{ExprList, Flag, KeyExprList, Keys, StringList, keys};
use crate::errors::Errors;
use crate::expand::Macro;
use crate::function::{
    DefinitionFields, Emitter, Function, RunMode, check_arguments, check_description, check_inline,
    check_name, check_output, check_scopes, check_signature, scope_policy,
};

keys! {
    /// The keys of `#[prompt(…)]`.
    pub(crate) struct PromptKeys {
        name "name": LitStr,
        title "title": LitStr,
        scopes "scopes": StringList,
        group "group": LitStr,
        icons "icons": ExprList,
        meta "meta": KeyExprList,
        inline "inline": Flag,
        krate "crate": Path,
    }
}

/// A prompt function and the keys of its attribute.
pub(crate) struct Prompt {
    keys: PromptKeys,
    function: Function,
}

impl Macro for Prompt {
    fn parse(args: TokenStream, item: TokenStream, errors: &mut Errors) -> Option<Self> {
        let mut keys = PromptKeys::default();
        keys.parse(args, errors);
        let Ok(function) = syn::parse2::<ItemFn>(item.clone()) else {
            let first = item.into_iter().next();
            errors.push(
                first.to_token_stream(),
                "`#[prompt]` goes on a function, not on this item",
            );
            return None;
        };
        let function = Function::parse(function, None, errors);
        Some(Self { keys, function })
    }

    fn check(&self, errors: &mut Errors) {
        let (name, tokens) = self.name();
        check_name("a prompt", &name, &tokens, errors);
        check_description(&self.function, "a prompt", errors);
        check_inline(&self.function, self.keys.inline.as_ref(), errors);
        check_signature(&self.function, "a prompt", errors);
        check_arguments(&self.function, errors);
        check_output(&self.function, "a prompt", errors);
        check_scopes(self.keys.scopes.as_ref(), errors);
    }

    fn item(&self) -> TokenStream {
        self.function.item_tokens()
    }

    fn emit(&self) -> TokenStream {
        let keys = &self.keys;
        let krate = keys.krate.as_ref().map(|krate| &krate.value);
        let emitter = Emitter::for_strings(&self.function, krate);
        let private = &emitter.private;
        let output = emitter.convert_output("prompt_result", "PromptOutcome");
        let definition = emitter.definition(&DefinitionFields {
            name: self.name().0,
            title: keys.title.as_ref().map(|title| &title.value),
            description: self.function.description.clone(),
            icons: keys.icons.as_ref().map_or(&[], |icons| &icons.value.0),
            meta: keys.meta.as_ref().map_or(&[], |meta| &meta.value.0),
            group: keys.group.as_ref().map(|group| &group.value),
            ..DefinitionFields::default()
        });
        let run = RunMode::of(&self.function, keys.inline.is_some());
        let prepare = emitter.prepare(&quote! { (__mcp_output()) }, run);
        let policy = scope_policy(keys.scopes.as_ref(), private);
        let content = quote! {
            #output
            #private::submit! {
                #private::PromptDescriptor {
                    definition: #definition,
                    policy: #policy,
                    prepare: #prepare,
                }
            }
        };
        emitter.constant("prompt", &content)
    }
}

impl Prompt {
    /// Returns the name of the prompt and the tokens at which errors about the name are reported.
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
