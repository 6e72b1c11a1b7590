//! Compiler messages for mistakes, and uses of the macros that must compile.
//!
//! The expected messages are those of the pinned compiler. Regenerate them with
//! `TRYBUILD=overwrite`.

use std::fs;
use std::path::{Path, PathBuf};

/// The source files of all cases that must not compile.
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
fn mistakes_are_explained_and_unusual_uses_compile() {
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
        let messages = fs::read_to_string(case.with_extension("stderr")).unwrap();
        let errors = messages
            .lines()
            .filter(|line| line.starts_with("error"))
            .count();
        assert_eq!(errors, expected, "{}", case.display());
        assert!(!messages.contains("warning"), "{}", case.display());
    }
}
