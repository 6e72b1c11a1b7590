//! The command line, and errors at startup.

use serde_json::Value;

use support::process::{run_program, run_test_server};

#[test]
fn tools_command_prints_the_list() {
    for revision in support::wire::Revision::ALL {
        let (code, output, _) = run_test_server(&["tools", "--revision", revision.as_str()]);
        assert_eq!(code, Some(0));
        let list: Value = serde_json::from_str(&output).unwrap();
        assert!(list["tools"].as_array().unwrap().len() > 10);
        assert_eq!(list.get("resultType").is_some(), !revision.is_legacy());
    }
    assert_eq!(
        run_test_server(&["tools", "--revision", "1999-01-01"]).0,
        Some(2)
    );
}

#[test]
fn call_command_takes_pairs_or_json_and_sets_the_exit_code() {
    let check = |arguments: &[&str], code: i32, text: &str| {
        let mut all = vec!["call"];
        all.extend(arguments);
        let (got, output, errors) = run_test_server(&all);
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
fn check_command_lists_definitions() {
    let (code, output, _) = run_test_server(&["check"]);
    assert_eq!(code, Some(0));
    assert!(output.contains("add"), "{output}");
}

#[test]
fn check_command_lists_more_than_tools() {
    let (code, output, _) = run_program(env!("CARGO_BIN_EXE_definitions-server"), &["check"]);
    assert_eq!(code, Some(0));
    for kind in ["prompts: ", "resources: ", "resource templates: "] {
        assert!(output.contains(kind), "{kind} in {output}");
    }
}

/// Checks that every command fails with exit code 1 and a readable message.
fn check_startup_error(program: &str, parts: &[&str]) {
    for arguments in [&[][..], &["check"], &["tools"]] {
        let (code, output, errors) = run_program(program, arguments);
        assert_eq!(code, Some(1), "{errors}");
        assert_eq!(output, "");
        for part in parts {
            assert!(errors.contains(part), "{part} in {errors}");
        }
        assert!(!errors.contains("panicked"), "{errors}");
    }
}

#[test]
fn server_without_tools_fails_startup() {
    check_startup_error(
        env!("CARGO_BIN_EXE_server-without-tools"),
        &["no tools", "use my_tools as _;"],
    );
}

#[test]
fn missing_state_fails_startup_and_is_listed() {
    let missing = [
        "`query`",
        "Database`",
        "`time`",
        "dyn ",
        "no_state.rs:",
        ".state(value)",
    ];
    check_startup_error(env!("CARGO_BIN_EXE_server-without-state"), &missing);
}

#[test]
fn invalid_forms_fail_startup_and_are_listed() {
    let invalid = [
        "tool `nested`",
        "its field `opaque` is not a string",
        "its field `names` is not a string",
        "resource `odd`",
        "invalid_forms.rs:",
    ];
    check_startup_error(env!("CARGO_BIN_EXE_server-with-invalid-forms"), &invalid);
}
