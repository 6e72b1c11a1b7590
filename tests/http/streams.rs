//! One message or a stream, and what a lost connection means.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use mcp_runtime::HttpOptions;
use serde_json::{Value, json};
use wire::Revision;

use crate::caller::Caller;
use crate::host::{Host, RUNTIME};
use crate::line::{Event, PATIENCE};
use crate::talkative::{Gate, gated};
use crate::tools::DROPPED;

pub(crate) const ASKING: [Revision; 2] = [Revision::V2025_06_18, Revision::V2025_11_25];

pub(crate) fn host() -> (Arc<Gate>, Host) {
    let (gate, server) = gated();
    (gate, Host::of(server))
}

pub(crate) fn wait_for(notified: &tokio::sync::Notify) {
    let waited = async { tokio::time::timeout(PATIENCE, notified.notified()).await };
    RUNTIME.block_on(waited).unwrap();
}

fn until(what: impl Fn() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !what() {
        assert!(Instant::now() < deadline);
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Calls `ask`; gives back the events up to the question, and the question.
pub(crate) fn question(caller: &mut Caller) -> (Vec<Event>, Event, Value) {
    let call = caller.call("ask", json!({}));
    caller.send(&call, &[]);
    let head = caller.line.head();
    assert_eq!(head.status, 200);
    assert!(head.is_stream());
    assert_eq!(head.header("x-accel-buffering"), Some("no"));
    assert_eq!(head.header("cache-control"), Some("no-cache, no-transform"));
    let mut before = Vec::new();
    loop {
        let event = caller.line.event().unwrap();
        let data = event.data.clone().unwrap();
        if data.is_empty() {
            before.push(event);
            continue;
        }
        let question = caller.heard(&data);
        assert_eq!(question["method"], "elicitation/create");
        return (before, event, question);
    }
}

pub(crate) fn answer(caller: &mut Caller, question: &Value) {
    let content = json!({ "action": "accept", "content": { "name": "Ada" } });
    let answer = json!({ "jsonrpc": "2.0", "id": question["id"], "result": content });
    assert_eq!(caller.say(&answer, &[]).0.status, 202);
}

pub(crate) fn text(message: &Value) -> &str {
    message["result"]["content"][0]["text"].as_str().unwrap()
}

#[test]
fn a_question_makes_the_response_a_stream() {
    for revision in ASKING {
        let (_, host) = host();
        let mut caller = Caller::ready(&host, revision);
        let (before, event, asked) = question(&mut caller);
        assert_eq!(event.name.as_deref(), Some("message"));
        if revision == Revision::V2025_11_25 {
            let [primed] = before.as_slice() else {
                panic!("{before:?}")
            };
            assert_ne!(primed.id, event.id);
            assert!(primed.id.is_some() && primed.retry == Some(1000));
        } else {
            assert!(before.is_empty(), "{before:?}");
        }
        let stream = caller.line(&host);
        answer(&mut caller, &asked);
        caller.line = stream;
        let (last, result) = caller.event().unwrap();
        assert_ne!(last.id, event.id);
        assert_eq!(text(&result), "Ada");
        assert_eq!(caller.event(), None);
    }
}

#[test]
fn a_lost_connection_does_not_cancel_before_2026() {
    let (gate, host) = host();
    let mut caller = Caller::ready(&host, Revision::V2025_06_18);
    let call = caller.call("wait", json!({}));
    caller.send(&call, &[]);
    wait_for(&gate.reached);
    caller.line(&host).hang_up();
    // Long enough for the server to have noticed.
    std::thread::sleep(Duration::from_millis(100));
    gate.open.notify_one();
    wait_for(&gate.passed);
}

#[test]
fn a_lost_connection_cancels_since_2026() {
    let (_, host) = host();
    let before = DROPPED.load(Ordering::SeqCst);
    let mut caller = Caller::ready(&host, Revision::V2026_07_28);
    let call = caller.call("forever", json!({}));
    caller.send(&call, &[]);
    std::thread::sleep(Duration::from_millis(50));
    caller.line.hang_up();
    until(|| DROPPED.load(Ordering::SeqCst) > before);
}

#[test]
fn a_lost_stream_cancels_since_2026() {
    let options = HttpOptions::new().keep_alive(Duration::from_millis(20));
    let host = Host::of(gated().1.http(options));
    let before = DROPPED.load(Ordering::SeqCst);
    let mut caller = Caller::ready(&host, Revision::V2026_07_28);
    let call = caller.call("forever", json!({}));
    caller.send(&call, &[]);
    assert!(caller.line.head().is_stream());
    assert_eq!(caller.line.block(), Some(Event::default()));
    caller.line.hang_up();
    until(|| DROPPED.load(Ordering::SeqCst) > before);
}

#[test]
fn a_cancelled_call_frees_its_connection() {
    let (_, host) = host();
    let mut caller = Caller::ready(&host, Revision::V2025_06_18);
    let call = caller.call("forever", json!({}));
    caller.send(&call, &[]);
    let waiting = caller.line(&host);
    let params = json!({ "requestId": call["id"] });
    let cancelled = json!({
        "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params,
    });
    std::thread::sleep(Duration::from_millis(50));
    assert_eq!(caller.say(&cancelled, &[]).0.status, 202);
    caller.line = waiting;
    let (head, body) = caller.line.reply();
    assert_eq!((head.status, body.as_str()), (202, ""));
}

#[test]
fn a_silent_stream_is_kept_open_by_comments() {
    let options = HttpOptions::new().keep_alive(Duration::from_millis(20));
    let host = Host::of(gated().1.http(options));
    for revision in crate::caller::ALL {
        let mut caller = Caller::ready(&host, revision);
        let call = caller.call("sleep", json!({ "millis": 200 }));
        caller.send(&call, &[]);
        assert!(caller.line.head().is_stream());
        let mut comments = 0;
        let data = loop {
            let block = caller.line.block().unwrap();
            match block.data {
                Some(data) if !data.is_empty() => break data,
                Some(_) => {}
                None => comments += 1,
            }
        };
        assert!(comments > 0);
        assert_eq!(text(&caller.heard(&data)), "slept");
        assert_eq!(caller.line.event(), None);
        if revision.is_legacy() {
            caller.listen(&[]);
            let mut blocks = (0..3).map(|_| caller.line.block().unwrap());
            assert!(blocks.any(|block| block == Event::default()));
        }
    }
}

#[test]
fn a_client_is_answered_as_it_wants() {
    let (_, host) = host();
    for revision in ASKING {
        let mut caller = Caller::ready(&host, revision);
        let call = caller.call("ask", json!({}));
        let (head, answer) = caller.say(&call, &[("Accept", "application/json")]);
        assert_eq!(head.status, 200);
        assert_eq!(answer.unwrap()["result"]["isError"], true);
    }
    for revision in crate::caller::ALL {
        let mut caller = Caller::ready(&host, revision);
        for tool in ["nothing", "sleep"] {
            let call = caller.call(tool, json!({ "millis": 1 }));
            caller.send(&call, &[("Accept", "text/event-stream")]);
            assert!(caller.line.head().is_stream(), "{revision:?} {tool}");
            while let Some(event) = caller.line.event() {
                let data = event.data.unwrap();
                if !data.is_empty() {
                    assert_eq!(caller.heard(&data)["id"], call["id"]);
                }
            }
        }
    }
}

#[test]
fn an_answer_may_be_longer_than_what_waits_for_a_client() {
    let host = Host::with(HttpOptions::new().event_buffer(1000));
    for revision in crate::caller::ALL {
        for (tool, accept) in [
            ("report_long", crate::caller::BOTH),
            ("long", "text/event-stream"),
        ] {
            let mut caller = Caller::ready(&host, revision);
            let mut call = caller.call(tool, json!({ "bytes": 5000 }));
            call["params"]["_meta"]["progressToken"] = "t".into();
            caller.send(&call, &[("Accept", accept)]);
            assert!(caller.line.head().is_stream());
            let (mut first, mut last) = (None, None);
            while let Some(event) = caller.line.event() {
                first = first.or(event.id);
                last = event.data;
            }
            let answer = caller.heard(&last.unwrap());
            assert_eq!(text(&answer).len(), 5000, "{revision:?} {tool}");
            if revision == Revision::V2025_11_25 {
                caller.listen(&[("Last-Event-ID", &first.unwrap())]);
                let mut again = None;
                while let Some(event) = caller.line.event() {
                    again = event.data;
                }
                assert!(again.unwrap().len() > 5000);
            }
        }
    }
}

#[test]
fn ending_a_session_ends_its_streams_and_calls() {
    let (_, host) = host();
    let mut caller = Caller::ready(&host, Revision::V2025_11_25);
    let _ = question(&mut caller);
    let mut asking = caller.line(&host);
    caller.listen(&[]);
    let mut listening = caller.line(&host);
    let session = caller.session.clone().unwrap();
    caller
        .line
        .request("DELETE", &[("Mcp-Session-Id", &session)], None);
    assert_eq!(caller.line.head().status, 204);
    assert_eq!(asking.event(), None);
    while let Some(event) = listening.event() {
        assert_eq!(event.data.as_deref(), Some(""));
    }
}
