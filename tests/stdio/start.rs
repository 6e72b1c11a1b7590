//! The command line, and what stops a start.

use serde_json::Value;

use crate::child::{command, run};

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
    check(&["--dry-run", "add", "a=2", "b=3"], 1, "`add` would run");
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

/// A start that fails is one readable message and exit code 1, whatever was asked.
fn check_start(program: &str, parts: &[&str]) {
    for arguments in [&[][..], &["check"], &["tools"]] {
        let (code, output, errors) = run(program, arguments);
        assert_eq!(code, Some(1), "{errors}");
        assert_eq!(output, "");
        for part in parts {
            assert!(errors.contains(part), "{part} in {errors}");
        }
        assert!(!errors.contains("panicked"), "{errors}");
    }
}

#[test]
fn a_server_without_tools_does_not_start() {
    check_start(
        env!("CARGO_BIN_EXE_server-without-tools"),
        &["no tools", "use my_tools as _;"],
    );
}

#[test]
fn a_server_without_its_state_does_not_start_and_names_all_that_is_missing() {
    let missing = [
        "`query`",
        "Database`",
        "`time`",
        "dyn ",
        "no_state.rs:",
        ".state(value)",
    ];
    check_start(env!("CARGO_BIN_EXE_server-without-state"), &missing);
}

#[test]
fn a_server_that_asks_for_odd_forms_does_not_start_and_names_them() {
    let odd = [
        "tool `nested`",
        "its field `whole` is no string",
        "its field `names` is no string",
        "resource `odd`",
        "odd_forms.rs:",
    ];
    check_start(env!("CARGO_BIN_EXE_server-of-odd-forms"), &odd);
}
