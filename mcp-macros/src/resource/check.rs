//! Checks the rules for resources.

use super::Resource;
use crate::errors::Errors;
use crate::function::{
    check_arguments, check_description, check_inline, check_name, check_output, check_scopes,
    check_signature,
};
use crate::uri_template::{Part, parse};

pub(super) fn check(resource: &Resource, errors: &mut Errors) {
    let (name, tokens) = resource.name();
    check_name("a resource", &name, &tokens, errors);
    check_description(&resource.function, "a resource", errors);
    check_uri(resource, errors);
    check_secrets(resource, errors);
    check_size(resource, errors);
    check_inline(&resource.function, resource.keys.inline.as_ref(), errors);
    check_signature(&resource.function, "a resource", errors);
    check_arguments(&resource.function, errors);
    check_output(&resource.function, "a resource", errors);
    check_scopes(resource.keys.scopes.as_ref(), errors);
}

/// Reports an error if a variable of the URI template has no parameter, or if an owned parameter
/// has no variable.
fn check_uri(resource: &Resource, errors: &mut Errors) {
    let parts = match parse(&resource.uri.value()) {
        Ok(parts) => parts,
        Err(problem) => return errors.push(&resource.uri, problem),
    };
    let variables: Vec<String> = parts.into_iter().flat_map(variables).collect();
    for name in &variables {
        let mut arguments = resource.function.arguments();
        if !arguments.any(|argument| argument.name() == *name) {
            let message = format!(
                "the variable `{name}` has no parameter; add `{name}: String` to the function"
            );
            errors.push(&resource.uri, message);
        }
    }
    for argument in resource.function.arguments() {
        let name = argument.name();
        if !variables.contains(&name) {
            let message = format!(
                "the URI has no variable `{name}`; add `{{{name}}}` to it, or borrow the parameter as `&T`"
            );
            errors.push(argument.name_tokens(), message);
        }
    }
}

fn variables(part: Part) -> Vec<String> {
    match part {
        Part::Literal(_) => Vec::new(),
        Part::Expression(_, names) => names,
    }
}

/// Reports an error if a URI variable is secret. The server writes URIs to logs, traces and audit
/// records, and clients may forward them.
fn check_secrets(resource: &Resource, errors: &mut Errors) {
    for argument in resource.function.arguments() {
        if let Some(secret) = &argument.keys.secret {
            let message = "a URI variable cannot be `secret`; borrow the secret as `&T`";
            errors.push(&secret.key, message);
        }
    }
}

/// Reports an error if a resource template has the key `size`. Only a single resource has a size.
fn check_size(resource: &Resource, errors: &mut Errors) {
    if let (Some(size), true) = (&resource.keys.size, resource.uri.value().contains('{')) {
        let message = "`size` is for a single resource, and this URI is a template; remove it";
        errors.push(&size.key, message);
    }
}
