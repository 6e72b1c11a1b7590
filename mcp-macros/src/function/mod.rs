//! The parsed function, its checks and its code generation, which `#[tool]`, `#[prompt]` and
//! `#[resource]` share.

mod argument_tokens;
mod check;
mod conversion;
mod definition;
mod elicited_forms;
mod emit;
mod impl_block;
mod literal;
mod parameter;
mod rules;
mod scopes;
mod types;

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{Attribute, FnArg, Ident, ItemFn, ReturnType, Type};

pub(crate) use check::{
    check_arguments, check_custom_schema, check_description, check_headers, check_inline,
    check_name, check_output, check_signature,
};
pub(crate) use definition::DefinitionFields;
pub(crate) use emit::{Emitter, RunMode, option};
pub(crate) use impl_block::ImplBlock;
pub(crate) use literal::check_rules;
pub(crate) use parameter::{ArgKeys, Argument, Borrowed, Parameter, take_keys};
pub(crate) use rules::Rules;
pub(crate) use scopes::{check_scopes, scope_policy};

use crate::docs;
use crate::errors::Errors;

/// A parsed function with its parameters and its description.
pub(crate) struct Function {
    /// The user's function without helper attributes.
    pub(crate) item: ItemFn,
    pub(crate) description: String,
    pub(crate) parameters: Vec<Parameter>,
    /// The `impl` block that contains the function, if the function is a method.
    pub(crate) owner: Option<ImplBlock>,
}

impl Function {
    /// Parses a function. Reports a separate error for each invalid parameter.
    pub(crate) fn parse(mut item: ItemFn, owner: Option<ImplBlock>, errors: &mut Errors) -> Self {
        let mut parameters = Vec::new();
        let (mut arguments, mut borrows) = (0, 0);
        for input in &mut item.sig.inputs {
            let parameter = match input {
                FnArg::Receiver(receiver) => {
                    impl_block::check_receiver(receiver, owner.as_ref(), errors);
                    Some(Parameter::Borrowed(Box::new(Borrowed {
                        index: borrows,
                        ty: syn::parse_quote!(Self),
                    })))
                }
                FnArg::Typed(typed) => Parameter::parse(typed, arguments, borrows, errors),
            };
            match &parameter {
                Some(Parameter::Argument(_)) => arguments += 1,
                Some(Parameter::Borrowed(_)) => borrows += 1,
                None => {}
            }
            parameters.extend(parameter);
        }
        Self {
            description: docs::text(&item.attrs),
            item,
            parameters,
            owner,
        }
    }

    /// Returns the user's function. Returns no tokens for a function with `self` that is not in a
    /// `#[tools]` block, because the compiler would report the error again.
    pub(crate) fn item_tokens(&self) -> TokenStream {
        let has_stray_self = self.owner.is_none() && self.item.sig.receiver().is_some();
        match has_stray_self {
            true => TokenStream::new(),
            false => self.item.to_token_stream(),
        }
    }

    pub(crate) fn ident(&self) -> &Ident {
        &self.item.sig.ident
    }

    pub(crate) fn is_async(&self) -> bool {
        self.item.sig.asyncness.is_some()
    }

    pub(crate) fn arguments(&self) -> impl DoubleEndedIterator<Item = &Argument> {
        self.parameters
            .iter()
            .filter_map(|parameter| match parameter {
                Parameter::Argument(argument) => Some(argument.as_ref()),
                Parameter::Borrowed(_) => None,
            })
    }

    pub(crate) fn borrows(&self) -> impl DoubleEndedIterator<Item = &Borrowed> {
        self.parameters
            .iter()
            .filter_map(|parameter| match parameter {
                Parameter::Argument(_) => None,
                Parameter::Borrowed(borrowed) => Some(borrowed.as_ref()),
            })
    }

    /// Returns the return type. Returns `None` if the signature has no `->`.
    pub(crate) fn output(&self) -> Option<&Type> {
        match &self.item.sig.output {
            ReturnType::Default => None,
            ReturnType::Type(_, ty) => Some(ty),
        }
    }

    /// Returns the attributes for conditional compilation and lints, which the registration must
    /// also have.
    pub(crate) fn inherited_attributes(&self) -> impl Iterator<Item = &Attribute> {
        const INHERITED: [&str; 5] = ["cfg", "cfg_attr", "allow", "warn", "deny"];
        let inherited_attributes =
            |attribute: &&Attribute| INHERITED.iter().any(|name| attribute.path().is_ident(name));
        let owner = self.owner.iter().flat_map(|owner| &owner.attributes);
        owner.chain(&self.item.attrs).filter(inherited_attributes)
    }
}
