use std::sync::{Arc, OnceLock};
use std::time::Duration;

use mcp_runtime::prelude::*;
use mcp_runtime::protocol::{LoggingLevel, Tool};
use mcp_runtime::{Added, Channel, Dispatched, Peer};
use serde_json::{Value, json};
use tokio::runtime::Builder;
use wire::{Conversation, Inbox, Revision};

use crate::definitions::server;
use crate::talk::{ALL, Talk, assert_contains, claim, initialize};

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

/// Says nothing for a while, then how far it is, then nothing again.
#[tool(group = "extra")]
async fn late(ctx: &Context) {
    tokio::time::sleep(Duration::from_millis(50)).await;
    ctx.progress(0.5, None);
    tokio::time::sleep(Duration::from_millis(50)).await;
}

/// The progress that a client is told, on a clock that only the call moves.
fn beats(revision: Revision, tool: &str, token: Option<Value>) -> Vec<f64> {
    let clock = Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .unwrap();
    let dispatcher = server()
        .heartbeat(Duration::from_millis(20))
        .build()
        .unwrap();
    let inbox = Arc::new(Inbox::default());
    let peer = Peer::through(Channel::Memory, inbox.clone());
    let mut conversation = Conversation::new(Revision::V2026_07_28);
    let mut meta = if revision.is_legacy() {
        json!({})
    } else {
        claim()
    };
    if let Some(token) = token {
        meta["progressToken"] = token;
    }
    let params = json!({ "name": tool, "arguments": {}, "_meta": meta });
    let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
    let hello = revision.is_legacy().then(|| initialize(revision.as_str()));
    let mut told = Vec::new();
    clock.block_on(async {
        for message in hello.into_iter().chain([call]) {
            conversation.sent_by_client(&message);
            let mut reply = Vec::new();
            let text = message.to_string();
            if let Dispatched::Pending(pending) =
                dispatcher.dispatch(text.as_bytes(), &peer, &mut reply)
            {
                reply = pending.run().await.unwrap();
            }
            for text in inbox.take() {
                told.push(conversation.sent_by_server_text(&text).unwrap());
            }
            let reply = String::from_utf8(reply).unwrap();
            conversation.sent_by_server_text(&reply).unwrap();
        }
    });
    told.iter()
        .map(|it| it["params"]["progress"].as_f64().unwrap())
        .collect()
}

#[test]
fn a_heartbeat_tells_that_a_silent_call_is_alive() {
    for revision in ALL {
        let beats = |tool: &str, token| beats(revision, tool, token);
        assert_eq!(beats("slow", Some(json!("t"))).len(), 2, "{revision}");
        assert_eq!(beats("slow", None), Vec::<f64>::new());
        // Once the body itself has told, nothing is told in its place.
        let told = beats("late", Some(json!(7)));
        assert_eq!((told.len(), told.last()), (3, Some(&0.5)), "{told:?}");
    }
}

/// Returns at once, but may block.
#[tool]
fn may_block() {}

/// The thread that reads would have nobody to give signs of life meanwhile.
#[test]
fn a_call_that_gives_signs_of_life_does_not_block_the_thread_that_reads() {
    let beating = server().heartbeat(Duration::from_millis(20));
    let dispatcher = beating.build().unwrap();
    let blocks = |meta: Value| {
        let params = json!({ "name": "may_block", "_meta": meta });
        let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
        let peer = Peer::through(Channel::Memory, Arc::new(Inbox::default()));
        match dispatcher.dispatch(call.to_string().as_bytes(), &peer, &mut Vec::new()) {
            Dispatched::Pending(pending) => pending.is_blocking(),
            answered => panic!("{answered:?}"),
        }
    };
    assert!(blocks(claim()));
    let mut asking = claim();
    asking["progressToken"] = json!("t");
    assert!(!blocks(asking));
}

#[test]
fn nothing_is_told_after_the_reply() {
    for revision in ALL {
        let kept = Arc::new(OnceLock::new());
        let mut talk = Talk::with(server(), revision);
        let tool = Tool {
            name: "keeps".to_owned(),
            input_schema: json!({ "type": "object" }),
            ..Tool::default()
        };
        let keeper = Arc::clone(&kept);
        let tool = Added::tool(tool, move |_, context| {
            context.progress(1.0, None);
            context.log(LoggingLevel::Error, "early");
            keeper.set(context).unwrap();
            async { Ok("done") }
        });
        talk.dispatcher.handle().add(tool).unwrap();
        talk.news();
        let meta = json!({ "progressToken": "t", "io.modelcontextprotocol/logLevel": "error" });
        call(&mut talk, "keeps", meta);
        assert_eq!(talk.news().len(), 2, "{revision}");
        let context = kept.get().unwrap();
        context.progress(2.0, None);
        context.log(LoggingLevel::Error, "late");
        assert_eq!(talk.news(), Vec::<Value>::new(), "{revision}");
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
