//! Checks the rules that apply to tools, prompts and resources.

use std::collections::HashMap;

use proc_macro2::TokenStream;
use quote::ToTokens;

use super::Function;
use super::literal::check_rules;
use super::types::{find_borrow, find_impl_trait};
use crate::args::{Flag, KeyValue, Keys};
use crate::errors::Errors;

/// Reports an error if the function is generic, `unsafe`, `extern` or variadic.
///
/// `noun` is the kind of definition with its article, for example "a tool".
pub(crate) fn check_signature(function: &Function, noun: &str, errors: &mut Errors) {
    let signature = &function.item.sig;
    if !signature.generics.params.is_empty() {
        let message = format!("{noun} cannot be generic; it is registered once, with one schema");
        errors.push(&signature.generics, message);
    } else if let Some(clause) = &signature.generics.where_clause {
        let message = format!("{noun} cannot be generic; remove the `where` clause");
        errors.push(clause, message);
    }
    if let syn::Safety::Unsafe(keyword) = &signature.safety {
        let message = format!("{noun} cannot be `unsafe`; wrap the function in a safe one");
        errors.push(keyword, message);
    }
    if let Some(abi) = &signature.abi {
        let message = format!("{noun} cannot be `extern`; wrap the function in a plain one");
        errors.push(abi, message);
    }
    if let Some(variadic) = &signature.variadic {
        let message = format!("{noun} cannot be variadic; name each argument");
        errors.push(variadic, message);
    }
}

/// Reports an error if a name has other characters than ASCII letters, digits, `_` and `-`, or more
/// than 64 characters. Model APIs reject such names.
pub(crate) fn check_name(noun: &str, name: &str, tokens: &TokenStream, errors: &mut Errors) {
    let is_allowed =
        |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == '-';
    let problem = if name.is_empty() {
        "must not be empty; remove `name` or fill it".to_owned()
    } else if !name.chars().all(is_allowed) {
        "may contain only ASCII letters, digits, `_` and `-`; set `name = \"...\"`".to_owned()
    } else if name.len() > 64 {
        let length = name.len();
        format!("has at most 64 characters, and this one has {length}; shorten it")
    } else {
        return;
    };
    errors.push(tokens, format!("{noun} name {problem}"));
}

/// Reports an error if there is no description. Users and models need the description to choose a
/// prompt or a resource.
pub(crate) fn check_description(function: &Function, noun: &str, errors: &mut Errors) {
    if function.description.is_empty() {
        let message = format!("{noun} needs a description; add a doc comment above it");
        errors.push(function.ident(), message);
    }
}

/// Reports an error if an `async fn` has the key `inline`. The key has no effect on an `async fn`.
pub(crate) fn check_inline(
    function: &Function,
    inline: Option<&KeyValue<Flag>>,
    errors: &mut Errors,
) {
    if let (Some(inline), true) = (inline, function.is_async()) {
        let message = "`inline` is for a plain `fn`; remove it or `async`";
        errors.push(&inline.key, message);
    }
}

/// Reports an error if an argument name is empty, if two names are equal or differ only in case, or
/// if an argument violates its own rules.
pub(crate) fn check_arguments(function: &Function, errors: &mut Errors) {
    let mut names = HashMap::new();
    for argument in function.arguments() {
        let name = argument.name();
        if name.is_empty() {
            errors.push(
                argument.name_tokens(),
                "an argument name must not be empty; remove `rename` or fill it",
            );
        } else if let Some(first) = names.insert(name.to_lowercase(), name.clone()) {
            let message = if first == name {
                format!("two arguments are named `{name}`; rename one")
            } else {
                format!("`{name}` differs from `{first}` only in case; rename one")
            };
            errors.push(argument.name_tokens(), message);
        }
        check_rules(&argument.keys, errors);
    }
}

/// Reports an error if a header name is invalid or occurs twice, or if the argument is secret.
/// Clients ignore a tool with an invalid header name (specification, *Transports*, `x-mcp-header`).
pub(crate) fn check_headers(function: &Function, errors: &mut Errors) {
    let mut names = HashMap::new();
    for argument in function.arguments() {
        let Some(header) = &argument.keys.header else {
            continue;
        };
        let name = header.value.value();
        let is_token =
            |letter: char| letter.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(letter);
        if name.is_empty() || !name.chars().all(is_token) {
            let message = "a header name may contain only letters, digits and `-`; choose another";
            errors.push(&header.value, message);
        } else if names.insert(name.to_ascii_lowercase(), ()).is_some() {
            let message = format!("two arguments have the header `{name}`; rename one");
            errors.push(&header.value, message);
        }
        if argument.keys.secret.is_some() {
            let message =
                "a `secret` cannot have a `header`, because proxies log headers; remove one";
            errors.push(&header.key, message);
        }
    }
}

/// Reports an error if a tool with a custom schema has keys that change the schema. The server
/// would enforce these keys, but the custom schema would not contain them.
pub(crate) fn check_custom_schema(function: &Function, has_schema: bool, errors: &mut Errors) {
    if !has_schema {
        return;
    }
    for argument in function.arguments() {
        let unadvertised = argument.keys.present().iter().filter(|key| {
            let allowed = ["default", "rename", "secret"];
            !allowed.iter().any(|allowed| *key == allowed)
        });
        for key in unadvertised {
            let message =
                format!("`{key}` is not added to an `input_schema`; write it in that schema");
            errors.push(key, message);
        }
    }
}

/// Reports an error if the return type contains `impl Trait` or a reference that is not `'static`.
/// The registration must name the type, and the value must outlive the call.
pub(crate) fn check_output(function: &Function, noun: &str, errors: &mut Errors) {
    let Some(output) = function.output() else {
        return;
    };
    if let Some(found) = find_impl_trait(output) {
        let message = format!("the result of {noun} needs a named type, so that it has a schema");
        errors.push(found.to_token_stream(), message);
    } else if let Some(found) = find_borrow(output) {
        let message = format!(
            "the result of {noun} must be owned; return an owned type or a `'static` reference"
        );
        errors.push(found.to_token_stream(), message);
    }
}
