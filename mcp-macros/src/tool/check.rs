//! The rules of a tool, one function each.

use super::Tool;
use crate::errors::Errors;
use crate::function::{check_arguments, check_output, check_signature};

pub(super) fn check(tool: &Tool, errors: &mut Errors) {
    check_name(tool, errors);
    check_description(tool, errors);
    check_hints(tool, errors);
    check_inline(tool, errors);
    check_signature(&tool.function, "a tool", errors);
    check_arguments(&tool.function, errors);
    check_output(&tool.function, "a tool", errors);
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
    if tool.function.description.is_empty() {
        let message = "a tool needs a description; add a doc comment above it";
        errors.push(tool.function.ident(), message);
    }
}

/// What changes nothing can neither destroy nor be repeated to less effect.
fn check_hints(tool: &Tool, errors: &mut Errors) {
    if let (Some(read_only), Some(destructive)) = (&tool.keys.read_only, &tool.keys.destructive)
        && read_only.value.0
        && destructive.value.0
    {
        let message = "a tool cannot be both `read_only` and `destructive`; remove one";
        errors.push(&destructive.key, message);
    }
}

/// An `async fn` is awaited already where it is ready at once.
fn check_inline(tool: &Tool, errors: &mut Errors) {
    if let (Some(inline), true) = (&tool.keys.inline, tool.function.is_async()) {
        errors.push(
            &inline.key,
            "`inline` is for a plain `fn`; remove it or `async`",
        );
    }
}
