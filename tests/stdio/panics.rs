//! What a process writes when the code of its user panics.

use serde_json::json;
use wire::Revision;

use crate::child::{Server, command};

const SPILLING: [&str; 5] = [
    "spill",
    "spill_inline",
    "spill_later",
    "spill_in_time",
    "spill_in_turn",
];

#[test]
fn a_panic_with_a_secret_is_reported_without_it() {
    for tool in SPILLING {
        let (code, output, errors) = command(&["call", tool, "pin=PLANTED"]);
        assert_eq!(code, Some(1), "{tool}: {output}{errors}");
        assert!(
            !format!("{output}{errors}").contains("PLANTED"),
            "{tool}: {output}{errors}"
        );
        assert!(errors.contains("secretive.rs:"), "{tool}: {errors}");
        assert!(errors.contains("is left out"), "{tool}: {errors}");
    }
    // One who panics in reading says the same.
    let (code, output, errors) = command(&["call", "spill", "pin=secret"]);
    assert_eq!(code, Some(1));
    assert!(
        !format!("{output}{errors}").contains("`secret`"),
        "{output}{errors}"
    );
    assert!(errors.contains("is left out"), "{errors}");
}

#[test]
fn any_other_panic_is_reported_as_ever() {
    let (_, output, errors) = command(&["call", "stumble", "over=a stone"]);
    assert!(errors.contains("panicked at"), "{errors}");
    assert!(errors.contains("fell over a stone"), "{errors}");
    assert!(!output.contains("stone"), "{output}");
}

#[test]
fn an_argument_that_panics_when_it_is_read_is_one_failed_call() {
    let mut server = Server::in_revision(Revision::V2025_11_25);
    for id in 0..20 {
        server.call(id, SPILLING[id % 5], json!({ "pin": "no pin" }));
        let answer = server.hear();
        assert_eq!(answer["result"]["isError"], true, "{answer}");
        assert!(!answer.to_string().contains("no pin"), "{answer}");
    }
    server.call("after", "add", json!({ "a": 1 }));
    assert_eq!(server.hear()["id"], "after");
}
