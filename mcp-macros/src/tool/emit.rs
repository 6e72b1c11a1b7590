use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Expr, ExprLit, Ident, Lit};

use super::Tool;
use crate::signature::{Argument, Parameter};

/// A hidden constant beside the function, holding its registration and nothing else.
///
/// The constant is named so that on a function inside an `impl`, where its path
/// cannot be found, rustc has one error to report and not two.
pub(super) fn emit(tool: &Tool) -> TokenStream {
    let private = private(tool);
    let inherited = tool.signature.inherited();
    let constant = format_ident!("__mcp_tool_{}", tool.signature.ident().unraw());
    let output = output(tool);
    let descriptor = descriptor(tool);
    quote! {
        #(#inherited)*
        #[doc(hidden)]
        #[allow(
            non_upper_case_globals, non_snake_case, deprecated, unused_qualifications,
            clippy::all, clippy::pedantic, clippy::nursery
        )]
        const #constant: () = {
            #output
            #private::submit! { #descriptor }
        };
    }
}

fn private(tool: &Tool) -> TokenStream {
    match tool.args.path("crate") {
        Some(path) => quote! { #path::__private },
        None => quote! { ::mcp_runtime::__private },
    }
}

/// The one place that asks how the returned type is converted.
fn output(tool: &Tool) -> TokenStream {
    let private = private(tool);
    let returned = match tool.signature.output() {
        Some(ty) => ty.to_token_stream(),
        None => quote! { () },
    };
    let span = tool
        .signature
        .output()
        .map_or_else(|| tool.signature.ident().span(), Spanned::span);
    let joined = quote_spanned! { span =>
        #private::tool_result::<#returned, _, _, _>(split, value, error)
    };
    quote! {
        fn __mcp_output() -> #private::Output<#returned> {
            use #private::kinds::*;
            let returned = #private::probe::<#returned>();
            let split = (&returned).split();
            let value = (&split.value()).value_kind();
            let error = (&&&split.error()).error_kind();
            #joined
        }
    }
}

fn descriptor(tool: &Tool) -> TokenStream {
    let private = private(tool);
    let name = tool.name();
    let title = option(&private, tool.args.text("title"));
    let description = &tool.signature.description;
    let annotations = annotations(tool);
    let parameters = tool
        .signature
        .arguments()
        .map(|argument| parameter(tool, argument));
    let requirements = tool.signature.borrowed().map(|ty| {
        quote_spanned! { ty.span() => #private::requirement::<#ty>() }
    });
    let prepare = prepare(tool);
    let span = tool.signature.ident().span();
    let location = quote_spanned! { span =>
        #private::Location { file: #private::file!(), line: #private::line!() }
    };
    quote! {
        #private::ToolDescriptor {
            definition: #private::Definition {
                name: #name,
                title: #title,
                description: #description,
                parameters: &[#(#parameters),*],
                requirements: &[#(#requirements),*],
                location: #location,
            },
            annotations: #annotations,
            output_schema: || (__mcp_output().schema)(),
            prepare: #prepare,
        }
    }
}

/// Only what was said: a hint that is absent means the cautious reading.
fn annotations(tool: &Tool) -> TokenStream {
    let private = private(tool);
    let hint = |key: &str, value: bool| match tool.args.has(key) {
        true => quote! { #private::Some(#value) },
        false => quote! { #private::None },
    };
    let read_only = hint("read_only", true);
    let destructive = hint("destructive", true);
    let idempotent = hint("idempotent", true);
    let open_world = hint("closed_world", false);
    quote! {
        #private::ToolAnnotations {
            read_only_hint: #read_only,
            destructive_hint: #destructive,
            idempotent_hint: #idempotent,
            open_world_hint: #open_world,
        }
    }
}

/// The one place that demands that the type can be an argument.
fn parameter(tool: &Tool, argument: &Argument) -> TokenStream {
    let private = private(tool);
    let Argument {
        ty, description, ..
    } = argument;
    let name = argument.name();
    let made = quote_spanned! { ty.span() =>
        #private::tool_argument::<#ty>(#name, #description)
    };
    match argument.default().map(|default| value(&private, default)) {
        Some(default) => quote! {
            #made.with_default(|| #private::default_value::<#ty>(#default))
        },
        None => made,
    }
}

/// Reads the arguments, borrows from the server, and readies the call.
fn prepare(tool: &Tool) -> TokenStream {
    let private = private(tool);
    let slots: Vec<Ident> = tool
        .signature
        .arguments()
        .enumerate()
        .map(|(index, _)| format_ident!("argument_{index}"))
        .collect();
    let types = tool.signature.arguments().map(|argument| &argument.ty);
    let taken = tool
        .signature
        .arguments()
        .zip(&slots)
        .map(
            |(argument, slot)| match argument.default().map(|default| value(&private, default)) {
                Some(default) => quote! { let #slot = #slot.take_or(|| #default); },
                None => quote! { let #slot = #slot.take()?; },
            },
        );
    let borrows = tool.signature.borrowed().enumerate().map(|(index, ty)| {
        let borrow = format_ident!("borrow_{index}");
        quote! { let #borrow = inputs.borrow::<#ty>()?; }
    });
    let ready = ready(tool);
    quote! {
        |inputs| {
            #(let mut #slots = #private::Slot::<#types>::EMPTY;)*
            inputs.read(&mut [#(&mut #slots),*])?;
            #(#taken)*
            #(#borrows)*
            #private::Ok(#ready)
        }
    }
}

/// The body, ready to run in the way that the function asks for.
fn ready(tool: &Tool) -> TokenStream {
    let private = private(tool);
    let ident = tool.signature.ident();
    let (mut arguments, mut borrows) = (0.., 0..);
    let passed = tool
        .signature
        .parameters
        .iter()
        .map(|parameter| match parameter {
            Parameter::Argument(_) => {
                let slot = format_ident!("argument_{}", next(&mut arguments));
                slot.to_token_stream()
            }
            Parameter::Borrowed(_) => {
                let borrow = format_ident!("borrow_{}", next(&mut borrows));
                quote! { &*#borrow }
            }
        });
    let called = quote! { #ident(#(#passed),*) };
    let span = ident.span();
    if tool.signature.function.sig.asyncness.is_some() {
        return quote_spanned! { span =>
            #private::Body::future(async move { (__mcp_output().convert)(#called.await) })
        };
    }
    let how = if tool.args.has("inline") {
        "inline"
    } else {
        "blocking"
    };
    let how = Ident::new(how, span);
    quote_spanned! { span =>
        #private::Body::#how(move || (__mcp_output().convert)(#called))
    }
}

fn next(numbers: &mut std::ops::RangeFrom<usize>) -> usize {
    numbers.next().unwrap_or_default()
}

/// A string literal as a default stands for whatever string type the parameter has.
fn value(private: &TokenStream, default: &Expr) -> TokenStream {
    match default {
        Expr::Lit(ExprLit {
            lit: Lit::Str(_), ..
        }) => quote! { #private::Into::into(#default) },
        default => default.to_token_stream(),
    }
}

fn option(private: &TokenStream, value: Option<impl ToTokens>) -> TokenStream {
    match value {
        Some(value) => quote! { #private::Some(#value) },
        None => quote! { #private::None },
    }
}
