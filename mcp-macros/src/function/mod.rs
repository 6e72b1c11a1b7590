//! A function as the macros see it, and what all its definitions have in common.

mod argument;
mod check;
mod emit;
mod forms;
mod joined;
mod literal;
mod named;
mod owner;
mod parameter;
mod rules;
mod scopes;
mod types;

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{Attribute, FnArg, Ident, ItemFn, ReturnType, Type};

pub(crate) use check::{
    check_advertised, check_arguments, check_description, check_headers, check_inline, check_name,
    check_output, check_signature,
};
pub(crate) use emit::{Emit, Run, option};
pub(crate) use literal::check_limits;
pub(crate) use named::Named;
pub(crate) use owner::Owner;
pub(crate) use parameter::{ArgKeys, Argument, Borrowed, Parameter, take_keys};
pub(crate) use rules::Rules;
pub(crate) use scopes::{check_scopes, policy};

use crate::docs;
use crate::errors::Errors;

/// A function: what is taken from whom, and what is returned.
pub(crate) struct Function {
    /// As written, without our attributes.
    pub(crate) item: ItemFn,
    pub(crate) description: String,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) owner: Option<Owner>,
}

impl Function {
    /// Reads a function; each parameter that cannot be understood is an error of its own.
    pub(crate) fn parse(mut item: ItemFn, owner: Option<Owner>, errors: &mut Errors) -> Self {
        let mut parameters = Vec::new();
        let (mut arguments, mut borrows) = (0, 0);
        for input in &mut item.sig.inputs {
            let parameter = match input {
                FnArg::Receiver(receiver) => {
                    owner::check_receiver(receiver, owner.as_ref(), errors);
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

    /// The item as written, unless it has a `self` that belongs to nobody: the
    /// compiler would refuse that once more where the function is no method, which
    /// cannot be seen from here.
    pub(crate) fn kept(&self) -> TokenStream {
        let orphaned = self.owner.is_none() && self.item.sig.receiver().is_some();
        match orphaned {
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

    /// The written return type, if there is one.
    pub(crate) fn output(&self) -> Option<&Type> {
        match &self.item.sig.output {
            ReturnType::Default => None,
            ReturnType::Type(_, ty) => Some(ty),
        }
    }

    /// Attributes that decide whether the function exists, and lints that its user set.
    pub(crate) fn inherited(&self) -> impl Iterator<Item = &Attribute> {
        const INHERITED: [&str; 5] = ["cfg", "cfg_attr", "allow", "warn", "deny"];
        let inherited =
            |attribute: &&Attribute| INHERITED.iter().any(|name| attribute.path().is_ident(name));
        let owner = self.owner.iter().flat_map(|owner| &owner.attributes);
        owner.chain(&self.item.attrs).filter(inherited)
    }
}
