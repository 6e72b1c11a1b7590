use crate::text::nearest;

fn check(word: &str, candidates: &[&str], expected: Option<&str>) {
    assert_eq!(
        nearest(word, candidates.iter().copied()),
        expected,
        "{word}"
    );
}

#[test]
fn a_typing_mistake_is_near() {
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
fn case_and_separators_do_not_count() {
    check("FolderPath", &["folder_path"], Some("folder_path"));
    check("folder-path", &["folderPath"], Some("folderPath"));
    check("A", &["a"], Some("a"));
}

#[test]
fn other_words_are_not_near() {
    check("x", &["a", "b"], None);
    check("colour", &["a", "name", "count"], None);
    check("", &["a"], None);
    check("_", &["a"], None);
    check(&"a".repeat(1_000_000), &["a"], None);
}

#[test]
fn of_equally_near_names_the_first_is_taken() {
    check("cot", &["cat", "cut"], Some("cat"));
    check("cut", &["cat", "cut"], Some("cut"));
}
