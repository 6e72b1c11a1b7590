use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::visit::Visit;
use syn::{
    Attribute, Expr, FnArg, Ident, ItemFn, LitStr, Meta, Pat, PatType, Receiver, ReturnType, Type,
    TypeImplTrait, TypeReference,
};

use crate::args::{Args, Key, Kind};
use crate::docs;
use crate::errors::Errors;

/// The keys of `#[arg(…)]`.
const ARG_KEYS: [Key; 2] = [("default", Kind::Expression), ("rename", Kind::Text)];

/// A function as the macros see it: what is taken from whom, and what is returned.
pub(crate) struct Signature {
    /// The function without our attributes.
    pub(crate) function: ItemFn,
    pub(crate) description: String,
    pub(crate) parameters: Vec<Parameter>,
}

/// A parameter of the function.
pub(crate) enum Parameter {
    /// Owned: comes from the caller.
    Argument(Box<Argument>),
    /// `&T`: comes from the server; this is the `T`.
    Borrowed(Box<Type>),
}

/// An owned parameter.
pub(crate) struct Argument {
    pub(crate) ident: Ident,
    pub(crate) ty: Type,
    pub(crate) description: String,
    args: Args,
}

impl Argument {
    /// The name on the wire.
    pub(crate) fn name(&self) -> String {
        let renamed = self.args.text("rename").map(LitStr::value);
        renamed.unwrap_or_else(|| self.ident.unraw().to_string())
    }

    /// What to mark when the name is wrong.
    pub(crate) fn name_tokens(&self) -> TokenStream {
        let renamed = self.args.text("rename").map(ToTokens::to_token_stream);
        renamed.unwrap_or_else(|| self.ident.to_token_stream())
    }

    pub(crate) fn default(&self) -> Option<&Expr> {
        self.args.expression("default")
    }
}

impl Signature {
    /// Reads a function; each parameter that cannot be understood is an error of its own.
    pub(crate) fn parse(mut function: ItemFn, errors: &mut Errors) -> Self {
        let mut parameters = Vec::new();
        for input in &mut function.sig.inputs {
            match input {
                FnArg::Receiver(receiver) => refuse_self(receiver, errors),
                FnArg::Typed(parameter) => parameters.extend(Parameter::parse(parameter, errors)),
            }
        }
        Self {
            description: docs::text(&function.attrs),
            function,
            parameters,
        }
    }

    pub(crate) fn ident(&self) -> &Ident {
        &self.function.sig.ident
    }

    pub(crate) fn arguments(&self) -> impl Iterator<Item = &Argument> {
        self.parameters
            .iter()
            .filter_map(|parameter| match parameter {
                Parameter::Argument(argument) => Some(argument.as_ref()),
                Parameter::Borrowed(_) => None,
            })
    }

    pub(crate) fn borrowed(&self) -> impl Iterator<Item = &Type> {
        self.parameters
            .iter()
            .filter_map(|parameter| match parameter {
                Parameter::Argument(_) => None,
                Parameter::Borrowed(ty) => Some(ty.as_ref()),
            })
    }

    /// The written return type, if there is one.
    pub(crate) fn output(&self) -> Option<&Type> {
        match &self.function.sig.output {
            ReturnType::Default => None,
            ReturnType::Type(_, ty) => Some(ty),
        }
    }

    /// Attributes that decide whether the function exists, and lints that its user set.
    pub(crate) fn inherited(&self) -> impl Iterator<Item = &Attribute> {
        const INHERITED: [&str; 5] = ["cfg", "cfg_attr", "allow", "warn", "deny"];
        let inherited =
            |attribute: &&Attribute| INHERITED.iter().any(|name| attribute.path().is_ident(name));
        self.function.attrs.iter().filter(inherited)
    }
}

fn refuse_self(receiver: &Receiver, errors: &mut Errors) {
    errors.push(
        receiver,
        "a tool is a free function and cannot take `self`; borrow its state as `&T`",
    );
}

