/// Whether `text` is safe to append to the path of a directory. An unsafe text is an absolute path,
/// or contains a `..` segment or a NUL byte.
///
/// On every platform, `/` and `\` are separators, and a path with a drive letter is absolute.
pub(crate) fn is_relative_path(text: &str) -> bool {
    let is_separator = |letter| matches!(letter, '/' | '\\');
    let has_drive = matches!(text.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic());
    let mut segments = text.split(is_separator);
    // Windows ignores spaces at the end of a segment.
    let has_parent = segments.any(|segment| segment.trim_end() == "..");
    !(text.starts_with(is_separator) || has_drive || has_parent || text.contains('\0'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_that_leave_their_directory_are_not_relative() {
        for text in [
            "..", "../a", "a/..", "a/../b", "..\\a", "a\\..", ".. /a", "/", "/a", "\\a", "//a",
            "\\\\a\\b", "C:", "c:\\a", "C:/a", "\0", "a\0b",
        ] {
            assert!(!is_relative_path(text), "{text:?}");
        }
        for text in [
            "", ".", "a", "a/b", "...", "..a", "a..", "1..2", "a/./b", "ab:c", "1:2", "żółw",
        ] {
            assert!(is_relative_path(text), "{text:?}");
        }
    }
}
