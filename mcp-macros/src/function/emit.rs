use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Expr, ExprLit, Ident, Lit, Path};

use super::{Argument, Function, Parameter};

/// Writes what every registration has: a hidden constant with a definition in it.
pub(crate) struct Emit<'a> {
    pub(crate) function: &'a Function,
    /// The path to what generated code may name.
    pub(crate) private: TokenStream,
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
        Self { function, private }
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
        let content = quote! { #(#types)* #(#defaults)* #content };
        let content = match &self.function.owner {
            Some(owner) => owner.outside(content),
            None => content,
        };
        quote! {
            #(#inherited)*
            #[doc(hidden)]
            #[allow(
                non_upper_case_globals, non_snake_case, non_camel_case_types, deprecated,
                unused_qualifications,
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
        let private = &self.private;
        let slots: Vec<Ident> = self.function.arguments().map(Argument::binding).collect();
        let types = self.function.arguments().map(|argument| &argument.ty);
        let taken = self.function.arguments().map(|argument| {
            let slot = argument.binding();
            match argument.default() {
                Some(_) => {
                    let default = argument.default_fn();
                    quote! { let #slot = #slot.take_or(#default); }
                }
                None => quote! { let #slot = #slot.take()?; },
            }
        });
        let borrows = self.function.borrows().map(|borrowed| {
            let (binding, ty) = (borrowed.binding(), &borrowed.ty);
            quote! { let #binding = inputs.borrow::<#ty>()?; }
        });
        let ready = self.ready(convert, run);
        quote! {
            |inputs| {
                #[allow(unused_imports)]
                use #private::Stranded as _;
                #(let mut #slots = #private::Slot::<#types>::EMPTY;)*
                inputs.read(&mut [#(&mut #slots),*])?;
                #(#taken)*
                #(#borrows)*
                #private::Ok(#ready)
            }
        }
    }

    /// The body, ready to run in the way that the function asks for.
    fn ready(&self, convert: &TokenStream, run: Run) -> TokenStream {
        let private = &self.private;
        let ident = self.function.ident();
        let passed = self
            .function
            .parameters
            .iter()
            .map(|parameter| match parameter {
                Parameter::Argument(argument) => argument.binding().to_token_stream(),
                Parameter::Borrowed(borrowed) => {
                    let binding = borrowed.binding();
                    quote! { &*#binding }
                }
            });
        let owner = self.function.owner.as_ref().map(|_| quote! { Self:: });
        let called = quote! { #owner #ident(#(#passed),*) };
        let (how, body) = match run {
            Run::Future => ("future", quote! { async move { #convert(#called.await) } }),
            Run::Blocking => ("blocking", quote! { move || #convert(#called) }),
            Run::Inline => ("inline", quote! { move || #convert(#called) }),
        };
        let how = Ident::new(how, ident.span());
        let types = self.function.arguments().map(|argument| &argument.ty);
        quote_spanned! { ident.span() =>
            #private::Carrying::<(#(#types,)*)>::ARGUMENTS.#how(#body)
        }
    }
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
