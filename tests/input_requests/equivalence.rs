//! A handler has the same result in every revision, whatever input it requests.

use std::sync::LazyLock;
use std::time::Duration;

use mcp_runtime::ClientError;
use mcp_runtime::client::{ClientBuilder, Direction};
use mcp_runtime::protocol::{CreateMessageResult, ElicitResult, Revision, Root};
use proptest::prelude::*;
use serde_json::json;
use tokio::runtime::Runtime;

use crate::gate::server;
use support::checked_client::{ClientTransport, checked_client, connect_over};

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| Runtime::new().unwrap());

/// A step of a plan, with few keys and texts, so that they repeat.
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

/// Adds handlers whose answers depend only on the text of the request.
fn with_deterministic_answers(builder: ClientBuilder, seed: u8) -> ClientBuilder {
    builder
        .elicit(move |form| async move {
            match (form.message.len() + form.message.as_bytes()[0] as usize + seed as usize) % 4 {
                0 => ElicitResult::decline(),
                1 => ElicitResult::cancel(),
                _ => ElicitResult::accept([("name", form.message)]),
            }
        })
        .sample(|request| async move {
            let messages = serde_json::to_string(&request.messages).unwrap();
            Ok(CreateMessageResult::text(
                messages.len().to_string(),
                "echo",
            ))
        })
        .roots([Root::new("file:///work")])
}

fn outcome(
    transport: ClientTransport,
    revision: Revision,
    plan: &[String],
    seed: u8,
) -> Result<String, String> {
    outcome_of("follow", transport, revision, plan, seed)
}

fn outcome_of(
    tool: &str,
    transport: ClientTransport,
    revision: Revision,
    plan: &[String],
    seed: u8,
) -> Result<String, String> {
    RUNTIME.block_on(async {
        let (builder, log) = checked_client(revision);
        let client = with_deterministic_answers(builder, seed).max_input_rounds(30);
        let server = server().task_poll_interval(Duration::from_millis(1));
        let client = connect_over(transport, client, server).await;
        let called = client.call(tool, json!({ "plan": plan })).await;
        log.assert_valid();
        let polled = !log.sent_by(Direction::ToServer, "tasks/get").is_empty();
        assert_eq!(polled, tool == "follow_as_task");
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
    fn every_revision_has_the_same_result(
        plan in proptest::collection::vec(step(), 0..8),
        seed in 0_u8..4,
    ) {
        let modern = outcome(ClientTransport::Memory, Revision::V2026_07_28, &plan, seed);
        for (transport, revision) in [
            (ClientTransport::Http, Revision::V2026_07_28),
            (ClientTransport::Memory, Revision::V2025_11_25),
            (ClientTransport::Http, Revision::V2025_11_25),
            (ClientTransport::Memory, Revision::V2025_06_18),
        ] {
            prop_assert_eq!(&outcome(transport, revision, &plan, seed), &modern);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]

    #[test]
    fn task_has_the_same_result(
        plan in proptest::collection::vec(step(), 0..6),
        seed in 0_u8..4,
    ) {
        let modern = Revision::V2026_07_28;
        let direct = outcome(ClientTransport::Memory, modern, &plan, seed);
        for transport in [ClientTransport::Memory, ClientTransport::Http] {
            let as_task = outcome_of("follow_as_task", transport, modern, &plan, seed);
            prop_assert_eq!(&as_task, &direct);
        }
    }
}
