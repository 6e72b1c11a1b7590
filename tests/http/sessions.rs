//! Sessions of revisions up to 2025-11-25.

use std::time::Duration;

use mcp_runtime::HttpOptions;
use serde_json::{Value, json};
use wire::Revision;

use crate::caller::{ABSENT, ALL, Caller, initialize};
use crate::host::Host;
use crate::line::PATIENCE;

fn legacy() -> impl Iterator<Item = Revision> {
    ALL.into_iter().filter(|revision| revision.is_legacy())
}

fn list(caller: &mut Caller, session: &str) -> (u16, Option<Value>) {
    let request = caller.request("tools/list", json!({}));
    let (head, answer) = caller.say(&request, &[("Mcp-Session-Id", session)]);
    (head.status, answer)
}

#[test]
fn a_session_is_named_or_there_is_none() {
    for revision in legacy() {
        let host = Host::start();
        let mut caller = Caller::ready(&host, revision);
        let own = caller.session.clone().unwrap();
        assert_eq!(list(&mut caller, &own).0, 200, "{revision:?}");
        assert_eq!(list(&mut caller, ABSENT).0, 400, "{revision:?}");
        for unknown in ["made-up", "0123456789abcdef0123456789abcdef", ""] {
            assert_eq!(list(&mut caller, unknown).0, 404, "{revision:?} {unknown}");
        }
    }
}

#[test]
fn a_message_without_an_answer_needs_its_session_too() {
    let host = Host::start();
    let mut caller = Caller::ready(&host, Revision::V2025_06_18);
    for message in [
        json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }),
        json!({ "jsonrpc": "2.0", "id": 7, "result": {} }),
    ] {
        let mut status = |session| {
            caller
                .say(&message, &[("Mcp-Session-Id", session)])
                .0
                .status
        };
        assert_eq!(status(ABSENT), 400);
        assert_eq!(status("made-up"), 404);
        assert_eq!(caller.say(&message, &[]).0.status, 202);
    }
}

#[test]
fn a_deleted_session_is_gone() {
    for revision in legacy() {
        let host = Host::start();
        let mut caller = Caller::ready(&host, revision);
        let session = caller.session.clone().unwrap();
        let delete = |expected| {
            let mut line = host.connect();
            line.request("DELETE", &[("Mcp-Session-Id", &session)], None);
            assert_eq!(line.head().status, expected);
        };
        delete(204);
        delete(404);
        assert_eq!(list(&mut caller, &session).0, 404);
        assert_eq!(host.endpoint.session_count(), 0);
    }
    let host = Host::start();
    let mut line = host.connect();
    line.request("DELETE", &[], None);
    assert_eq!(line.head().status, 400);
}

#[test]
fn sessions_do_not_repeat_themselves() {
    let host = Host::start();
    let mut seen = std::collections::HashSet::new();
    for _ in 0..100 {
        let session = Caller::ready(&host, Revision::V2025_11_25).session.unwrap();
        assert!(seen.insert(session));
    }
}

#[test]
fn nothing_is_kept_of_what_is_refused() {
    let host = Host::start();
    let mut caller = Caller::new(&host, Revision::V2025_11_25);
    let mut broken = initialize("2025-11-25");
    broken["params"] = json!({});
    assert!(caller.say(&broken, &[]).1.unwrap()["error"].is_object());
    list(&mut caller, ABSENT);
    list(&mut caller, "made-up");
    let mut message = initialize("2025-11-25");
    for header in [
        ("Accept", "text/html"),
        ("Content-Type", "text/plain"),
        ("Host", "evil"),
    ] {
        message["id"] = header.0.into();
        caller.send(&message, &[header]);
        assert!(caller.line.reply().0.status >= 400);
    }
    assert_eq!(host.endpoint.session_count(), 0);
}

#[test]
fn the_least_recently_used_session_gives_way() {
    let host = Host::with(HttpOptions::new().max_sessions(2));
    let mut first = Caller::ready(&host, Revision::V2025_11_25);
    std::thread::sleep(Duration::from_millis(2));
    let mut second = Caller::ready(&host, Revision::V2025_11_25);
    std::thread::sleep(Duration::from_millis(2));
    let status = |caller: &mut Caller| {
        let session = caller.session.clone().unwrap();
        list(caller, &session).0
    };
    assert_eq!(status(&mut first), 200);
    let mut third = Caller::ready(&host, Revision::V2025_11_25);
    assert_eq!(status(&mut second), 404);
    assert_eq!(status(&mut first), 200);
    assert_eq!(status(&mut third), 200);
    assert_eq!(host.endpoint.session_count(), 2);
}

#[test]
fn an_idle_session_ends_and_one_with_a_stream_does_not() {
    let host = Host::with(HttpOptions::new().session_idle(Duration::from_millis(200)));
    let mut idle = Caller::ready(&host, Revision::V2025_11_25);
    let mut listening = Caller::ready(&host, Revision::V2025_11_25);
    assert_eq!(listening.listen(&[]).status, 200);
    let deadline = std::time::Instant::now() + PATIENCE;
    while host.endpoint.session_count() > 1 {
        assert!(std::time::Instant::now() < deadline);
        std::thread::sleep(Duration::from_millis(20));
    }
    let session = idle.session.clone().unwrap();
    assert_eq!(list(&mut idle, &session).0, 404);
    let _stream = listening.line(&host);
    let session = listening.session.clone().unwrap();
    assert_eq!(list(&mut listening, &session).0, 200);
}

#[test]
fn losing_a_stream_does_not_end_a_session() {
    let host = Host::start();
    let mut caller = Caller::ready(&host, Revision::V2025_11_25);
    for _ in 0..3 {
        let head = caller.listen(&[]);
        assert!(head.is_stream());
        caller.line(&host).hang_up();
    }
    let session = caller.session.clone().unwrap();
    assert_eq!(list(&mut caller, &session).0, 200);
}
