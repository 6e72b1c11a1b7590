//! A person is asked before the body runs, in every revision.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};

use mcp_runtime::auth::{Access, Decision, Principal};
use mcp_runtime::protocol::{ElicitResult, Revision};
use serde_json::json;
use tokio::sync::Mutex as AsyncMutex;

use crate::server::{Book, call, nobody, said, server};
use crate::talk::checked;
use crate::tools::DELETED;

/// The tests count the runs of one body, so they take turns.
pub(crate) static TURN: AsyncMutex<()> = AsyncMutex::const_new(());

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

#[tokio::test]
async fn a_person_sees_what_the_body_is_run_with() {
    for revision in ASKING {
        let questions = Arc::new(Mutex::new(Vec::new()));
        let (builder, log) = checked(revision);
        let heard = Arc::clone(&questions);
        let builder = builder.elicit(move |form| {
            heard.lock().unwrap().push(form.message);
            async { ElicitResult::accept([("approve", true)]) }
        });
        let client = builder.connect(server().build().unwrap()).await.unwrap();
        for (arguments, count) in [
            (json!({ "path": "a" }), 10),
            (json!({ "path": "a", "count": null }), 10),
            (json!({ "path": "a", "count": "7" }), 7),
            (json!({ "path": "a", "count": 1000 }), 100),
        ] {
            let (failed, text) = said(&client, "cut", arguments).await;
            assert_eq!((failed, text), (false, format!("a has {count} lines less")));
            let asked = questions.lock().unwrap().pop();
            assert_eq!(
                asked,
                Some(format!("Cut {count} lines of a?")),
                "{revision}"
            );
        }
        log.legal();
        // As models send it that quote the whole object, which is no legal message.
        let quoted = json!(r#"{ "path": "a", "count": 3 }"#);
        let (failed, text) = said(&client, "cut", quoted).await;
        assert_eq!((failed, &*text), (false, "a has 3 lines less"));
        let asked = questions.lock().unwrap().pop();
        assert_eq!(asked.as_deref(), Some("Cut 3 lines of a?"), "{revision}");
    }
}

#[tokio::test]
async fn consent_lasts_over_the_questions_of_the_body() {
    let _turn = TURN.lock().await;
    for revision in ASKING {
        let (book, questions) = (Book::default(), Arc::new(Mutex::new(Vec::new())));
        let (builder, log) = checked(revision);
        let heard = Arc::clone(&questions);
        let builder = builder.elicit(move |form| {
            heard.lock().unwrap().push(form.message);
            async { ElicitResult::accept([("approve", true), ("is", true)]) }
        });
        let server = book.kept(server()).build().unwrap();
        let client = builder.connect(server).await.unwrap();
        let before = DELETED.load(Ordering::Relaxed);
        let (failed, text) = said(&client, "put_away", json!({ "path": "a" })).await;
        assert_eq!((failed, &*text), (false, "a: true"), "{revision}");
        log.legal();
        assert_eq!(DELETED.load(Ordering::Relaxed), before + 1);
        // A person is asked each question once, in whichever round.
        let asked = ["Move a?", "Is there a hurry?", "Is there another?"];
        assert_eq!(*questions.lock().unwrap(), asked);
        assert_eq!(book.decisions().last(), Some(&"approved"));
    }
}

#[tokio::test]
async fn what_stands_around_a_call_knows_a_dry_run() {
    let heard = Arc::new(Mutex::new(Vec::new()));
    let told = Arc::clone(&heard);
    let server = server().wrap_method("tools/call", move |call, next| {
        told.lock().unwrap().push(call.context.is_dry_run());
        next.run(call)
    });
    let (client, log) = nobody(server, Revision::NEWEST).await;
    let arguments = json!({ "text": "a" });
    let told = client.dry_run("echo", arguments.clone()).await.unwrap();
    assert!(told.is_error);
    assert_eq!(said(&client, "echo", arguments).await.1, "a");
    assert_eq!(*heard.lock().unwrap(), [true, false]);
    log.legal();
}

#[tokio::test]
async fn a_server_may_do_without_a_person_whom_nobody_can_ask() {
    let _turn = TURN.lock().await;
    for revision in Revision::ALL {
        for (name, runs) in [("alice", 1), ("bob", 0), ("carol", 0)] {
            let book = Book::default();
            let unasked = |access: &Access<'_>| match access.principal.map(|it| &*it.id) {
                Some("alice") => Decision::Allow,
                Some("carol") => panic!("planted"),
                _ => Decision::Deny("planted".into()),
            };
            let server = book.kept(server().unasked(unasked)).build().unwrap();
            let (builder, log) = checked(revision);
            let client = builder.principal(Principal::new(name)).connect(server);
            let client = client.await.unwrap();
            let before = DELETED.load(Ordering::Relaxed);
            let answer = call(&client, "delete", json!({ "path": "a" })).await;
            assert!(!format!("{answer:?}").contains("planted"));
            assert_eq!(DELETED.load(Ordering::Relaxed) - before, runs, "{name}");
            let (outcome, decision) = match runs {
                1 => ("success", "excused"),
                _ => ("unconfirmed", "withheld"),
            };
            assert_eq!(book.outcomes(), [outcome]);
            assert_eq!(book.decisions(), [decision]);
            log.legal();
        }
    }
}

#[tokio::test]
async fn who_can_be_asked_is_never_excused() {
    let _turn = TURN.lock().await;
    for revision in ASKING {
        let book = Book::default();
        let (builder, log) = checked(revision);
        let builder = builder.elicit(|_| async { ElicitResult::decline() });
        let server = server().unasked(|_: &Access<'_>| Decision::Allow);
        let server = book.kept(server).build().unwrap();
        let client = builder.connect(server).await.unwrap();
        let before = DELETED.load(Ordering::Relaxed);
        assert!(said(&client, "delete", json!({ "path": "a" })).await.0);
        assert_eq!(DELETED.load(Ordering::Relaxed), before);
        assert_eq!(book.decisions().last(), Some(&"withheld"));
        log.legal();
    }
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
        let result = client.dry_run("delete", json!({ "path": "a" })).await;
        assert_eq!(result.unwrap().first_text(), Some(text));
        let params = json!({
            "name": "delete", "arguments": { "pat": "a" },
            "_meta": { "mcp-runtime/dryRun": true },
        });
        let result = client.request("tools/call", params).await.unwrap();
        assert!(result.to_string().contains("invalid arguments"), "{result}");
        assert_eq!(book.outcomes(), ["dry_run", "dry_run", "invalid"]);
        log.legal();
    }
}