impl Parameter {
    fn parse(parameter: &mut PatType, errors: &mut Errors) -> Option<Self> {
        let description = docs::text(&parameter.attrs);
        let args = take_args(&mut parameter.attrs, errors);
        let ty = parameter.ty.as_ref();
        if let Type::Reference(reference) = ty {
            return Self::borrowed(reference, &args, errors);
        }
        if let Some(found) = find_impl_trait(ty) {
            errors.push(
                found,
                "a tool argument needs a named type, so that it has a schema",
            );
            return None;
        }
        if let Some(found) = find_borrow(ty) {
            errors.push(
                found,
                "a tool argument must be owned; write the owned type here",
            );
            return None;
        }
        match parameter.pat.as_ref() {
            Pat::Ident(pat) if pat.by_ref.is_none() && pat.subpat.is_none() => {
                Some(Self::Argument(Box::new(Argument {
                    ident: pat.ident.clone(),
                    ty: ty.clone(),
                    description,
                    args,
                })))
            }
            pattern => {
                errors.push(
                    pattern,
                    "a tool argument needs a plain name, which becomes its JSON property",
                );
                None
            }
        }
    }

    fn borrowed(reference: &TypeReference, args: &Args, errors: &mut Errors) -> Option<Self> {
        let inner = reference.elem.as_ref();
        if let Some(owned) = owned_form(inner) {
            let ty = inner.to_token_stream().to_string().replace(' ', "");
            let message =
                format!("a tool argument must be owned; use `{owned}` instead of `&{ty}`");
            errors.push(reference, message);
            return None;
        }
        if let Some(mutability) = &reference.mutability {
            let message = "a tool borrows from the server with `&`; put what changes in a `Mutex`";
            errors.push(mutability, message);
            return None;
        }
        for (name, _) in ARG_KEYS {
            if let Some(key) = args.key(name) {
                let message = "a borrowed parameter comes from the server and takes no `#[arg]`";
                errors.push(key, message);
            }
        }
        Some(Self::Borrowed(Box::new(inner.clone())))
    }
}

/// Takes `#[arg(…)]` and the doc comment off a parameter; rustc would refuse both.
fn take_args(attributes: &mut Vec<Attribute>, errors: &mut Errors) -> Args {
    let mut args = Args::default();
    attributes.retain(|attribute| {
        if docs::is_doc(attribute) {
            return false;
        }
        if !attribute.path().is_ident("arg") {
            return true;
        }
        match &attribute.meta {
            Meta::List(list) => args.read(list.tokens.clone(), &ARG_KEYS, errors),
            _ => errors.push(attribute, "`#[arg]` needs keys: `#[arg(default = ...)]`"),
        }
        false
    });
    args
}

/// The type to write instead of a borrowed one that can only mean an argument.
fn owned_form(ty: &Type) -> Option<&'static str> {
    match ty {
        Type::Slice(_) => Some("Vec<_>"),
        Type::Path(path) if path.path.is_ident("str") => Some("String"),
        _ => None,
    }
}

/// The first reference in a type that is not `'static`.
pub(crate) fn find_borrow(ty: &Type) -> Option<TypeReference> {
    struct Find(Option<TypeReference>);
    impl<'ast> Visit<'ast> for Find {
        fn visit_type_reference(&mut self, reference: &'ast TypeReference) {
            let is_static = reference
                .lifetime
                .as_ref()
                .is_some_and(|name| name.ident == "static");
            if !is_static {
                self.0.get_or_insert_with(|| reference.clone());
            }
        }
        // The parameters of a function type borrow for themselves.
        fn visit_type_fn_ptr(&mut self, _: &'ast syn::TypeFnPtr) {}
    }
    let mut find = Find(None);
    find.visit_type(ty);
    find.0
}

/// The first `impl Trait` in a type.
pub(crate) fn find_impl_trait(ty: &Type) -> Option<TypeImplTrait> {
    struct Find(Option<TypeImplTrait>);
    impl<'ast> Visit<'ast> for Find {
        fn visit_type_impl_trait(&mut self, found: &'ast TypeImplTrait) {
            self.0.get_or_insert_with(|| found.clone());
        }
    }
    let mut find = Find(None);
    find.visit_type(ty);
    find.0
}
