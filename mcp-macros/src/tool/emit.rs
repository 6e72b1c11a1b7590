use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;

use super::Tool;
use crate::args::Hint;
use crate::function::{Emit, Run, option};

pub(super) fn emit(tool: &Tool) -> TokenStream {
    let krate = tool.keys.krate.as_ref().map(|krate| &krate.value);
    let emit = Emit::new(&tool.function, krate);
    let private = &emit.private;
    let output = output(&emit);
    let definition = emit.definition(
        &tool.name(),
        tool.keys.title.as_ref().map(|title| &title.value),
    );
    let annotations = annotations(tool, private);
    let prepare = emit.prepare(&quote! { (__mcp_output().convert) }, run(tool));
    let content = quote! {
        #output
        #private::submit! {
            #private::ToolDescriptor {
                definition: #definition,
                annotations: #annotations,
                ui: #private::None,
                output_schema: || (__mcp_output().schema)(),
                prepare: #prepare,
            }
        }
    };
    emit.constant("tool", &content)
}

fn run(tool: &Tool) -> Run {
    match &tool.keys.inline {
        _ if tool.function.is_async() => Run::Future,
        Some(_) => Run::Inline,
        None => Run::Blocking,
    }
}

/// The one place that asks how the returned type is converted.
fn output(emit: &Emit<'_>) -> TokenStream {
    let (private, function) = (&emit.private, emit.function);
    let returned = match function.output() {
        Some(ty) => ty.to_token_stream(),
        None => quote! { () },
    };
    let span = function
        .output()
        .map_or_else(|| function.ident().span(), Spanned::span);
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

/// Only what was said: a hint that is absent means the cautious reading.
fn annotations(tool: &Tool, private: &TokenStream) -> TokenStream {
    let hint = |given: &Option<crate::args::Given<Hint>>| {
        option(private, given.as_ref().map(|given| given.value.0))
    };
    let read_only = hint(&tool.keys.read_only);
    let destructive = hint(&tool.keys.destructive);
    let idempotent = hint(&tool.keys.idempotent);
    let open_world = option(private, tool.keys.closed_world.as_ref().map(|_| false));
    quote! {
        #private::ToolAnnotations {
            read_only_hint: #read_only,
            destructive_hint: #destructive,
            idempotent_hint: #idempotent,
            open_world_hint: #open_world,
        }
    }
}
