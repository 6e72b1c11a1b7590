//! A handler comes to the same result in every revision, whatever it asks.

use std::sync::LazyLock;
use std::time::Duration;

use mcp_runtime::protocol::{CreateMessageResult, ElicitResult, Revision, Root};
use mcp_runtime::{ClientBuilder, ClientError, Side};
use proptest::prelude::*;
use serde_json::json;
use tokio::runtime::Runtime;

use crate::gate::server;
use crate::talk::{Way, checked, connect};

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| Runtime::new().unwrap());

/// A step of a plan: few keys and texts, so that they meet again.
fn step() -> impl Strategy<Value = String> {
    let (key, text) = (
        || prop_oneof!["a", "b", "c", "d"],
        || prop_oneof!["x", "x", "y"],
    );
    prop_oneof![
        3 => (key(), text()).prop_map(|(key, text)| format!("form {key} {text}")),
        2 => (key(), text()).prop_map(|(key, text)| format!("model m{key} {text}")),
        2 => (key(), key(), text()).prop_map(|(one, other, text)| format!("pair {one} {other} {text}")),
        1 => key().prop_map(|key| format!("once {key}")),
        1 => Just("roots".to_owned()),
    ]
}

/// A client whose answer depends on the text of the question alone.
fn answering(builder: ClientBuilder, mood: u8) -> ClientBuilder {
    builder
        .elicit(move |form| async move {
            match (form.message.len() + form.message.as_bytes()[0] as usize + mood as usize) % 4 {
                0 => ElicitResult::decline(),
                1 => ElicitResult::cancel(),
                _ => ElicitResult::accept([("name", form.message)]),
            }
        })
        .sample(|question| async move {
            let asked = serde_json::to_string(&question.messages).unwrap();
            Ok(CreateMessageResult::text(asked.len().to_string(), "echo"))
        })
        .roots([Root::new("file:///work")])
}

fn outcome(way: Way, revision: Revision, plan: &[String], mood: u8) -> Result<String, String> {
    outcome_of("follow", way, revision, plan, mood)
}

fn outcome_of(
    tool: &str,
    way: Way,
    revision: Revision,
    plan: &[String],
    mood: u8,
) -> Result<String, String> {
    RUNTIME.block_on(async {
        let (builder, log) = checked(revision);
        let client = answering(builder, mood).max_rounds(30);
        let server = server().task_poll_interval(Duration::from_millis(1));
        let client = connect(way, client, server).await;
        let called = client.call(tool, json!({ "plan": plan })).await;
        log.legal();
        let looked = !log.said(Side::Client, "tasks/get").is_empty();
        assert_eq!(looked, tool == "follow_as_task");
        match called {
            Ok(text) => Ok(text),
            Err(ClientError::Tool(text)) => Err(text),
            Err(error) => panic!("{revision} {plan:?}: {error}"),
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn every_revision_comes_to_the_same_result(
        plan in proptest::collection::vec(step(), 0..8),
        mood in 0_u8..4,
    ) {
        let modern = outcome(Way::Memory, Revision::V2026_07_28, &plan, mood);
        for (way, revision) in [
            (Way::Http, Revision::V2026_07_28),
            (Way::Memory, Revision::V2025_11_25),
            (Way::Http, Revision::V2025_11_25),
            (Way::Memory, Revision::V2025_06_18),
        ] {
            prop_assert_eq!(&outcome(way, revision, &plan, mood), &modern);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]

    #[test]
    fn a_task_comes_to_the_same_result(
        plan in proptest::collection::vec(step(), 0..6),
        mood in 0_u8..4,
    ) {
        let modern = Revision::V2026_07_28;
        let at_once = outcome(Way::Memory, modern, &plan, mood);
        for way in [Way::Memory, Way::Http] {
            let as_task = outcome_of("follow_as_task", way, modern, &plan, mood);
            prop_assert_eq!(&as_task, &at_once);
        }
    }
}
