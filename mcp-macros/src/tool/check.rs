//! Checks the rules for tools.

use std::collections::HashSet;

use super::Tool;
use crate::args::{KeyValue, Keys};
use crate::errors::Errors;
use crate::function::{
    check_arguments, check_custom_schema, check_headers, check_output, check_scopes,
    check_signature,
};

pub(super) fn check(tool: &Tool, errors: &mut Errors) {
    check_name(tool, errors);
    check_former_names(tool, errors);
    check_description(tool, errors);
    check_hints(tool, errors);
    check_execution(tool, errors);
    check_app(tool, errors);
    check_scopes(tool.keys.scopes.as_ref(), errors);
    check_confirmation(tool, errors);
    check_schema(tool, errors);
    check_signature(&tool.function, "a tool", errors);
    check_arguments(&tool.function, errors);
    check_argument_names(tool, errors);
    check_headers(&tool.function, errors);
    check_output(&tool.function, "a tool", errors);
    check_completion(tool, errors);
}

/// Reports an error if a tool name has other characters than ASCII letters, digits, `_` and `-`, or
/// more than 64 characters. Model APIs reject such names.
///
/// With the key `dotted`, all names that the specification allows are valid (*Tools*, *Tool
/// names*).
fn check_name(tool: &Tool, errors: &mut Errors) {
    let name = tool.name();
    let dotted = tool.keys.dotted.is_some();
    let max = if dotted { 128 } else { 64 };
    if name.is_empty() {
        let message = "a tool name must not be empty; remove `name` or fill it";
        errors.push(tool.name_tokens(), message);
    } else if !dotted && name.contains('.') && name.chars().all(|c| c == '.' || is_plain(c)) {
        let message = "some clients reject a tool name with dots; use `_`, or add `dotted`";
        errors.push(tool.name_tokens(), message);
    } else if !name.chars().all(|c| is_plain(c) || (dotted && c == '.')) {
        let message =
            "a tool name may contain only ASCII letters, digits, `_` and `-`; set `name = \"...\"`";
        errors.push(tool.name_tokens(), message);
    } else if name.len() > max {
        let length = name.len();
        let message = format!(
            "a tool name has at most {max} characters, and this one has {length}; shorten it"
        );
        errors.push(tool.name_tokens(), message);
    }
}

fn is_plain(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_' || letter == '-'
}

/// Reports an error if an argument name has characters that some model APIs do not allow. The
/// Anthropic API rejects all tools of a request if one argument name is invalid. The key `any_name`
/// disables this check for an argument.
fn check_argument_names(tool: &Tool, errors: &mut Errors) {
    for argument in tool.function.arguments() {
        let name = argument.name();
        let is_portable = name.len() <= 64 && name.chars().all(|c| c == '.' || is_plain(c));
        if !is_portable && argument.keys.any_name.is_none() {
            let message = "some model APIs accept only 1 to 64 ASCII letters, digits, `_`, `.` and `-` here; \
                           set `rename = \"...\"`, or add `any_name`";
            errors.push(argument.name_tokens(), message);
        }
    }
}

/// Reports an error if the URI of an app does not have the scheme `ui`, which MCP Apps requires.
fn check_app(tool: &Tool, errors: &mut Errors) {
    let Some(ui) = &tool.keys.ui else { return };
    let path = ui.value.value();
    let path = path.strip_prefix("ui://").unwrap_or_default();
    if path.is_empty() {
        let message = "the URI of an app begins with `ui://`: `ui = \"ui://widget\"`";
        errors.push(&ui.value, message);
    }
}

/// Reports an error if a former name is empty, occurs twice or is the current name.
fn check_former_names(tool: &Tool, errors: &mut Errors) {
    let mut names = HashSet::from([tool.name()]);
    for former in tool
        .keys
        .renamed_from
        .iter()
        .flat_map(|names| &names.value.0)
    {
        if former.value().is_empty() {
            errors.push(former, "a former name must not be empty; remove it");
        } else if !names.insert(former.value()) {
            let message = "the tool already has this name; remove it or give a former name";
            errors.push(former, message);
        }
    }
}

/// Reports an error if there is no description. The model needs the description to choose a tool.
fn check_description(tool: &Tool, errors: &mut Errors) {
    let is_invalid = tool.keys.description.is_none()
        && tool.keys.present().iter().any(|key| key == "description");
    if !is_invalid && tool.description().trim().is_empty() {
        let message = "a tool needs a description; add a doc comment above it";
        errors.push(tool.function.ident(), message);
    }
}

/// Reports an error if two hints contradict each other.
fn check_hints(tool: &Tool, errors: &mut Errors) {
    let keys = &tool.keys;
    if let (Some(read_only), Some(destructive)) = (&keys.read_only, &keys.destructive)
        && read_only.value.0
        && destructive.value.0
    {
        let message = "a tool cannot be both `read_only` and `destructive`; remove one";
        errors.push(&destructive.key, message);
    }
    if let (Some(_), Some(closed)) = (&keys.open_world, &keys.closed_world) {
        let message = "a tool cannot be both `open_world` and `closed_world`; remove one";
        errors.push(&closed.key, message);
    }
}

/// Reports an error if an `async fn` has the key `inline`, which has no effect on it, or if the
/// tool has both `serial` and `max_concurrency`.
fn check_execution(tool: &Tool, errors: &mut Errors) {
    let keys = &tool.keys;
    if let (Some(inline), true) = (&keys.inline, tool.function.is_async()) {
        errors.push(
            &inline.key,
            "`inline` is for a plain `fn`; remove it or `async`",
        );
    }
    if let (Some(_), Some(max)) = (&keys.serial, &keys.max_concurrency) {
        errors.push(&max.key, "`serial` is `max_concurrency = 1`; remove one");
    }
}

/// Reports an error if a placeholder in the confirmation message is not the name of an argument.
/// The server replaces each placeholder by the value of the argument.
fn check_confirmation(tool: &Tool, errors: &mut Errors) {
    let Some(KeyValue { value, .. }) = &tool.keys.confirm else {
        return;
    };
    let text = value.value();
    for part in text.split('{').skip(1) {
        let name = part.split('}').next().unwrap_or_default();
        if !part.contains('}') {
            errors.push(
                value,
                "the `{` is never closed; write `{name}` for an argument",
            );
        } else if !tool
            .function
            .arguments()
            .any(|argument| argument.name() == name)
        {
            let message =
                format!("`{{{name}}}` is not an argument of the tool; use the name of an argument");
            errors.push(value, message);
        }
    }
}

/// Reports an error if a tool has a custom schema and also keys that change the schema. The custom
/// schema replaces the generated one, so these keys would have no effect on it.
fn check_schema(tool: &Tool, errors: &mut Errors) {
    let has_schema = tool.keys.input_schema.is_some();
    if let (true, Some(unknown)) = (has_schema, &tool.keys.unknown) {
        let message = "`input_schema` already decides about unknown arguments; remove `unknown`";
        errors.push(&unknown.key, message);
    }
    check_custom_schema(&tool.function, has_schema, errors);
}

/// Reports an error if an argument of a tool has a completer. The protocol supports completion only
/// for prompts and resource templates (specification, *Completion*).
fn check_completion(tool: &Tool, errors: &mut Errors) {
    for argument in tool.function.arguments() {
        if let Some(complete) = &argument.keys.complete {
            let message = "`complete` is for prompts and resources; remove it";
            errors.push(&complete.key, message);
        }
    }
}
