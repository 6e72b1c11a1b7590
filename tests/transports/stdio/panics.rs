//! Panic reports of a server process.

use serde_json::json;
use support::wire::Revision;

use support::process::{ServerProcess, run_test_server};

const PANICS_WITH_SECRET: [&str; 5] = [
    "spill",
    "spill_inline",
    "spill_later",
    "spill_in_time",
    "spill_in_turn",
];

#[test]
fn panic_report_omits_secrets() {
    for tool in PANICS_WITH_SECRET {
        let (code, output, errors) = run_test_server(&["call", tool, "pin=PLANTED"]);
        assert_eq!(code, Some(1), "{tool}: {output}{errors}");
        assert!(
            !format!("{output}{errors}").contains("PLANTED"),
            "{tool}: {output}{errors}"
        );
        assert!(errors.contains("secret_panics.rs:"), "{tool}: {errors}");
        assert!(errors.contains("is left out"), "{tool}: {errors}");
    }
    // A panic during deserialization is reported in the same way.
    let (code, output, errors) = run_test_server(&["call", "spill", "pin=secret"]);
    assert_eq!(code, Some(1));
    assert!(
        !format!("{output}{errors}").contains("`secret`"),
        "{output}{errors}"
    );
    assert!(errors.contains("is left out"), "{errors}");
}

#[test]
fn panic_without_secrets_is_reported_in_full() {
    let (_, output, errors) = run_test_server(&["call", "stumble", "over=a stone"]);
    assert!(errors.contains("panicked at"), "{errors}");
    assert!(errors.contains("fell over a stone"), "{errors}");
    assert!(!output.contains("stone"), "{output}");
}

#[test]
fn panicking_deserializer_fails_only_its_call() {
    let mut server = ServerProcess::in_revision(Revision::V2025_11_25);
    for id in 0..20 {
        server.call(
            id,
            PANICS_WITH_SECRET[id % 5],
            json!({ "pin": "not a pin" }),
        );
        let answer = server.receive();
        assert_eq!(answer["result"]["isError"], true, "{answer}");
        assert!(!answer.to_string().contains("not a pin"), "{answer}");
    }
    server.call("after", "add", json!({ "a": 1 }));
    assert_eq!(server.receive()["id"], "after");
}
