use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::{ErrorObject, RequestId};

/// Appends a response to `out`. `body` must append the result.
pub(crate) fn write_result(out: &mut Vec<u8>, id: &RequestId, body: impl FnOnce(&mut Vec<u8>)) {
    out.extend_from_slice(b"{\"jsonrpc\":\"2.0\",\"id\":");
    id.write(out);
    out.extend_from_slice(b",\"result\":");
    let start = out.len();
    body(out);
    escape_line_separators(out, start);
    out.push(b'}');
}

/// Escapes the characters U+2028 and U+2029 in the JSON after `start`, because some clients treat
/// these characters as line breaks. In JSON, they occur only in strings.
pub(crate) fn escape_line_separators(out: &mut Vec<u8>, start: usize) {
    let Some(written) = out.get(start..) else {
        return;
    };
    let mut found = LINE_SEPARATOR.find_iter(written).peekable();
    if found.peek().is_none() {
        return;
    }
    let mut escaped = Vec::with_capacity(written.len() + 64);
    let mut copied = 0;
    for at in found {
        let escape: &[u8] = match written.get(at + 2) {
            Some(0xA8) => b"\\u2028",
            Some(0xA9) => b"\\u2029",
            _ => continue,
        };
        escaped.extend_from_slice(&written[copied..at]);
        escaped.extend_from_slice(escape);
        copied = at + 3;
    }
    escaped.extend_from_slice(&written[copied..]);
    out.truncate(start);
    out.extend_from_slice(&escaped);
}

/// The two bytes with which U+2028 and U+2029 start in UTF-8. The third byte differs.
static LINE_SEPARATOR: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(b"\xE2\x80"));

/// Appends an error response to `out`.
///
/// If `id` is `None`, the response has no `id` member. A null id would violate the schema of every
/// protocol version. The schemas since 2025-11-25 allow a response without an id.
pub(crate) fn write_error(out: &mut Vec<u8>, id: Option<&RequestId>, error: &ErrorObject) {
    out.extend_from_slice(b"{\"jsonrpc\":\"2.0\",");
    if let Some(id) = id {
        out.extend_from_slice(b"\"id\":");
        id.write(out);
        out.push(b',');
    }
    out.extend_from_slice(b"\"error\":");
    // Serializing an error object cannot fail, because it contains only strings, numbers and JSON
    // values.
    let start = out.len();
    let _ = serde_json::to_writer(&mut *out, error);
    escape_line_separators(out, start);
    out.push(b'}');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_separators_are_escaped() {
        let check = |text: &str, expected: &str| {
            let mut out = format!("\u{2028}{text}").into_bytes();
            escape_line_separators(&mut out, 3);
            assert_eq!(
                String::from_utf8(out).unwrap(),
                format!("\u{2028}{expected}")
            );
        };
        check("", "");
        check("\"é – €\"", "\"é – €\"");
        check("a\u{2028}\u{2029}–b", r"a\u2028\u2029–b");
        check("\u{2027}\u{202A}\u{2028}", "\u{2027}\u{202A}\\u2028");
    }
}
