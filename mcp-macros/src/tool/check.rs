//! The rules of a tool, one function each.

use std::collections::HashSet;

use super::Tool;
use crate::args::{Given, Keys};
use crate::errors::Errors;
use crate::function::{
    check_advertised, check_arguments, check_headers, check_output, check_scopes, check_signature,
};

pub(super) fn check(tool: &Tool, errors: &mut Errors) {
    check_name(tool, errors);
    check_former_names(tool, errors);
    check_description(tool, errors);
    check_hints(tool, errors);
    check_running(tool, errors);
    check_app(tool, errors);
    check_scopes(tool.keys.scopes.as_ref(), errors);
    check_confirmation(tool, errors);
    check_schema(tool, errors);
    check_signature(&tool.function, "a tool", errors);
    check_arguments(&tool.function, errors);
    check_headers(&tool.function, errors);
    check_output(&tool.function, "a tool", errors);
    check_completion(tool, errors);
}

/// Hosts prefix names and model APIs cut them at 64 letters of this alphabet.
///
/// With `dotted` it is all that the specification has (*Tools*, *Tool names*).
fn check_name(tool: &Tool, errors: &mut Errors) {
    let name = tool.name();
    let dotted = tool.keys.dotted.is_some();
    let most = if dotted { 128 } else { 64 };
    if name.is_empty() {
        let message = "a tool name must not be empty; remove `name` or fill it";
        errors.push(tool.name_tokens(), message);
    } else if !dotted && name.contains('.') && name.chars().all(|c| c == '.' || is_plain(c)) {
        let message = "some clients refuse a tool name with dots; write `_`, or add `dotted`";
        errors.push(tool.name_tokens(), message);
    } else if !name.chars().all(|c| is_plain(c) || (dotted && c == '.')) {
        let message = "a tool name may hold only ASCII letters, digits, `_` and `-`; choose another with `name = \"...\"`";
        errors.push(tool.name_tokens(), message);
    } else if name.len() > most {
        let length = name.len();
        let message =
            format!("a tool name has at most {most} characters, and this one {length}; shorten it");
        errors.push(tool.name_tokens(), message);
    }
}

fn is_plain(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_' || letter == '-'
}

/// An app has a URI of its own scheme (MCP Apps).
fn check_app(tool: &Tool, errors: &mut Errors) {
    let Some(ui) = &tool.keys.ui else { return };
    let path = ui.value.value();
    let path = path.strip_prefix("ui://").unwrap_or_default();
    if path.is_empty() {
        let message = "the URI of an app begins with `ui://`: `ui = \"ui://widget\"`";
        errors.push(&ui.value, message);
    }
}

/// A former name must lead to one tool.
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
            let message = "the tool has this name already; name what it was called before";
            errors.push(former, message);
        }
    }
}

/// A model chooses a tool by its description, so one without is as good as absent.
fn check_description(tool: &Tool, errors: &mut Errors) {
    let unread =
        tool.keys.description.is_none() && tool.keys.named().iter().any(|key| key == "description");
    if !unread && tool.description().trim().is_empty() {
        let message = "a tool needs a description; add a doc comment above it";
        errors.push(tool.function.ident(), message);
    }
}

/// What changes nothing cannot destroy, and a world is open or closed.
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

/// An `async fn` is awaited already where it is ready at once.
fn check_running(tool: &Tool, errors: &mut Errors) {
    let keys = &tool.keys;
    if let (Some(inline), true) = (&keys.inline, tool.function.is_async()) {
        errors.push(
            &inline.key,
            "`inline` is for a plain `fn`; remove it or `async`",
        );
    }
    if let (Some(_), Some(most)) = (&keys.serial, &keys.max_concurrency) {
        errors.push(&most.key, "`serial` is `max_concurrency = 1`; remove one");
    }
}

/// A person is asked about what the call will do, so every name must be known.
fn check_confirmation(tool: &Tool, errors: &mut Errors) {
    let Some(Given { value, .. }) = &tool.keys.confirm else {
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
            let message = format!("`{{{name}}}` is no argument of the tool; name one of them");
            errors.push(value, message);
        }
    }
}

/// A schema by hand decides alone.
fn check_schema(tool: &Tool, errors: &mut Errors) {
    let by_hand = tool.keys.input_schema.is_some();
    if let (true, Some(unknown)) = (by_hand, &tool.keys.unknown) {
        let message = "`input_schema` decides about unknown arguments by itself; remove `unknown`";
        errors.push(&unknown.key, message);
    }
    check_advertised(&tool.function, by_hand, errors);
}

/// The protocol completes what people type; the arguments of a tool are a model's.
fn check_completion(tool: &Tool, errors: &mut Errors) {
    for argument in tool.function.arguments() {
        if let Some(complete) = &argument.keys.complete {
            let message = "`complete` is for prompts and resources; remove it";
            errors.push(&complete.key, message);
        }
    }
}
