use crate::text::nearest;

fn check(word: &str, candidates: &[&str], expected: Option<&str>) {
    assert_eq!(
        nearest(word, candidates.iter().copied()),
        expected,
        "{word}"
    );
}

#[test]
fn a_typing_mistake_is_corrected() {
    check("bb", &["a", "b"], Some("b"));
    check("conut", &["count", "name"], Some("count"));
    check("titel", &["text", "title"], Some("title"));
    check(
        "folder_pth",
        &["folder", "folder_path"],
        Some("folder_path"),
    );
}

#[test]
fn case_and_separators_are_ignored() {
    check("FolderPath", &["folder_path"], Some("folder_path"));
    check("folder-path", &["folderPath"], Some("folderPath"));
    check("A", &["a"], Some("a"));
}

#[test]
fn different_words_have_no_suggestion() {
    check("x", &["a", "b"], None);
    check("colour", &["a", "name", "count"], None);
    check("", &["a"], None);
    check("_", &["a"], None);
    check(&"a".repeat(1_000_000), &["a"], None);
}

#[test]
fn the_first_of_equally_similar_names_is_suggested() {
    check("cot", &["cat", "cut"], Some("cat"));
    check("cut", &["cat", "cut"], Some("cut"));
}
