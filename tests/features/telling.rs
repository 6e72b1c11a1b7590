use std::time::Duration;

use serde_json::{Value, json};
use wire::Revision;

use crate::definitions::server;
use crate::talk::{ALL, Talk, assert_contains};

fn call(talk: &mut Talk, name: &str, meta: Value) -> Value {
    talk.ask(
        "tools/call",
        json!({ "name": name, "arguments": {}, "_meta": meta }),
    )
}

#[test]
fn progress_grows_and_ends_with_the_reply() {
    for revision in ALL {
        for token in [json!("t"), json!(7)] {
            let mut talk = Talk::with(server(), revision);
            let answer = call(&mut talk, "steps", json!({ "progressToken": token }));
            assert_contains(
                &answer["result"]["_meta"],
                &json!({ "example.com/steps": 3 }),
            );
            let told: Vec<Value> = talk
                .news()
                .into_iter()
                .map(|message| {
                    assert_eq!(message["method"], "notifications/progress");
                    message["params"].clone()
                })
                .collect();
            let mut expected = json!([
                { "progressToken": token, "progress": 1, "total": 3 },
                { "progressToken": token, "progress": 2.5, "total": 3, "message": "almost" },
                { "progressToken": token, "progress": 3 },
            ]);
            if revision < Revision::V2025_03_26 {
                expected[1].as_object_mut().unwrap().remove("message");
            }
            assert_eq!(json!(told), expected, "{revision}");
        }
    }
}

#[test]
fn progress_is_told_only_to_who_asked() {
    for revision in ALL {
        let mut talk = Talk::with(server(), revision);
        call(&mut talk, "steps", json!({}));
        assert_eq!(talk.news(), Vec::<Value>::new());
    }
}

#[test]
fn a_heartbeat_tells_that_a_silent_call_is_alive() {
    for revision in ALL {
        let server = server().heartbeat(Duration::from_millis(5));
        let mut talk = Talk::with(server, revision);
        call(&mut talk, "slow", json!({ "progressToken": "t" }));
        assert!(!talk.news().is_empty());
        call(&mut talk, "slow", json!({}));
        assert_eq!(talk.news(), Vec::<Value>::new());
    }
}

fn levels(talk: &mut Talk) -> Vec<Value> {
    let news = talk.news().into_iter();
    news.map(|message| message["params"]["level"].clone())
        .collect()
}

#[test]
fn a_session_says_which_log_messages_it_wants() {
    for revision in ALL.into_iter().filter(|revision| revision.is_legacy()) {
        let mut talk = Talk::with(server(), revision);
        call(&mut talk, "logs", json!({}));
        assert_eq!(levels(&mut talk).len(), 8, "`info` and above, and one more");
        assert_eq!(
            talk.ask("logging/setLevel", json!({ "level": "alert" }))["result"],
            json!({})
        );
        call(&mut talk, "logs", json!({}));
        assert_eq!(levels(&mut talk), ["alert", "emergency"]);
        let answer = talk.ask("logging/setLevel", json!({ "level": "loud" }));
        assert_contains(&answer, &json!({ "error": { "code": -32602 } }));
    }
}

#[test]
fn a_stateless_request_says_which_log_messages_it_wants() {
    let level = |level: &str| json!({ "io.modelcontextprotocol/logLevel": level });
    let mut talk = Talk::with(server(), Revision::V2026_07_28);
    call(&mut talk, "logs", json!({}));
    assert_eq!(levels(&mut talk), Vec::<Value>::new());
    call(&mut talk, "logs", level("critical"));
    assert_eq!(levels(&mut talk), ["critical", "alert", "emergency"]);
    let answer = call(&mut talk, "logs", level("loud"));
    assert_contains(&answer, &json!({ "error": { "code": -32602 } }));
}

#[test]
fn a_log_message_can_name_its_source() {
    let mut talk = Talk::with(server(), Revision::V2025_11_25);
    call(&mut talk, "logs", json!({}));
    let last = talk.news().pop().unwrap();
    assert_eq!(
        last["params"],
        json!({ "level": "error", "logger": "disk", "data": [1, 2] })
    );
}
