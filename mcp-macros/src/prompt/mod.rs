//! `#[prompt]`.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::{ItemFn, LitStr, Path};

use crate::args::{Exprs, Flag, Keys, Pairs, Texts, keys};
use crate::errors::Errors;
use crate::expand::Macro;
use crate::function::{
    Emit, Function, Named, Run, check_arguments, check_description, check_inline, check_name,
    check_output, check_scopes, check_signature, policy,
};

keys! {
    /// The keys of `#[prompt(…)]`.
    pub(crate) struct PromptKeys {
        name "name": LitStr,
        title "title": LitStr,
        scopes "scopes": Texts,
        group "group": LitStr,
        icons "icons": Exprs,
        meta "meta": Pairs,
        inline "inline": Flag,
        krate "crate": Path,
    }
}

/// A function and what its attribute says.
pub(crate) struct Prompt {
    keys: PromptKeys,
    function: Function,
}

impl Macro for Prompt {
    fn parse(args: TokenStream, item: TokenStream, errors: &mut Errors) -> Option<Self> {
        let mut keys = PromptKeys::default();
        keys.read(args, errors);
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
        self.function.kept()
    }

    fn emit(&self) -> TokenStream {
        let keys = &self.keys;
        let krate = keys.krate.as_ref().map(|krate| &krate.value);
        let emit = Emit::of_text(&self.function, krate);
        let private = &emit.private;
        let output = emit.joined("prompt_result", "PromptOutcome");
        let definition = emit.definition(&Named {
            name: self.name().0,
            title: keys.title.as_ref().map(|title| &title.value),
            description: self.function.description.clone(),
            icons: keys.icons.as_ref().map_or(&[], |icons| &icons.value.0),
            meta: keys.meta.as_ref().map_or(&[], |meta| &meta.value.0),
            group: keys.group.as_ref().map(|group| &group.value),
            ..Named::default()
        });
        let run = Run::of(&self.function, keys.inline.is_some());
        let prepare = emit.prepare(&quote! { (__mcp_output()) }, run);
        let policy = policy(keys.scopes.as_ref(), private);
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
        emit.constant("prompt", &content)
    }
}

impl Prompt {
    /// The name on the wire, and what to mark when it is wrong.
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
