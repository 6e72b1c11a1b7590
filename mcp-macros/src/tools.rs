//! The macro `#[tools]`.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{Attribute, ImplItem, ItemFn, ItemImpl, LitStr, Meta, Path};

use crate::args::{Keys, StringList, keys};
use crate::errors::Errors;
use crate::expand::Macro;
use crate::function::ImplBlock;
use crate::tool::{ImplSettings, Tool};

keys! {
    /// The keys of `#[tools(…)]`.
    pub(crate) struct ToolsKeys {
        prefix "prefix": LitStr,
        group "group": LitStr,
        scopes "scopes": StringList,
        krate "crate": Path,
    }
}

/// An `impl` block and the tools that its methods define.
pub(crate) struct Tools {
    /// The user's `impl` block without helper attributes.
    item: ItemImpl,
    tools: Vec<Tool>,
}

impl Macro for Tools {
    fn parse(args: TokenStream, item: TokenStream, errors: &mut Errors) -> Option<Self> {
        let mut keys = ToolsKeys::default();
        keys.parse(args, errors);
        let Ok(mut item) = syn::parse2::<ItemImpl>(item.clone()) else {
            let first = item.into_iter().next();
            let message = "`#[tools]` goes on an `impl` block, not on this item";
            errors.push(first.to_token_stream(), message);
            return None;
        };
        let settings = ImplSettings {
            owner: Some(ImplBlock::of(&item)),
            prefix: keys.prefix.map(|prefix| prefix.value),
            group: keys.group.map(|group| group.value),
            scopes: keys.scopes.map_or_else(Vec::new, |scopes| scopes.value.0),
            krate: keys.krate.map(|krate| krate.value),
        };
        let mut tools = Vec::new();
        for member in &mut item.items {
            tools.extend(take_tool(member, &settings, errors));
        }
        Some(Self { item, tools })
    }

    fn check(&self, errors: &mut Errors) {
        if !self.item.generics.params.is_empty() {
            let message = "tools cannot be generic; write an `impl` for one type";
            errors.push(&self.item.generics, message);
        }
        if let Some((implemented, _)) = &self.item.trait_ {
            let message = "`#[tools]` goes on an `impl` of the type itself, not of a trait";
            errors.push(implemented, message);
        }
        if self.tools.is_empty() && errors.is_empty() {
            let message = "no method of this `impl` is a tool; mark one with `#[tool]`";
            errors.push(&self.item.self_ty, message);
        }
        for tool in &self.tools {
            tool.check(errors);
        }
    }

    fn item(&self) -> TokenStream {
        self.item.to_token_stream()
    }

    fn emit(&self) -> TokenStream {
        self.tools.iter().map(Tool::emit).collect()
    }
}

/// Removes `#[tool(…)]` from a method and returns the tool. Returns `None` for other members of the
/// block.
fn take_tool(member: &mut ImplItem, settings: &ImplSettings, errors: &mut Errors) -> Option<Tool> {
    let ImplItem::Fn(method) = member else {
        return None;
    };
    let place = method.attrs.iter().position(is_tool)?;
    let attribute = method.attrs.remove(place);
    let args = match attribute.meta {
        Meta::List(list) => list.tokens,
        _ => TokenStream::new(),
    };
    let function = ItemFn {
        attrs: method.attrs.clone(),
        vis: method.vis.clone(),
        modifiers: method.modifiers.clone(),
        sig: method.sig.clone(),
        block: Box::new(method.block.clone()),
    };
    let tool = Tool::new(args, function, settings.clone(), errors);
    method.sig = tool.signature().clone();
    Some(tool)
}

fn is_tool(attribute: &Attribute) -> bool {
    let last = attribute.path().segments.last();
    last.is_some_and(|segment| segment.ident == "tool")
}
