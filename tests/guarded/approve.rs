//! A person is asked before the body runs, in every revision.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};

use mcp_runtime::auth::Principal;
use mcp_runtime::protocol::{ElicitResult, Revision};
use serde_json::{Value, json};
use tokio::sync::Mutex as AsyncMutex;

use crate::server::{Book, call, nobody, said, server};
use crate::talk::checked;
use crate::tools::DELETED;

/// The tests count the runs of one body, so they take turns.
static TURN: AsyncMutex<()> = AsyncMutex::const_new(());

/// Revisions that can ask a person.
const ASKING: [Revision; 3] = [
    Revision::V2025_06_18,
    Revision::V2025_11_25,
    Revision::V2026_07_28,
];

#[track_caller]
fn answered(answer: fn() -> ElicitResult) -> impl Fn() -> ElicitResult {
    answer
}

/// Calls `delete` where a person answers so; gives what was asked, whether it
/// failed, how often the body ran, and what was written down.
async fn asked(
    revision: Revision,
    answer: impl Fn() -> ElicitResult,
) -> (Vec<String>, bool, usize, Vec<&'static str>) {
    let _turn = TURN.lock().await;
    let (book, questions) = (Book::default(), Arc::new(Mutex::new(Vec::new())));
    let (builder, log) = checked(revision);
    let (heard, answer) = (Arc::clone(&questions), answer());
    let builder = builder
        .principal(Principal::new("alice"))
        .elicit(move |form| {
            heard.lock().unwrap().push(form.message);
            let answer = answer.clone();
            async { answer }
        });
    let server = book.kept(server()).build().unwrap();
    let client = builder.connect(server).await.unwrap();
    let before = DELETED.load(Ordering::Relaxed);
    let (failed, _) = said(&client, "delete", json!({ "path": "a/b" })).await;
    log.legal();
    let runs = DELETED.load(Ordering::Relaxed) - before;
    let questions = questions.lock().unwrap().clone();
    (questions, failed, runs, book.outcomes())
}

#[tokio::test]
async fn only_an_explicit_yes_lets_the_body_run() {
    let yes = answered(|| ElicitResult::accept([("approve", true)]));
    for revision in ASKING {
        let (questions, failed, runs, outcomes) = asked(revision, &yes).await;
        assert_eq!(questions, ["Delete a/b?"]);
        assert_eq!((failed, runs), (false, 1), "{revision}");
        assert_eq!(outcomes.last(), Some(&"success"));
    }
}

#[tokio::test]
async fn anything_else_does_not() {
    let answers = [
        ElicitResult::accept([("approve", false)]),
        ElicitResult::accept([("approve", "yes")]),
        ElicitResult::accept::<&str, bool>([]),
        ElicitResult::decline(),
        ElicitResult::cancel(),
    ];
    for revision in ASKING {
        for answer in &answers {
            let (questions, failed, runs, outcomes) = asked(revision, || answer.clone()).await;
            assert_eq!(questions.len(), 1);
            assert_eq!((failed, runs), (true, 0), "{revision} {answer:?}");
            assert_eq!(outcomes.last(), Some(&"refused"));
        }
    }
}

#[tokio::test]
async fn a_client_that_cannot_ask_is_refused() {
    let _turn = TURN.lock().await;
    for revision in Revision::ALL {
        let book = Book::default();
        let (client, log) = nobody(book.kept(server()), revision).await;
        let before = DELETED.load(Ordering::Relaxed);
        let answer = call(&client, "delete", json!({ "path": "a" })).await;
        match answer {
            Ok(result) => {
                assert_eq!(result["isError"], true);
                let text = result["content"][0]["text"].as_str().unwrap();
                assert!(text.contains("consent of a person"), "{text}");
            }
            Err(error) => assert_eq!(error["code"], -32021),
        }
        assert_eq!(DELETED.load(Ordering::Relaxed), before);
        assert_eq!(book.outcomes(), ["unconfirmed"]);
        log.legal();
    }
}

/// What a client of 2026-07-28 brings back that was asked and said yes.
fn consent(state: &Value, path: &str) -> Value {
    json!({
        "name": "delete",
        "arguments": { "path": path },
        "requestState": state,
        "inputResponses": {
            "mcp-runtime/approve": { "action": "accept", "content": { "approve": true } },
        },
        "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": { "elicitation": { "form": {} } },
        },
    })
}

#[tokio::test]
async fn consent_is_for_these_arguments_and_this_caller() {
    let _turn = TURN.lock().await;
    let server = server().build().unwrap();
    let say = async |caller: &str, params: &Value| {
        let peer = mcp_runtime::Peer::new().with_principal(Arc::new(Principal::new(caller)));
        let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
        let mut reply = Vec::new();
        match server.dispatch(call.to_string().as_bytes(), &peer, &mut reply) {
            mcp_runtime::Dispatched::Pending(pending) => reply = pending.run().await.unwrap(),
            mcp_runtime::Dispatched::Replied(_) => {}
            mcp_runtime::Dispatched::Silent => panic!("silent"),
        }
        serde_json::from_slice::<Value>(&reply).unwrap()
    };
    let mut first = consent(&json!(null), "a");
    first.as_object_mut().unwrap().remove("requestState");
    first.as_object_mut().unwrap().remove("inputResponses");
    let asked = say("alice", &first).await;
    assert_eq!(asked["result"]["resultType"], "input_required", "{asked}");
    let state = &asked["result"]["requestState"];
    assert_eq!(
        say("alice", &consent(state, "b")).await["error"]["code"],
        -32602
    );
    assert_eq!(
        say("bob", &consent(state, "a")).await["error"]["code"],
        -32602
    );
    let done = say("alice", &consent(state, "a")).await;
    assert_eq!(done["result"]["content"][0]["text"], "a is gone", "{done}");
}

#[tokio::test]
async fn a_dry_run_says_what_would_happen_and_does_nothing() {
    let _turn = TURN.lock().await;
    for revision in Revision::ALL {
        let book = Book::default();
        let (client, log) = nobody(book.kept(server()), revision).await;
        let before = DELETED.load(Ordering::Relaxed);
        let params = json!({
            "name": "delete", "arguments": { "path": "a" },
            "_meta": { "mcp-runtime/dryRun": true },
        });
        let result = client.request("tools/call", params).await.unwrap();
        let text = result["content"][0]["text"].as_str().unwrap();
        assert!(
            text.contains("`delete` would run") && text.contains("Delete a?"),
            "{text}"
        );
        assert_eq!(result["isError"], true);
        assert_eq!(DELETED.load(Ordering::Relaxed), before);
        let params = json!({
            "name": "delete", "arguments": { "pat": "a" },
            "_meta": { "mcp-runtime/dryRun": true },
        });
        let result = client.request("tools/call", params).await.unwrap();
        assert!(result.to_string().contains("invalid arguments"), "{result}");
        assert_eq!(book.outcomes(), ["dry_run", "invalid"]);
        log.legal();
    }
}
