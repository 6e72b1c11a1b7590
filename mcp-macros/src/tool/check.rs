//! The rules of a tool, one function each.

use std::collections::HashMap;

use quote::ToTokens;

use super::Tool;
use crate::errors::Errors;
use crate::signature::{find_borrow, find_impl_trait};

pub(super) fn check(tool: &Tool, errors: &mut Errors) {
    check_name(tool, errors);
    check_description(tool, errors);
    check_hints(tool, errors);
    check_function(tool, errors);
    check_inline(tool, errors);
    check_argument_names(tool, errors);
    check_output(tool, errors);
}

/// Hosts prefix names and model APIs cut them at 64 letters of this alphabet.
fn check_name(tool: &Tool, errors: &mut Errors) {
    let name = tool.name();
    let legal = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == '-';
    if name.is_empty() {
        errors.push(
            tool.name_tokens(),
            "a tool name must not be empty; remove `name` or fill it",
        );
    } else if !name.chars().all(legal) {
        let message = "a tool name may hold only ASCII letters, digits, `_` and `-`; choose another with `name = \"...\"`";
        errors.push(tool.name_tokens(), message);
    } else if name.len() > 64 {
        let message = format!(
            "a tool name has at most 64 characters, and this one {}; shorten it",
            name.len()
        );
        errors.push(tool.name_tokens(), message);
    }
}

/// A model chooses a tool by its description, so one without is as good as absent.
fn check_description(tool: &Tool, errors: &mut Errors) {
    if tool.signature.description.is_empty() {
        let message = "a tool needs a description; add a doc comment above it";
        errors.push(tool.signature.ident(), message);
    }
}

/// What changes nothing can neither destroy nor be repeated to less effect.
fn check_hints(tool: &Tool, errors: &mut Errors) {
    if let (true, Some(key)) = (tool.args.has("read_only"), tool.args.key("destructive")) {
        let message = "a tool cannot be both `read_only` and `destructive`; remove one";
        errors.push(key, message);
    }
}

/// A tool is registered once, as one plain function.
fn check_function(tool: &Tool, errors: &mut Errors) {
    let signature = &tool.signature.function.sig;
    if !signature.generics.params.is_empty() {
        let message = "a tool cannot be generic; it is registered once, with one schema";
        errors.push(&signature.generics, message);
    } else if let Some(clause) = &signature.generics.where_clause {
        errors.push(
            clause,
            "a tool cannot be generic; remove the `where` clause",
        );
    }
    if let syn::Safety::Unsafe(keyword) = &signature.safety {
        errors.push(
            keyword,
            "a tool cannot be `unsafe`; wrap the function in a safe one",
        );
    }
    if let Some(abi) = &signature.abi {
        errors.push(
            abi,
            "a tool cannot be `extern`; wrap the function in a plain one",
        );
    }
    if let Some(variadic) = &signature.variadic {
        errors.push(variadic, "a tool cannot be variadic; name each argument");
    }
}

/// An `async fn` is awaited already where it is ready at once.
fn check_inline(tool: &Tool, errors: &mut Errors) {
    if let (Some(key), true) = (
        tool.args.key("inline"),
        tool.signature.function.sig.asyncness.is_some(),
    ) {
        errors.push(key, "`inline` is for a plain `fn`; remove it or `async`");
    }
}

/// Two arguments of one name could never both be given.
fn check_argument_names(tool: &Tool, errors: &mut Errors) {
    let mut names = HashMap::new();
    for argument in tool.signature.arguments() {
        let name = argument.name();
        if name.is_empty() {
            errors.push(argument.name_tokens(), "an argument name must not be empty");
        } else if let Some(first) = names.insert(name.to_lowercase(), name.clone()) {
            let message = if first == name {
                format!("two arguments are named `{name}`; rename one")
            } else {
                format!("`{name}` differs from `{first}` only in case; rename one")
            };
            errors.push(argument.name_tokens(), message);
        }
    }
}

/// What is returned outlives the call, and its type is named in the registration.
fn check_output(tool: &Tool, errors: &mut Errors) {
    let Some(output) = tool.signature.output() else {
        return;
    };
    if let Some(found) = find_impl_trait(output) {
        let message = "a tool result needs a named type, so that it has a schema";
        errors.push(found.to_token_stream(), message);
    } else if let Some(found) = find_borrow(output) {
        let message = "a tool result must be owned; return the owned type, or borrow for `'static`";
        errors.push(found.to_token_stream(), message);
    }
}
