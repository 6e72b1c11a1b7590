//! Confirmation by the user before the handler runs.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};

use mcp_runtime::auth::{Access, Decision, Principal};
use mcp_runtime::protocol::{ElicitResult, Revision};
use serde_json::json;
use tokio::sync::Mutex as AsyncMutex;

use crate::tools::DELETED;
use support::access::{AuditLog, anonymous_client, call_text, call_tool, server};
use support::checked_client::checked_client;

/// These tests count the runs of one handler, so they run one at a time.
pub(crate) static TURN: AsyncMutex<()> = AsyncMutex::const_new(());

/// Revisions with elicitation.
const WITH_ELICITATION: [Revision; 3] = [
    Revision::V2025_06_18,
    Revision::V2025_11_25,
    Revision::V2026_07_28,
];

/// Calls `delete` with this answer to its confirmation. Returns the questions, whether
/// the call failed, how often the handler ran, and the audited outcomes.
async fn call_delete(
    revision: Revision,
    answer: impl Fn() -> ElicitResult,
) -> (Vec<String>, bool, usize, Vec<&'static str>) {
    let _turn = TURN.lock().await;
    let (audit, questions) = (AuditLog::default(), Arc::new(Mutex::new(Vec::new())));
    let (builder, log) = checked_client(revision);
    let (seen, answer) = (Arc::clone(&questions), answer());
    let builder = builder
        .principal(Principal::new("alice"))
        .elicit(move |form| {
            seen.lock().unwrap().push(form.message);
            let answer = answer.clone();
            async { answer }
        });
    let server = audit.record(server()).build().unwrap();
    let client = builder.connect(server).await.unwrap();
    let before = DELETED.load(Ordering::Relaxed);
    let (failed, _) = call_text(&client, "delete", json!({ "path": "a/b" })).await;
    log.assert_valid();
    let runs = DELETED.load(Ordering::Relaxed) - before;
    let questions = questions.lock().unwrap().clone();
    (questions, failed, runs, audit.outcomes())
}

#[tokio::test]
async fn handler_runs_only_with_explicit_consent() {
    let yes = || ElicitResult::accept([("approve", true)]);
    for revision in WITH_ELICITATION {
        let (questions, failed, runs, outcomes) = call_delete(revision, &yes).await;
        assert_eq!(questions, ["Delete a/b?"]);
        assert_eq!((failed, runs), (false, 1), "{revision}");
        assert_eq!(outcomes.last(), Some(&"success"));
    }
}

#[tokio::test]
async fn any_other_answer_is_denied() {
    let answers = [
        ElicitResult::accept([("approve", false)]),
        ElicitResult::accept([("approve", "yes")]),
        ElicitResult::accept::<&str, bool>([]),
        ElicitResult::decline(),
        ElicitResult::cancel(),
    ];
    for revision in WITH_ELICITATION {
        for answer in &answers {
            let (questions, failed, runs, outcomes) =
                call_delete(revision, || answer.clone()).await;
            assert_eq!(questions.len(), 1);
            assert_eq!((failed, runs), (true, 0), "{revision} {answer:?}");
            assert_eq!(outcomes.last(), Some(&"declined"));
        }
    }
}

#[tokio::test]
async fn client_without_elicitation_is_denied() {
    let _turn = TURN.lock().await;
    for revision in Revision::ALL {
        let audit = AuditLog::default();
        let (client, log) = anonymous_client(audit.record(server()), revision).await;
        let before = DELETED.load(Ordering::Relaxed);
        let answer = call_tool(&client, "delete", json!({ "path": "a" })).await;
        match answer {
            Ok(result) => {
                assert_eq!(result["isError"], true);
                let text = result["content"][0]["text"].as_str().unwrap();
                assert!(text.contains("the consent of the user"), "{text}");
            }
            Err(error) => assert_eq!(error["code"], -32021),
        }
        assert_eq!(DELETED.load(Ordering::Relaxed), before);
        assert_eq!(audit.outcomes(), ["consent_unavailable"]);
        log.assert_valid();
    }
}

