//! What does not compile, and what it says; what compiles under odd conditions.
//!
//! The text is that of the pinned compiler; `TRYBUILD=overwrite` writes it anew.

use std::fs;
use std::path::{Path, PathBuf};

/// Every case that must not compile.
fn mistakes() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("ui");
    let kinds = fs::read_dir(root).unwrap();
    let folders = kinds.map(|kind| kind.unwrap().path().join("fail"));
    let files = folders
        .filter_map(|folder| fs::read_dir(folder).ok())
        .flatten();
    let files = files.map(|file| file.unwrap().path());
    files
        .filter(|file| file.extension().is_some_and(|end| end == "rs"))
        .collect()
}

#[test]
fn mistakes_are_explained_and_odd_uses_compile() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("ui/*/fail/*.rs");
    cases.pass("ui/*/pass/*.rs");
}

#[test]
fn one_mistake_is_one_error() {
    let mistakes = mistakes();
    assert!(mistakes.len() >= 60, "{} cases", mistakes.len());
    for case in mistakes {
        let text = fs::read_to_string(&case).unwrap();
        let expected = text
            .lines()
            .next()
            .and_then(|line| line.strip_prefix("// errors: "));
        let expected: usize = expected.unwrap().parse().unwrap();
        let told = fs::read_to_string(case.with_extension("stderr")).unwrap();
        let errors = told
            .lines()
            .filter(|line| line.starts_with("error"))
            .count();
        assert_eq!(errors, expected, "{}", case.display());
        assert!(!told.contains("warning"), "{}", case.display());
    }
}
