use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;

use super::Tool;
use crate::args::{BoolFlag, Bytes, KeyValue, Millis, TaskSupport, UnknownPolicy};
use crate::function::{DefinitionFields, Emitter, RunMode, option};

pub(super) fn emit(tool: &Tool) -> TokenStream {
    let krate = tool.keys.krate.as_ref().map(|krate| &krate.value);
    let krate = krate.or(tool.settings.krate.as_ref());
    let emitter = Emitter::new(&tool.function, krate);
    let private = &emitter.private;
    let output = output(&emitter);
    let definition = emitter.definition(&definition_fields(tool));
    let policy = policy(tool, private);
    let input_schema = option(
        private,
        tool.keys.input_schema.as_ref().map(|schema| {
            let schema = &schema.value;
            let value = quote_spanned! { schema.span() => #private::custom_schema(#schema) };
            quote! { || #value }
        }),
    );
    let annotations = annotations(tool, private);
    let ui = option(private, tool.keys.ui.as_ref().map(|ui| &ui.value));
    let prepare = emitter.prepare(
        &quote! { (__mcp_output().convert) },
        RunMode::of(&tool.function, tool.keys.inline.is_some()),
    );
    let unique_symbol = unique_symbol(tool);
    let content = quote! {
        #unique_symbol
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
    emitter.constant("tool", &content)
}

fn definition_fields(tool: &Tool) -> DefinitionFields<'_> {
    let keys = &tool.keys;
    DefinitionFields {
        name: tool.name(),
        title: keys.title.as_ref().map(|title| &title.value),
        description: tool.description(),
        icons: keys.icons.as_ref().map_or(&[], |icons| &icons.value.0),
        meta: keys.meta.as_ref().map_or(&[], |meta| &meta.value.0),
        group: keys
            .group
            .as_ref()
            .map(|group| &group.value)
            .or(tool.settings.group.as_ref()),
        deprecated: keys.deprecated.as_ref().map(|hint| &hint.value),
        renamed_from: keys
            .renamed_from
            .as_ref()
            .map_or(&[], |names| &names.value.0),
    }
}

/// Returns an expression for the `Policy`. Fields that are not set have their default.
fn policy(tool: &Tool, private: &TokenStream) -> TokenStream {
    let keys = &tool.keys;
    let scopes: Vec<_> = tool.scopes().collect();
    let scopes = (!scopes.is_empty()).then(|| quote! { scopes: &[#(#scopes),*], });
    let confirm = keys.confirm.as_ref().map(|message| {
        let message = &message.value;
        quote! { confirm: #private::Some(#message), }
    });
    let timeout = keys.timeout.as_ref().map(
        |KeyValue {
             value: Millis(millis),
             ..
         }| {
            quote! { timeout: #private::Some(#private::Duration::from_millis(#millis)), }
        },
    );
    let max_concurrency = keys.max_concurrency.as_ref().map(|max| max.value.0);
    let serial = keys.serial.as_ref().map(|_| 1);
    let max_concurrency = max_concurrency.or(serial).map(|max| {
        quote! { max_concurrency: #private::Some(#max as _), }
    });
    let max_result = keys.max_result.as_ref().map(
        |KeyValue {
             value: Bytes(bytes),
             ..
         }| {
            quote! { max_result: #private::Some(#bytes as _), }
        },
    );
    let unknown = keys.unknown.as_ref().map(|unknown| {
        let unknown = match unknown.value {
            UnknownPolicy::Ignore => quote! { Ignore },
            UnknownPolicy::Reject => quote! { Reject },
        };
        quote! { unknown: #private::UnknownArguments::#unknown, }
    });
    let task = keys.task.as_ref().map(|task| {
        let task = match task.value {
            TaskSupport::Optional => quote! { Optional },
            TaskSupport::Required => quote! { Required },
        };
        quote! { task: #private::TaskSupport::#task, }
    });
    quote! {
        #private::Policy { #scopes #confirm #timeout #max_concurrency #max_result #task #unknown ..#private::Policy::DEFAULT }
    }
}

/// Returns a static whose symbol contains the name of the tool. If two tools have the same name,
/// the compiler or the linker reports a duplicate symbol. The symbol also contains the group,
/// because tools in different groups may belong to different servers.
///
/// The static is omitted in tests, because the test binary may be linked with the crate itself. It
/// is also omitted on wasm, because a wasm module would export the symbol to its host. In both
/// cases, the server checks the names when it starts.
fn unique_symbol(tool: &Tool) -> TokenStream {
    let group = definition_fields(tool)
        .group
        .map(|group| symbol_part(&group.value()));
    let group = group.map_or_else(String::new, |group| format!("__in_group__{group}"));
    let symbol = format!("two_tools_are_named__{}{group}", symbol_part(&tool.name()));
    // The span belongs to the macro, so lints such as `unsafe_code` do not apply to the static.
    let span = proc_macro2::Span::mixed_site().located_at(tool.function.ident().span());
    quote_spanned! { span =>
        #[cfg(not(any(test, target_family = "wasm")))]
        #[unsafe(export_name = #symbol)]
        static TWO_TOOLS_OF_ONE_NAME: u8 = 0;
    }
}

/// Escapes the characters of a text that some linkers do not accept in a symbol.
fn symbol_part(text: &str) -> String {
    let letter = |letter: char| match letter {
        'a'..='z' | 'A'..='Z' | '0'..='9' | '_' => letter.to_string(),
        '-' => "$dash".to_owned(),
        '.' => "$dot".to_owned(),
        other => format!("${:x}", u32::from(other)),
    };
    text.chars().map(letter).collect()
}

/// Returns the function that selects the conversion of the return value.
fn output(emitter: &Emitter<'_>) -> TokenStream {
    let (private, function) = (&emitter.private, emitter.function);
    let returned = match function.output() {
        Some(ty) => ty.to_token_stream(),
        None => quote! { () },
    };
    let span = function
        .output()
        .map_or_else(|| function.ident().span(), Spanned::span);
    let conversion = quote_spanned! { span =>
        #private::tool_result::<#returned, _, _, _>(split, value, error)
    };
    quote! {
        fn __mcp_output() -> #private::OutputConverter<#returned> {
            use #private::selection::*;
            let returned = #private::type_tag::<#returned>();
            let split = (&returned).return_kind();
            let value = (&split.value()).output_kind();
            let error = (&&&split.error()).error_kind();
            #conversion
        }
    }
}

/// Returns an expression for the annotations. A hint without a key is `None`.
fn annotations(tool: &Tool, private: &TokenStream) -> TokenStream {
    let hint =
        |flag: &Option<KeyValue<BoolFlag>>| option(private, flag.as_ref().map(|flag| flag.value.0));
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
