/// Appends a comma unless the last byte is an opening brace.
pub(super) fn write_separator(out: &mut Vec<u8>) {
    if out.last() != Some(&b'{') {
        out.push(b',');
    }
}

/// Appends a separator, the name of a member and a colon.
pub(super) fn write_key(out: &mut Vec<u8>, name: &str) {
    write_separator(out);
    write_json(out, name);
    out.push(b':');
}

/// Appends the JSON of a value. The types of the protocol can always be serialized.
pub(super) fn write_json<T: serde::Serialize + ?Sized>(out: &mut Vec<u8>, value: &T) {
    let _ = serde_json::to_writer(out, value);
}
