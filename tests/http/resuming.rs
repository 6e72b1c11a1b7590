//! Streams that break, or are let go, and go on.

use mcp_runtime::HttpOptions;
use serde_json::{Value, json};
use wire::Revision;

use crate::caller::Caller;
use crate::host::Host;
use crate::streams::{ASKING, answer, host, question, text, wait_for};

#[test]
fn a_broken_stream_goes_on_where_it_broke() {
    for revision in ASKING {
        let (_, host) = host();
        let mut caller = Caller::ready(&host, revision);
        let (_, event, asked) = question(&mut caller);
        caller.line(&host).hang_up();
        answer(&mut caller, &asked);
        let head = caller.listen(&[("Last-Event-ID", event.id.as_deref().unwrap())]);
        assert!(head.is_stream());
        assert_eq!(text(&caller.event().unwrap().1), "Ada");
        assert_eq!(caller.event(), None);
    }
}

#[test]
fn what_was_missed_of_a_finished_stream_is_told_again() {
    let (_, host) = host();
    let mut caller = Caller::ready(&host, Revision::V2025_11_25);
    let (before, _, asked) = question(&mut caller);
    let stream = caller.line(&host);
    answer(&mut caller, &asked);
    caller.line = stream;
    assert_eq!(text(&caller.event().unwrap().1), "Ada");
    assert_eq!(caller.event(), None);
    for _ in 0..2 {
        caller.listen(&[("Last-Event-ID", before[0].id.as_deref().unwrap())]);
        let again = caller.line.event().unwrap();
        assert!(again.data.unwrap().contains("elicitation/create"));
        assert!(caller.line.event().unwrap().data.unwrap().contains("Ada"));
        assert_eq!(caller.line.event(), None);
    }
}

/// Calls a tool that tells its progress; gives back the id of the first event.
fn report(caller: &mut Caller) -> String {
    let mut call = caller.call("report", json!({}));
    call["params"]["_meta"]["progressToken"] = "t".into();
    caller.send(&call, &[]);
    assert!(caller.line.head().is_stream());
    let primed = caller.line.event().unwrap();
    while caller.line.event().is_some() {}
    primed.id.unwrap()
}

#[test]
fn the_oldest_events_of_a_session_give_way() {
    let told_again = |bytes: usize| {
        let host = Host::with(HttpOptions::new().event_buffer(bytes));
        let mut caller = Caller::ready(&host, Revision::V2025_11_25);
        let first = report(&mut caller);
        report(&mut caller);
        caller.listen(&[("Last-Event-ID", &first)]);
        let mut told = Vec::new();
        while let Some(event) = caller.line.event() {
            let message: Value = serde_json::from_str(&event.data.unwrap()).unwrap();
            told.push(message["params"]["progress"].clone());
        }
        told
    };
    let all = [json!(1), json!(2), json!(3), Value::Null];
    assert_eq!(told_again(64 * 1024), all);
    // Enough for one call, and for the end of another.
    assert_eq!(told_again(600), all[3..]);
}

#[test]
fn a_stream_is_resumed_with_an_id_of_its_session() {
    let (_, host) = host();
    let mut caller = Caller::ready(&host, Revision::V2025_11_25);
    for id in ["nonsense", "1", "-", "1-x", ""] {
        let head = caller.listen(&[("Last-Event-ID", id)]);
        assert_eq!(head.status, 400, "{id}");
        caller.line.body(&head);
    }
    assert_eq!(caller.listen(&[("Accept", "application/json")]).status, 406);
    let mut caller = Caller::ready(&host, Revision::V2025_11_25);
    assert_eq!(caller.listen(&[("Mcp-Session-Id", "made-up")]).status, 404);
    let mut caller = Caller::ready(&host, Revision::V2025_11_25);
    assert_eq!(
        caller
            .listen(&[("Mcp-Session-Id", crate::caller::ABSENT)])
            .status,
        400
    );
}

#[test]
fn a_client_that_was_let_go_comes_back_for_the_result() {
    let (gate, host) = host();
    let mut caller = Caller::ready(&host, Revision::V2025_11_25);
    let call = caller.call("wait", json!({}));
    caller.send(&call, &[]);
    assert!(caller.line.head().is_stream());
    let primed = caller.line.event().unwrap();
    assert_eq!((primed.retry, primed.data.as_deref()), (Some(50), Some("")));
    assert_eq!(caller.line.event(), None);
    wait_for(&gate.reached);
    assert!(
        caller
            .listen(&[("Last-Event-ID", &primed.id.unwrap())])
            .is_stream()
    );
    gate.open.notify_one();
    let (_, result) = caller.event().unwrap();
    assert_eq!(
        (text(&result), &result["id"]),
        ("let go: true", &call["id"])
    );
    assert_eq!(caller.event(), None);
}

#[test]
fn a_client_that_could_not_come_back_is_kept() {
    for revision in [Revision::V2025_06_18, Revision::V2026_07_28] {
        let (gate, host) = host();
        let mut caller = Caller::ready(&host, revision);
        let call = caller.call("wait", json!({}));
        caller.send(&call, &[]);
        wait_for(&gate.reached);
        gate.open.notify_one();
        let (head, body) = caller.line.reply();
        assert!(!head.is_stream());
        assert_eq!(text(&caller.heard(&body)), "let go: false");
    }
}

#[test]
fn a_new_stream_takes_the_place_of_the_old_one() {
    let (_, host) = host();
    let mut caller = Caller::ready(&host, Revision::V2025_06_18);
    assert!(caller.listen(&[]).is_stream());
    let mut first = caller.line(&host);
    assert!(caller.listen(&[]).is_stream());
    assert_eq!(first.event(), None);
}
