//! The rules that hold for every function that is registered, one function each.

use std::collections::HashMap;

use proc_macro2::TokenStream;
use quote::ToTokens;

use super::Function;
use super::literal::check_limits;
use super::types::{find_borrow, find_impl_trait};
use crate::args::Keys;
use crate::args::{Flag, Given};
use crate::errors::Errors;

/// A definition is registered once, as one plain function.
///
/// `noun` is what the function becomes, with its article.
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

/// Hosts prefix names and model APIs cut them at 64 letters of this alphabet.
pub(crate) fn check_name(noun: &str, name: &str, tokens: &TokenStream, errors: &mut Errors) {
    let legal = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == '-';
    let problem = if name.is_empty() {
        "must not be empty; remove `name` or fill it".to_owned()
    } else if !name.chars().all(legal) {
        "may hold only ASCII letters, digits, `_` and `-`; choose another with `name = \"...\"`"
            .to_owned()
    } else if name.len() > 64 {
        let length = name.len();
        format!("has at most 64 characters, and this one {length}; shorten it")
    } else {
        return;
    };
    errors.push(tokens, format!("{noun} name {problem}"));
}

/// People and models choose by the description, so what has none is as good as absent.
pub(crate) fn check_description(function: &Function, noun: &str, errors: &mut Errors) {
    if function.description.is_empty() {
        let message = format!("{noun} needs a description; add a doc comment above it");
        errors.push(function.ident(), message);
    }
}

/// An `async fn` is awaited already where it is ready at once.
pub(crate) fn check_inline(function: &Function, inline: Option<&Given<Flag>>, errors: &mut Errors) {
    if let (Some(inline), true) = (inline, function.is_async()) {
        let message = "`inline` is for a plain `fn`; remove it or `async`";
        errors.push(&inline.key, message);
    }
}

/// Two arguments of one name could never both be given.
pub(crate) fn check_arguments(function: &Function, errors: &mut Errors) {
    let mut names = HashMap::new();
    for argument in function.arguments() {
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
        check_limits(&argument.keys, errors);
    }
}

/// A client drops a tool with a header that breaks these rules
/// (specification, *Transports*, `x-mcp-header`).
pub(crate) fn check_headers(function: &Function, errors: &mut Errors) {
    let mut names = HashMap::new();
    for argument in function.arguments() {
        let Some(header) = &argument.keys.header else {
            continue;
        };
        let name = header.value.value();
        let token =
            |letter: char| letter.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(letter);
        if name.is_empty() || !name.chars().all(token) {
            let message = "a header name holds letters, digits and `-`; choose another";
            errors.push(&header.value, message);
        } else if names.insert(name.to_ascii_lowercase(), ()).is_some() {
            let message = format!("two arguments have the header `{name}`; rename one");
            errors.push(&header.value, message);
        }
        if argument.keys.secret.is_some() {
            let message = "a `secret` must not go into a header, which proxies log; remove one";
            errors.push(&header.key, message);
        }
    }
}

/// What is enforced and not advertised would surprise a caller.
pub(crate) fn check_advertised(function: &Function, by_hand: bool, errors: &mut Errors) {
    if !by_hand {
        return;
    }
    for argument in function.arguments() {
        let unseen = argument.keys.named().iter().filter(|key| {
            let silent = ["default", "rename", "secret"];
            !silent.iter().any(|silent| *key == silent)
        });
        for key in unseen {
            let message =
                format!("`{key}` is not told to clients beside `input_schema`; write it there");
            errors.push(key, message);
        }
    }
}

/// What is returned outlives the call, and its type is named in the registration.
pub(crate) fn check_output(function: &Function, noun: &str, errors: &mut Errors) {
    let Some(output) = function.output() else {
        return;
    };
    if let Some(found) = find_impl_trait(output) {
        let message = format!("the result of {noun} needs a named type, so that it has a schema");
        errors.push(found.to_token_stream(), message);
    } else if let Some(found) = find_borrow(output) {
        let message = format!(
            "the result of {noun} must be owned; return the owned type, or borrow for `'static`"
        );
        errors.push(found.to_token_stream(), message);
    }
}
