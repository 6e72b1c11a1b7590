use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use super::*;
use crate::context::TransportKind;
use crate::jsonrpc::RequestId;
use crate::protocol::Revision;

fn record(name: &str) -> AuditRecord {
    AuditRecord {
        version: 1,
        time: now(&Default::default()),
        correlation_id: "c".to_owned(),
        request_id: Some(RequestId::Number(7)),
        method: "tools/call",
        name: name.to_owned(),
        principal: Some("alice".to_owned()),
        transport: TransportKind::Stdio,
        revision: Some(Revision::NEWEST),
        arguments: json!(["path"]),
        digest: None,
        coerced: vec![],
        decision: AuditDecision::Allowed,
        outcome: AuditOutcome::Success,
        duration_micros: 12,
        bytes: Some(3),
        detail: String::new(),
    }
}

#[test]
fn the_json_form_is_stable() {
    let mut written = serde_json::to_value(record("read")).unwrap();
    written["time"] = json!("now");
    let expected = json!({
        "version": 1, "time": "now", "correlation_id": "c", "request_id": 7,
        "method": "tools/call", "name": "read", "principal": "alice", "channel": "stdio",
        "revision": "2026-07-28", "arguments": ["path"], "digest": null, "coerced": [],
        "decision": "allowed", "outcome": "success",
        "duration_micros": 12, "bytes": 3, "detail": "",
    });
    assert_eq!(written, expected);
}

#[test]
fn an_outcome_is_written_by_its_name() {
    for outcome in [
        AuditOutcome::Success,
        AuditOutcome::TimedOut,
        AuditOutcome::BadToken,
    ] {
        assert_eq!(serde_json::to_value(outcome).unwrap(), outcome.as_str());
    }
}

#[test]
fn lines_are_appended_and_a_truncated_one_is_ended() {
    let path = std::env::temp_dir().join(format!("mcp-runtime-audit-{}", std::process::id()));
    std::fs::write(&path, "{\"torn").unwrap();
    for name in ["one", "two"] {
        JsonLines::open(&path)
            .unwrap()
            .record(&record(name))
            .unwrap();
    }
    JsonLines::open(&path)
        .unwrap()
        .sync_writes()
        .record(&record("a\nb"))
        .unwrap();
    let written = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    let lines: Vec<_> = written.lines().collect();
    assert_eq!(lines[0], "{\"torn");
    let names = lines[1..].iter().map(|line| {
        let record: Value = serde_json::from_str(line).unwrap();
        record["name"].as_str().unwrap().to_owned()
    });
    assert_eq!(names.collect::<Vec<_>>(), ["one", "two", "a\nb"]);
}

#[test]
fn a_failing_sink_does_not_affect_others() {
    let written = Arc::new(Mutex::new(Vec::new()));
    let mut log = AuditLog::default();
    assert!(!log.has_sinks());
    log.add(
        |_: &AuditRecord| -> Result<(), AuditError> { panic!("planted") },
        false,
    );
    log.add(|_: &AuditRecord| Err(AuditError::from("planted")), false);
    let names = Arc::clone(&written);
    let collect = move |record: &AuditRecord| {
        names.lock().unwrap().push(record.name.clone());
        Ok(())
    };
    log.add(collect, true);
    log.write(&record("one"));
    assert_eq!(*written.lock().unwrap(), ["one"]);
    assert!(log.has_sinks() && !log.is_blocked());
}

#[test]
fn a_failing_required_sink_blocks_calls_until_it_writes_again() {
    let full = Arc::new(AtomicBool::new(true));
    let is_full = Arc::clone(&full);
    let mut log = AuditLog::default();
    let sink = move |_: &AuditRecord| match is_full.load(Ordering::Relaxed) {
        true => Err(AuditError::from("no space is left")),
        false => Ok(()),
    };
    log.add(sink, true);
    assert!(!log.is_blocked());
    log.write(&record("one"));
    assert!(log.is_blocked());
    full.store(false, Ordering::Relaxed);
    log.write(&record("two"));
    assert!(!log.is_blocked());
}

#[test]
fn arguments_are_recorded_as_configured() {
    let arguments = Some(r#"{"path":"a","pin":"planted","password":"planted"}"#);
    let mut log = AuditLog::default();
    let expected = json!(["password", "path", "pin"]);
    assert_eq!(
        log.arguments_and_digest(arguments, Some(&["pin"])).0,
        expected
    );
    log.set_arguments(AuditArguments::Values);
    let expected = json!({ "path": "a", "pin": "[redacted]", "password": "[redacted]" });
    assert_eq!(
        log.arguments_and_digest(arguments, Some(&["pin"])).0,
        expected
    );
    let expected = json!(["password", "path", "pin"]);
    assert_eq!(log.arguments_and_digest(arguments, None).0, expected);
    log.add_secret_name("path");
    assert_eq!(
        log.arguments_and_digest(arguments, Some(&[])).0["path"],
        "[redacted]"
    );
    log.set_arguments(AuditArguments::Nothing);
    assert_eq!(
        log.arguments_and_digest(arguments, Some(&[])).0,
        Value::Null
    );
    assert_eq!(
        log.arguments_and_digest(Some("[1]"), Some(&[])).0,
        Value::Null
    );
}

#[cfg(feature = "input-requests")]
#[test]
fn a_digest_is_of_the_arguments_without_their_secrets() {
    let mut log = AuditLog::default();
    let digest = |log: &AuditLog, arguments: &str| {
        log.arguments_and_digest(Some(arguments), Some(&["pin"])).1
    };
    let some = digest(
        &log,
        r#"{ "path": "a", "n": 2.0, "pin": 1, "apiKey": "b" }"#,
    );
    let text = r#"{"apiKey":"[redacted]","n":2,"path":"a","pin":"[redacted]"}"#;
    assert_eq!(some, crate::seal::digest(text));
    assert_eq!(
        some,
        digest(&log, r#"{"apiKey":"c","pin":[2],"path":"a","n":2}"#)
    );
    assert_ne!(
        some,
        digest(&log, r#"{"apiKey":"c","pin":[2],"path":"b","n":2}"#)
    );
    let known = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    assert_eq!(crate::seal::digest("abc").as_deref(), Some(known));
    assert_eq!(
        log.arguments_and_digest(Some(r#"{"path":"a"}"#), None).1,
        None
    );
    for arguments in [AuditArguments::Nothing, AuditArguments::Values] {
        log.set_arguments(arguments);
        assert_eq!(digest(&log, r#"{"path":"a"}"#), None);
    }
}

#[test]
fn only_some_rejected_tokens_of_a_second_are_recorded() {
    let log = AuditLog::default();
    let recorded = (0..5_000)
        .filter_map(|_| log.admit_rejected_token())
        .count();
    // The loop may take more than one second on a slow machine, so the count can exceed ten.
    assert!((10..1_000).contains(&recorded), "{recorded}");
}
