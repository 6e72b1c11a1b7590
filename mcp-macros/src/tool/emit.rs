use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;

use super::Tool;
use crate::args::{Bytes, Choice, Given, Hint, Millis, Task};
use crate::function::{Emit, Named, Run, option};

pub(super) fn emit(tool: &Tool) -> TokenStream {
    let krate = tool.keys.krate.as_ref().map(|krate| &krate.value);
    let krate = krate.or(tool.shared.krate.as_ref());
    let emit = Emit::new(&tool.function, krate);
    let private = &emit.private;
    let output = output(&emit);
    let definition = emit.definition(&named(tool));
    let policy = policy(tool, private);
    let input_schema = option(
        private,
        tool.keys.input_schema.as_ref().map(|schema| {
            let schema = &schema.value;
            let made = quote_spanned! { schema.span() => #private::hand_written(#schema) };
            quote! { || #made }
        }),
    );
    let annotations = annotations(tool, private);
    let ui = option(private, tool.keys.ui.as_ref().map(|ui| &ui.value));
    let prepare = emit.prepare(
        &quote! { (__mcp_output().convert) },
        Run::of(&tool.function, tool.keys.inline.is_some()),
    );
    let unique = unique(tool);
    let content = quote! {
        #unique
        #output
        #private::submit! {
            #private::ToolDescriptor {
                definition: #definition,
                annotations: #annotations,
                ui: #ui,
                policy: #policy,
                input_schema: #input_schema,
                output_schema: || (__mcp_output().schema)(),
                prepare: #prepare,
            }
        }
    };
    emit.constant("tool", &content)
}

fn named(tool: &Tool) -> Named<'_> {
    let keys = &tool.keys;
    Named {
        name: tool.name(),
        title: keys.title.as_ref().map(|title| &title.value),
        description: tool.description(),
        icons: keys.icons.as_ref().map_or(&[], |icons| &icons.value.0),
        meta: keys.meta.as_ref().map_or(&[], |meta| &meta.value.0),
        group: keys
            .group
            .as_ref()
            .map(|group| &group.value)
            .or(tool.shared.group.as_ref()),
        deprecated: keys.deprecated.as_ref().map(|instead| &instead.value),
        renamed_from: keys
            .renamed_from
            .as_ref()
            .map_or(&[], |names| &names.value.0),
    }
}

/// Only what was said.
fn policy(tool: &Tool, private: &TokenStream) -> TokenStream {
    let keys = &tool.keys;
    let scopes: Vec<_> = tool.scopes().collect();
    let scopes = (!scopes.is_empty()).then(|| quote! { scopes: &[#(#scopes),*], });
    let confirm = keys.confirm.as_ref().map(|question| {
        let question = &question.value;
        quote! { confirm: #private::Some(#question), }
    });
    let timeout = keys.timeout.as_ref().map(
        |Given {
             value: Millis(millis),
             ..
         }| {
            quote! { timeout: #private::Some(#private::Duration::from_millis(#millis)), }
        },
    );
    let most = keys.max_concurrency.as_ref().map(|most| most.value.0);
    let most = most.or(keys.serial.as_ref().map(|_| 1)).map(|most| {
        quote! { max_concurrency: #private::Some(#most as _), }
    });
    let bytes = keys.max_result.as_ref().map(
        |Given {
             value: Bytes(bytes),
             ..
         }| {
            quote! { max_result: #private::Some(#bytes as _), }
        },
    );
    let unknown = keys.unknown.as_ref().map(|unknown| {
        let unknown = match unknown.value {
            Choice::Ignore => quote! { Ignore },
            Choice::Refuse => quote! { Refuse },
        };
        quote! { unknown: #private::Unknown::#unknown, }
    });
    let task = keys.task.as_ref().map(|task| {
        let task = match task.value {
            Task::Optional => quote! { Optional },
            Task::Required => quote! { Required },
        };
        quote! { task: #private::TaskSupport::#task, }
    });
    quote! {
        #private::Policy { #scopes #confirm #timeout #most #bytes #task #unknown ..#private::Policy::OPEN }
    }
}

/// A symbol that cannot be there twice: so a second tool of one name fails the
/// build, in its own crate at the compiler and across crates at the linker.
/// Tools of different groups may be those of different servers.
///
/// It is of letters that no linker and no list of exported symbols stumbles over.
/// A crate's tests may be linked with the crate itself, and a module of wasm shows
/// its symbols to its host, so there only the check at the start is left.
fn unique(tool: &Tool) -> TokenStream {
    let group = named(tool).group.map(|group| letters(&group.value()));
    let group = group.map_or_else(String::new, |group| format!("__in_group__{group}"));
    let symbol = format!("two_tools_are_named__{}{group}", letters(&tool.name()));
    // As code of a macro it is not what a crate forbids its authors.
    let span = proc_macro2::Span::mixed_site().located_at(tool.function.ident().span());
    quote_spanned! { span =>
        #[cfg(not(any(test, target_family = "wasm")))]
        #[unsafe(export_name = #symbol)]
        static TWO_TOOLS_OF_ONE_NAME: u8 = 0;
    }
}

/// The text with nothing in it that a symbol may not have.
fn letters(text: &str) -> String {
    let letter = |letter: char| match letter {
        'a'..='z' | 'A'..='Z' | '0'..='9' | '_' => letter.to_string(),
        '-' => "$dash".to_owned(),
        '.' => "$dot".to_owned(),
        other => format!("${:x}", u32::from(other)),
    };
    text.chars().map(letter).collect()
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
    let hint =
        |given: &Option<Given<Hint>>| option(private, given.as_ref().map(|given| given.value.0));
    let read_only = hint(&tool.keys.read_only);
    let destructive = hint(&tool.keys.destructive);
    let idempotent = hint(&tool.keys.idempotent);
    let open_world = tool.keys.open_world.as_ref().map(|_| true);
    let closed_world = tool.keys.closed_world.as_ref().map(|_| false);
    let open_world = option(private, open_world.or(closed_world));
    quote! {
        #private::ToolAnnotations {
            read_only_hint: #read_only,
            destructive_hint: #destructive,
            idempotent_hint: #idempotent,
            open_world_hint: #open_world,
        }
    }
}
