//! The command line, and what stops a start.

use serde_json::Value;

use crate::child::command;

#[test]
fn tools_prints_the_exact_list() {
    for revision in wire::Revision::ALL {
        let (code, output, _) = command(&["tools", "--revision", revision.as_str()]);
        assert_eq!(code, Some(0));
        let list: Value = serde_json::from_str(&output).unwrap();
        assert!(list["tools"].as_array().unwrap().len() > 10);
        assert_eq!(list.get("resultType").is_some(), !revision.is_legacy());
    }
    assert_eq!(command(&["tools", "--revision", "1999-01-01"]).0, Some(2));
}

#[test]
fn call_takes_pairs_or_json_and_tells_success_by_its_exit_code() {
    let check = |arguments: &[&str], code: i32, text: &str| {
        let mut all = vec!["call"];
        all.extend(arguments);
        let (got, output, errors) = command(&all);
        assert_eq!(got, Some(code), "{arguments:?}: {output}{errors}");
        assert!(
            format!("{output}{errors}").contains(text),
            "{arguments:?}: {output}{errors}"
        );
    };
    check(&["add", "a=2", "b=3"], 0, "5");
    check(&["add", r#"{"a": 2, "b": 40}"#], 0, "42");
    check(
        &["mirror", r#"point={"x": 1, "y": 2}"#],
        0,
        r#"{"x":-1,"y":-2}"#,
    );
    check(&["optional", "mode=Slow"], 0, "slow");
    check(&["add", "a=x"], 1, "integer");
    check(&["add", "a"], 1, "key=value");
    check(&["ad"], 1, "`add`");
    check(&["fail"], 1, "invalid digit");
}

#[test]
fn check_lists_what_would_be_served() {
    let (code, output, _) = command(&["check"]);
    assert_eq!(code, Some(0));
    assert!(output.contains("add"), "{output}");
}
