use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Expr, ExprLit, Ident, Lit, Path};

use super::{Argument, Borrowed, Function, Parameter};

/// A generator of the code that registers a function.
pub(crate) struct Emitter<'a> {
    pub(crate) function: &'a Function,
    /// The path of the runtime's `__private` module. Generated code uses no other path.
    pub(crate) private: TokenStream,
    pub(super) format: ArgumentFormat,
}

/// The format in which clients send the arguments.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ArgumentFormat {
    /// JSON values, which are the format for tools.
    Json,
    /// Strings, which are the format for prompts and resources.
    Text,
}

/// The way in which the server runs the handler.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum RunMode {
    Future,
    Blocking,
    Inline,
}

impl RunMode {
    /// Returns the mode of a function. `inline` is whether its attribute has the key `inline`.
    pub(crate) fn of(function: &Function, inline: bool) -> Self {
        match inline {
            _ if function.is_async() => Self::Future,
            true => Self::Inline,
            false => Self::Blocking,
        }
    }
}

impl<'a> Emitter<'a> {
    /// Creates an emitter for a function with JSON arguments. `krate` is the value of the key
    /// `crate` in its attribute.
    pub(crate) fn new(function: &'a Function, krate: Option<&Path>) -> Self {
        let private = match krate {
            Some(path) => quote! { #path::__private },
            None => quote! { ::mcp_runtime::__private },
        };
        Self {
            function,
            private,
            format: ArgumentFormat::Json,
        }
    }

    /// Creates an emitter for a function whose arguments clients send as strings.
    pub(crate) fn for_strings(function: &'a Function, krate: Option<&Path>) -> Self {
        Self {
            format: ArgumentFormat::Text,
            ..Self::new(function, krate)
        }
    }

    /// Returns a hidden constant that contains the registration of the function.
    ///
    /// The constant of a free function has a name and not `_`. With `_`, rustc would report two
    /// errors for a method outside of a `#[tools]` block, because the path of the method cannot be
    /// resolved.
    pub(crate) fn constant(&self, kind: &str, content: &TokenStream) -> TokenStream {
        let inherited_attributes = self.function.inherited_attributes();
        let name = self.function.ident().unraw();
        // The constant of a method has no name, because two types in a module may have methods with
        // the same name.
        let constant = match &self.function.owner {
            Some(_) => quote! { _ },
            None => format_ident!("__mcp_{kind}_{name}").to_token_stream(),
        };
        let aliases = self.function.arguments().filter_map(Argument::alias);
        let defaults = self.function.arguments().filter_map(default);
        let private = &self.private;
        let traits =
            (self.format == ArgumentFormat::Text).then(|| quote! { use #private::selection::*; });
        let content = quote! { #traits #(#aliases)* #(#defaults)* #content };
        let content = match &self.function.owner {
            Some(owner) => owner.replace_self(content),
            None => content,
        };
        quote! {
            #(#inherited_attributes)*
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

    /// Returns a closure that parses the arguments, borrows the state values and prepares the call.
    /// `convert` converts the return value of the call.
    pub(crate) fn prepare(&self, convert: &TokenStream, run: RunMode) -> TokenStream {
        let (private, function) = (&self.private, self.function);
        let arguments = nested_pairs(function.arguments().map(|argument| &argument.ty));
        let borrows = nested_pairs(function.borrows().map(|borrowed| {
            let ty = &borrowed.ty;
            quote! { #private::Arc<#ty> }
        }));
        let bindings = nested_pairs(function.arguments().map(Argument::binding));
        let state = nested_pairs(function.borrows().map(Borrowed::binding));
        let call_expression = self.call_expression();
        let (method, body) = match run {
            RunMode::Future => (
                "future",
                quote! { async move { #convert(#call_expression.await) } },
            ),
            RunMode::Blocking => ("blocking", quote! { #call_expression, #convert }),
            RunMode::Inline => ("inline", quote! { #call_expression, #convert }),
        };
        let method = Ident::new(method, function.ident().span());
        quote_spanned! { function.ident().span() =>
            |inputs| {
                #[allow(unused_imports)]
                use #private::NotSendFallback as _;
                #private::TypedHandler::<#arguments, #borrows>::INPUTS.#method(inputs, |#bindings, #state| #body)
            }
        }
    }

    /// Returns the call of the function with its arguments and state values.
    fn call_expression(&self) -> TokenStream {
        let ident = self.function.ident();
        let values = self.function.parameters.iter();
        let values = values.map(|parameter| match parameter {
            Parameter::Argument(argument) => argument.binding().to_token_stream(),
            Parameter::Borrowed(borrowed) => {
                let binding = borrowed.binding();
                quote! { &*#binding }
            }
        });
        let owner = self.function.owner.as_ref().map(|_| quote! { Self:: });
        quote! { #owner #ident(#(#values),*) }
    }
}

/// Returns the items as nested pairs in the form `(A, (B, ()))`.
fn nested_pairs(items: impl DoubleEndedIterator<Item: ToTokens>) -> TokenStream {
    items.rfold(quote! { () }, |others, first| quote! { (#first, #others) })
}

/// Returns a function that evaluates the default value. The expression occurs only in this
/// function, so rustc reports an error in it only once.
fn default(argument: &Argument) -> Option<TokenStream> {
    let (name, ty, value) = (argument.default_fn(), &argument.ty, argument.default()?);
    let value = match value {
        // A string literal must be converted to the string type of the parameter.
        Expr::Lit(ExprLit {
            lit: Lit::Str(_), ..
        }) => quote_spanned! { value.span() => ::core::convert::Into::into(#value) },
        value => value.to_token_stream(),
    };
    Some(quote! { fn #name() -> #ty { #value } })
}

/// Returns the tokens of an `Option` expression.
pub(crate) fn option(private: &TokenStream, value: Option<impl ToTokens>) -> TokenStream {
    match value {
        Some(value) => quote! { #private::Some(#value) },
        None => quote! { #private::None },
    }
}