#[tokio::test]
async fn confirmation_shows_the_effective_arguments() {
    for revision in WITH_ELICITATION {
        let questions = Arc::new(Mutex::new(Vec::new()));
        let (builder, log) = checked_client(revision);
        let seen = Arc::clone(&questions);
        let builder = builder.elicit(move |form| {
            seen.lock().unwrap().push(form.message);
            async { ElicitResult::accept([("approve", true)]) }
        });
        let client = builder.connect(server().build().unwrap()).await.unwrap();
        for (arguments, count) in [
            (json!({ "path": "a" }), 10),
            (json!({ "path": "a", "count": null }), 10),
            (json!({ "path": "a", "count": "7" }), 7),
            (json!({ "path": "a", "count": 1000 }), 100),
        ] {
            let (failed, text) = call_text(&client, "cut", arguments).await;
            assert_eq!((failed, text), (false, format!("a has {count} lines less")));
            let question = questions.lock().unwrap().pop();
            assert_eq!(
                question,
                Some(format!("Cut {count} lines of a?")),
                "{revision}"
            );
        }
        log.assert_valid();
        // Models may quote the whole object, which is not a valid message.
        let quoted = json!(r#"{ "path": "a", "count": 3 }"#);
        let (failed, text) = call_text(&client, "cut", quoted).await;
        assert_eq!((failed, &*text), (false, "a has 3 lines less"));
        let question = questions.lock().unwrap().pop();
        assert_eq!(question.as_deref(), Some("Cut 3 lines of a?"), "{revision}");
    }
}

#[tokio::test]
async fn consent_lasts_across_input_rounds() {
    let _turn = TURN.lock().await;
    for revision in WITH_ELICITATION {
        let (audit, questions) = (AuditLog::default(), Arc::new(Mutex::new(Vec::new())));
        let (builder, log) = checked_client(revision);
        let seen = Arc::clone(&questions);
        let builder = builder.elicit(move |form| {
            seen.lock().unwrap().push(form.message);
            async { ElicitResult::accept([("approve", true), ("is", true)]) }
        });
        let server = audit.record(server()).build().unwrap();
        let client = builder.connect(server).await.unwrap();
        let before = DELETED.load(Ordering::Relaxed);
        let (failed, text) = call_text(&client, "put_away", json!({ "path": "a" })).await;
        assert_eq!((failed, &*text), (false, "a: true"), "{revision}");
        log.assert_valid();
        assert_eq!(DELETED.load(Ordering::Relaxed), before + 1);
        // Each question is asked once, whatever the number of rounds.
        let expected = ["Move a?", "Is there a hurry?", "Is there another?"];
        assert_eq!(*questions.lock().unwrap(), expected);
        assert_eq!(audit.decisions().last(), Some(&"approved"));
    }
}

#[tokio::test]
async fn method_wrapper_can_see_a_dry_run() {
    let dry_runs = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&dry_runs);
    let server = server().wrap_method("tools/call", move |call, next| {
        seen.lock().unwrap().push(call.context.is_dry_run());
        next.run(call)
    });
    let (client, log) = anonymous_client(server, Revision::NEWEST).await;
    let arguments = json!({ "text": "a" });
    let result = client.dry_run("echo", arguments.clone()).await.unwrap();
    assert!(result.is_error);
    assert_eq!(call_text(&client, "echo", arguments).await.1, "a");
    assert_eq!(*dry_runs.lock().unwrap(), [true, false]);
    log.assert_valid();
}

#[tokio::test]
async fn consent_fallback_decides_if_the_client_cannot_ask() {
    let _turn = TURN.lock().await;
    for revision in Revision::ALL {
        for (name, runs) in [("alice", 1), ("bob", 0), ("carol", 0)] {
            let audit = AuditLog::default();
            let fallback = |access: &Access<'_>| match access.principal.map(|it| &*it.id) {
                Some("alice") => Decision::Allow,
                Some("carol") => panic!("planted"),
                _ => Decision::Deny("planted".into()),
            };
            let server = audit
                .record(server().consent_fallback(fallback))
                .build()
                .unwrap();
            let (builder, log) = checked_client(revision);
            let client = builder.principal(Principal::new(name)).connect(server);
            let client = client.await.unwrap();
            let before = DELETED.load(Ordering::Relaxed);
            let answer = call_tool(&client, "delete", json!({ "path": "a" })).await;
            assert!(!format!("{answer:?}").contains("planted"));
            assert_eq!(DELETED.load(Ordering::Relaxed) - before, runs, "{name}");
            let (outcome, decision) = match runs {
                1 => ("success", "consent_not_required"),
                _ => ("consent_unavailable", "withheld"),
            };
            assert_eq!(audit.outcomes(), [outcome]);
            assert_eq!(audit.decisions(), [decision]);
            log.assert_valid();
        }
    }
}

#[tokio::test]
async fn consent_fallback_is_not_used_if_the_client_can_ask() {
    let _turn = TURN.lock().await;
    for revision in WITH_ELICITATION {
        let audit = AuditLog::default();
        let (builder, log) = checked_client(revision);
        let builder = builder.elicit(|_| async { ElicitResult::decline() });
        let server = server().consent_fallback(|_: &Access<'_>| Decision::Allow);
        let server = audit.record(server).build().unwrap();
        let client = builder.connect(server).await.unwrap();
        let before = DELETED.load(Ordering::Relaxed);
        assert!(call_text(&client, "delete", json!({ "path": "a" })).await.0);
        assert_eq!(DELETED.load(Ordering::Relaxed), before);
        assert_eq!(audit.decisions().last(), Some(&"withheld"));
        log.assert_valid();
    }
}

#[tokio::test]
async fn dry_run_describes_the_call_and_runs_nothing() {
    let _turn = TURN.lock().await;
    for revision in Revision::ALL {
        let audit = AuditLog::default();
        let (client, log) = anonymous_client(audit.record(server()), revision).await;
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
        assert_eq!(audit.outcomes(), ["dry_run", "dry_run", "invalid"]);
        log.assert_valid();
    }
}
