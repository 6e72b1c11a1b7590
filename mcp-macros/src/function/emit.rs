use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Expr, ExprLit, Ident, Lit, Path};

use super::{Argument, Borrowed, Function, Parameter};

/// Emits the registration of a function: a hidden constant with its descriptor.
pub(crate) struct Emitter<'a> {
    pub(crate) function: &'a Function,
    /// The path of the only module that generated code names.
    pub(crate) private: TokenStream,
    pub(super) format: ArgumentFormat,
}

/// The format of the arguments in the protocol.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ArgumentFormat {
    /// JSON values, for tools.
    Json,
    /// Strings, for prompts and resources.
    Text,
}

/// How the handler runs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum RunMode {
    Future,
    Blocking,
    Inline,
}

impl RunMode {
    /// The mode of a function; `inline` is the key of its attribute.
    pub(crate) fn of(function: &Function, inline: bool) -> Self {
        match inline {
            _ if function.is_async() => Self::Future,
            true => Self::Inline,
            false => Self::Blocking,
        }
    }
}

impl<'a> Emitter<'a> {
    /// An emitter for a function; `krate` is the key `crate` of its attribute.
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

    /// An emitter for a function whose arguments are strings in the protocol.
    pub(crate) fn for_strings(function: &'a Function, krate: Option<&Path>) -> Self {
        Self {
            format: ArgumentFormat::Text,
            ..Self::new(function, krate)
        }
    }

    /// A hidden constant next to the function, which contains its registration.
    ///
    /// The constant has a name so that rustc reports one error and not two for a function
    /// in an `impl` block, whose path cannot be resolved.
    pub(crate) fn constant(&self, kind: &str, content: &TokenStream) -> TokenStream {
        let inherited_attributes = self.function.inherited_attributes();
        let name = self.function.ident().unraw();
        // Two types in a module may have methods with the same name.
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

    /// A closure that reads the arguments, borrows the state, and prepares the call, whose
    /// result is passed to `convert`.
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

    /// The call of the function with its arguments and state values.
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

/// The items as nested pairs, `(A, (B, ()))`.
fn nested_pairs(items: impl DoubleEndedIterator<Item: ToTokens>) -> TokenStream {
    items.rfold(quote! { () }, |others, first| quote! { (#first, #others) })
}

/// The function that returns a default: the only place with its expression.
fn default(argument: &Argument) -> Option<TokenStream> {
    let (name, ty, value) = (argument.default_fn(), &argument.ty, argument.default()?);
    let value = match value {
        // A string literal is converted to the string type of the parameter.
        Expr::Lit(ExprLit {
            lit: Lit::Str(_), ..
        }) => quote_spanned! { value.span() => ::core::convert::Into::into(#value) },
        value => value.to_token_stream(),
    };
    Some(quote! { fn #name() -> #ty { #value } })
}

/// The tokens of an `Option`.
pub(crate) fn option(private: &TokenStream, value: Option<impl ToTokens>) -> TokenStream {
    match value {
        Some(value) => quote! { #private::Some(#value) },
        None => quote! { #private::None },
    }
}
