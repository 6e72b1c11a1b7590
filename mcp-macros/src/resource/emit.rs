use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

use super::Resource;
use crate::function::{DefinitionFields, Emitter, RunMode, option, scope_policy};

pub(super) fn emit(resource: &Resource) -> TokenStream {
    let keys = &resource.keys;
    let krate = keys.krate.as_ref().map(|krate| &krate.value);
    let emitter = Emitter::for_strings(&resource.function, krate);
    let private = &emitter.private;
    let output = emitter.convert_output("resource_result", "ResourceOutcome");
    let descriptor = descriptor(resource, &emitter);
    let content = quote! {
        #output
        #private::submit! { #descriptor }
    };
    emitter.constant("resource", &content)
}

fn descriptor(resource: &Resource, emitter: &Emitter<'_>) -> TokenStream {
    let (keys, private, uri) = (&resource.keys, &emitter.private, &resource.uri);
    let definition = emitter.definition(&DefinitionFields {
        name: resource.name().0,
        title: keys.title.as_ref().map(|title| &title.value),
        description: resource.function.description.clone(),
        icons: keys.icons.as_ref().map_or(&[], |icons| &icons.value.0),
        meta: keys.meta.as_ref().map_or(&[], |meta| &meta.value.0),
        group: keys.group.as_ref().map(|group| &group.value),
        ..DefinitionFields::default()
    });
    let policy = scope_policy(keys.scopes.as_ref(), private);
    let mime_type = option(
        private,
        keys.mime_type.as_ref().map(|mime_type| &mime_type.value),
    );
    let size = option(private, keys.size.as_ref().map(|size| &size.value));
    let annotations = keys.annotations.as_ref().map(|annotations| {
        let value = &annotations.value;
        quote! { || #value }
    });
    let annotations = option(private, annotations);
    let subscribe = keys.subscribe.is_some();
    let cache = option(private, cache(resource, private));
    let list = keys.list.as_ref().map(|list| {
        let path = &list.value;
        quote_spanned! { path.span() => |lender| #private::list_resources(lender, #path) }
    });
    let list = option(private, list);
    let allow_path_traversal = keys.allow_path_traversal.is_some();
    let run = RunMode::of(&resource.function, keys.inline.is_some());
    let prepare = emitter.prepare(&quote! { (__mcp_output()) }, run);
    quote! {
        #private::ResourceDescriptor {
            definition: #definition,
            policy: #policy,
            uri: #uri,
            mime_type: #mime_type,
            size: #size,
            annotations: #annotations,
            subscribe: #subscribe,
            cache: #cache,
            list: #list,
            allow_path_traversal: #allow_path_traversal,
            prepare: #prepare,
        }
    }
}

/// Returns the cache hints. Returns `None` if the resource uses the default of the server.
fn cache(resource: &Resource, private: &TokenStream) -> Option<TokenStream> {
    let keys = &resource.keys;
    if keys.ttl_ms.is_none() && keys.private.is_none() {
        return None;
    }
    let ttl_ms = match &keys.ttl_ms {
        Some(ttl_ms) => {
            let value = &ttl_ms.value;
            quote! { #value }
        }
        None => quote! { 0 },
    };
    let scope = match &keys.private {
        Some(_) => quote! { Private },
        None => quote! { Public },
    };
    Some(quote! {
        #private::CacheHints { ttl_ms: #ttl_ms, scope: #private::CacheScope::#scope }
    })
}
