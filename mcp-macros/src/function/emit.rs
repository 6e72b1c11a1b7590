use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Expr, ExprLit, Ident, Lit, Path};

use super::{Argument, Borrowed, Function, Parameter};

/// Writes what every registration has: a hidden constant with a definition in it.
pub(crate) struct Emit<'a> {
    pub(crate) function: &'a Function,
    /// The path to what generated code may name.
    pub(crate) private: TokenStream,
    pub(super) arrives: Arrives,
}

/// As what an argument arrives.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Arrives {
    Json,
    Text,
}

/// How a body wants to be run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Run {
    Future,
    Blocking,
    Inline,
}

impl Run {
    /// As the function is written, and as its attribute says.
    pub(crate) fn of(function: &Function, inline: bool) -> Self {
        match inline {
            _ if function.is_async() => Self::Future,
            true => Self::Inline,
            false => Self::Blocking,
        }
    }
}

impl<'a> Emit<'a> {
    /// For a function whose attribute says where the runtime is, if it does.
    pub(crate) fn new(function: &'a Function, krate: Option<&Path>) -> Self {
        let private = match krate {
            Some(path) => quote! { #path::__private },
            None => quote! { ::mcp_runtime::__private },
        };
        Self {
            function,
            private,
            arrives: Arrives::Json,
        }
    }

    /// For a function whose arguments arrive as text.
    pub(crate) fn of_text(function: &'a Function, krate: Option<&Path>) -> Self {
        Self {
            arrives: Arrives::Text,
            ..Self::new(function, krate)
        }
    }

    /// A hidden constant beside the function, holding its registration and nothing else.
    ///
    /// The constant is named so that on a function inside an `impl`, where its path
    /// cannot be found, rustc has one error to report and not two.
    pub(crate) fn constant(&self, kind: &str, content: &TokenStream) -> TokenStream {
        let inherited = self.function.inherited();
        let name = self.function.ident().unraw();
        // Two types of a module may have methods of one name.
        let constant = match &self.function.owner {
            Some(_) => quote! { _ },
            None => format_ident!("__mcp_{kind}_{name}").to_token_stream(),
        };
        let types = self.function.arguments().filter_map(Argument::alias);
        let defaults = self.function.arguments().filter_map(default);
        let private = &self.private;
        let asks = (self.arrives == Arrives::Text).then(|| quote! { use #private::kinds::*; });
        let content = quote! { #asks #(#types)* #(#defaults)* #content };
        let content = match &self.function.owner {
            Some(owner) => owner.outside(content),
            None => content,
        };
        quote! {
            #(#inherited)*
            #[doc(hidden)]
            #[allow(
                non_upper_case_globals, non_snake_case, non_camel_case_types, deprecated,
                unused_qualifications, unused_imports,
                clippy::all, clippy::pedantic, clippy::nursery
            )]
            const #constant: () = {
                #content
            };
        }
    }

    /// Reads the arguments, borrows from the server, and readies the call, whose
    /// value `convert` takes.
    pub(crate) fn prepare(&self, convert: &TokenStream, run: Run) -> TokenStream {
        let (private, function) = (&self.private, self.function);
        let arguments = paired(function.arguments().map(|argument| &argument.ty));
        let borrows = paired(function.borrows().map(|borrowed| {
            let ty = &borrowed.ty;
            quote! { #private::Arc<#ty> }
        }));
        let taken = paired(function.arguments().map(Argument::binding));
        let lent = paired(function.borrows().map(Borrowed::binding));
        let called = self.called();
        let (how, run) = match run {
            Run::Future => ("future", quote! { async move { #convert(#called.await) } }),
            Run::Blocking => ("blocking", quote! { #called, #convert }),
            Run::Inline => ("inline", quote! { #called, #convert }),
        };
        let how = Ident::new(how, function.ident().span());
        quote_spanned! { function.ident().span() =>
            |inputs| {
                #[allow(unused_imports)]
                use #private::Stranded as _;
                #private::Carrying::<#arguments, #borrows>::INPUTS.#how(inputs, |#taken, #lent| #run)
            }
        }
    }

    /// The call of the function with what it is given.
    fn called(&self) -> TokenStream {
        let ident = self.function.ident();
        let passed = self.function.parameters.iter();
        let passed = passed.map(|parameter| match parameter {
            Parameter::Argument(argument) => argument.binding().to_token_stream(),
            Parameter::Borrowed(borrowed) => {
                let binding = borrowed.binding();
                quote! { &*#binding }
            }
        });
        let owner = self.function.owner.as_ref().map(|_| quote! { Self:: });
        quote! { #owner #ident(#(#passed),*) }
    }
}

/// The first and the others, in pairs: a tuple of any length.
fn paired(items: impl DoubleEndedIterator<Item: ToTokens>) -> TokenStream {
    items.rfold(quote! { () }, |others, first| quote! { (#first, #others) })
}

/// The function that makes a default: the one place where its expression stands.
fn default(argument: &Argument) -> Option<TokenStream> {
    let (name, ty, value) = (argument.default_fn(), &argument.ty, argument.default()?);
    let value = match value {
        // A string literal stands for whatever string type the parameter has.
        Expr::Lit(ExprLit {
            lit: Lit::Str(_), ..
        }) => quote_spanned! { value.span() => ::core::convert::Into::into(#value) },
        value => value.to_token_stream(),
    };
    Some(quote! { fn #name() -> #ty { #value } })
}

/// An `Option` in generated code.
pub(crate) fn option(private: &TokenStream, value: Option<impl ToTokens>) -> TokenStream {
    match value {
        Some(value) => quote! { #private::Some(#value) },
        None => quote! { #private::None },
    }
}
