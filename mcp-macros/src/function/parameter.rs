use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident};
use syn::ext::IdentExt;
use syn::{Attribute, Expr, Ident, LitStr, Meta, Pat, PatType, Path, Type, TypeReference};

use super::types::{find_borrow, find_impl_trait, owned_form};
use crate::args::{Bounds, ExprList, Flag, Keys, ParenthesizedString, keys};
use crate::docs;
use crate::errors::Errors;

/// A parameter of a function.
pub(crate) enum Parameter {
    /// An owned parameter, which is an argument from the client.
    Argument(Box<Argument>),
    /// A parameter `&T`, which is a state value or the context of the request.
    Borrowed(Box<Borrowed>),
}

/// An owned parameter.
pub(crate) struct Argument {
    /// The index of this parameter among the owned parameters.
    pub(crate) index: usize,
    pub(crate) ident: Ident,
    pub(crate) ty: Type,
    pub(crate) description: String,
    pub(crate) keys: ArgKeys,
}

/// A parameter `&T`.
pub(crate) struct Borrowed {
    /// The index of this parameter among the borrowed parameters.
    pub(crate) index: usize,
    /// The type `T`.
    pub(crate) ty: Type,
}

keys! {
    /// The keys of `#[arg(…)]`.
    pub(crate) struct ArgKeys {
        default "default": Expr,
        rename "rename": LitStr,
        complete "complete": Path,
        description "description": LitStr,
        range "range": Bounds,
        clamp "clamp": Bounds,
        length "length": Bounds,
        pattern "pattern": ParenthesizedString,
        one_of "one_of": ExprList,
        items "items": Bounds,
        example "example": Expr,
        secret "secret": Flag,
        header "header": LitStr,
        any_name "any_name": Flag,
    }
}

impl ArgKeys {
    /// Checks whether at least one key is a rule for the value.
    pub(crate) fn has_rules(&self) -> bool {
        self.range.is_some()
            || self.clamp.is_some()
            || self.length.is_some()
            || self.pattern.is_some()
            || self.one_of.is_some()
            || self.items.is_some()
    }
}

impl Argument {
    /// Returns the name that clients use.
    pub(crate) fn name(&self) -> String {
        match &self.keys.rename {
            Some(rename) => rename.value.value(),
            None => self.ident.unraw().to_string(),
        }
    }

    /// Returns the tokens at which errors about the name are reported.
    pub(crate) fn name_tokens(&self) -> TokenStream {
        match &self.keys.rename {
            Some(rename) => rename.value.to_token_stream(),
            None => self.ident.to_token_stream(),
        }
    }

    pub(crate) fn default(&self) -> Option<&Expr> {
        self.keys.default.as_ref().map(|default| &default.value)
    }

    /// Returns the name of the variable that holds the value in generated code.
    pub(crate) fn binding(&self) -> Ident {
        format_ident!("argument_{}", self.index)
    }

    /// Returns the name of the generated function that returns the default value.
    pub(crate) fn default_fn(&self) -> Ident {
        format_ident!("default_{}", self.index)
    }
}

impl Borrowed {
    /// Returns the name of the variable that holds the value in generated code.
    pub(crate) fn binding(&self) -> Ident {
        format_ident!("borrow_{}", self.index)
    }
}

impl Parameter {
    /// Parses a parameter. The counts are the numbers of owned and borrowed parameters before it.
    pub(super) fn parse(
        parameter: &mut PatType,
        arguments: usize,
        borrows: usize,
        errors: &mut Errors,
    ) -> Option<Self> {
        let description = docs::text(&parameter.attrs);
        let keys = take_keys(&mut parameter.attrs, errors);
        parameter.attrs.retain(|attribute| !docs::is_doc(attribute));
        let description = match &keys.description {
            Some(text) => text.value.value(),
            None => description,
        };
        let ty = parameter.ty.as_ref();
        if let Type::Reference(reference) = ty {
            let ty = borrowed(reference, keys, errors)?;
            let index = borrows;
            return Some(Self::Borrowed(Box::new(Borrowed { index, ty })));
        }
        check_owned(ty, errors)?;
        let ident = plain_name(parameter.pat.as_ref(), errors)?;
        Some(Self::Argument(Box::new(Argument {
            index: arguments,
            ident,
            ty: ty.clone(),
            description,
            keys,
        })))
    }
}

fn check_owned(ty: &Type, errors: &mut Errors) -> Option<()> {
    if let Some(found) = find_impl_trait(ty) {
        let message = "an argument needs a named type, so that it has a schema";
        errors.push(found, message);
        return None;
    }
    if let Some(found) = find_borrow(ty) {
        let message = "an argument must be owned; use an owned type instead";
        errors.push(found, message);
        return None;
    }
    Some(())
}

fn plain_name(pattern: &Pat, errors: &mut Errors) -> Option<Ident> {
    match pattern {
        Pat::Ident(pat) if pat.by_ref.is_none() && pat.subpat.is_none() => Some(pat.ident.clone()),
        pattern => {
            let message = "an argument needs a plain name, which becomes its JSON property";
            errors.push(pattern, message);
            None
        }
    }
}

/// Returns the type `T` of a borrowed parameter `&T`.
fn borrowed(reference: &TypeReference, keys: ArgKeys, errors: &mut Errors) -> Option<Type> {
    let inner = reference.elem.as_ref();
    if let Some(owned) = owned_form(inner) {
        let ty = inner.to_token_stream().to_string().replace(' ', "");
        let message = format!("an argument must be owned; use `{owned}` instead of `&{ty}`");
        errors.push(reference, message);
        return None;
    }
    if let Some(mutability) = &reference.mutability {
        let message =
            "a tool cannot borrow state mutably; use `&`, and put mutable state in a `Mutex`";
        errors.push(mutability, message);
        return None;
    }
    if let Some(key) = keys.present().first() {
        let message =
            "a borrowed parameter comes from the server and cannot have `#[arg]`; remove it";
        errors.push(key, message);
    }
    Some(inner.clone())
}

/// Removes `#[arg(…)]` from the attributes of a parameter or a field and returns its keys. rustc
/// rejects unknown attributes in the output.
pub(crate) fn take_keys(attributes: &mut Vec<Attribute>, errors: &mut Errors) -> ArgKeys {
    let mut keys = ArgKeys::default();
    attributes.retain(|attribute| {
        if !attribute.path().is_ident("arg") {
            return true;
        }
        match &attribute.meta {
            Meta::List(list) => keys.parse(list.tokens.clone(), errors),
            _ => errors.push(attribute, "`#[arg]` needs keys: `#[arg(default = ...)]`"),
        }
        false
    });
    keys
}
