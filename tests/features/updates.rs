//! How often a client hears that a resource changed, on a clock that the test moves.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::runtime::Builder;
use tokio::time::{Instant, sleep_until};
use wire::Revision;

use crate::definitions::server;
use crate::talk::Talk;

/// A client that subscribed to two resources.
fn subscriber() -> Talk {
    let mut talk = Talk::with(server(), Revision::V2025_11_25);
    for uri in ["config://app", "notes://1/body"] {
        let answer = talk.ask("resources/subscribe", json!({ "uri": uri }));
        assert_eq!(answer["result"], json!({}), "{uri}");
    }
    talk
}

/// The resources that the client heard of since it was last asked.
fn told(talk: &mut Talk) -> Vec<String> {
    let uri = |message: Value| {
        assert_eq!(message["method"], "notifications/resources/updated");
        message["params"]["uri"].as_str().unwrap().to_owned()
    };
    talk.news().into_iter().map(uri).collect()
}

/// Runs through a script of changes and looks, each at its millisecond.
fn check(script: &[(u64, Step)]) {
    let mut talk = subscriber();
    let handle = talk.dispatcher.handle().clone();
    let clock = Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .unwrap();
    clock.block_on(async {
        let start = Instant::now();
        for (millis, step) in script {
            sleep_until(start + Duration::from_millis(*millis)).await;
            match step {
                Step::Change(uri) => handle.resource_updated(uri),
                Step::Told(expected) => assert_eq!(told(&mut talk), *expected, "at {millis} ms"),
            }
        }
    });
}

enum Step {
    Change(&'static str),
    Told(&'static [&'static str]),
}

use Step::{Change, Told};

const APP: &str = "config://app";
const NOTE: &str = "notes://1/body";

#[test]
fn the_first_change_is_told_at_once_and_the_others_together_after_the_pause() {
    check(&[
        (0, Change(APP)),
        (0, Told(&[APP])),
        (1, Change(APP)),
        (50, Change(APP)),
        (99, Change(APP)),
        (99, Told(&[])),
        (101, Told(&[APP])),
        (500, Told(&[])),
    ]);
}

#[test]
fn a_change_after_the_pause_is_told_at_once_again() {
    check(&[
        (0, Change(APP)),
        (0, Told(&[APP])),
        (101, Told(&[])),
        (102, Change(APP)),
        (102, Told(&[APP])),
        (300, Told(&[])),
    ]);
}

#[test]
fn what_was_told_late_begins_a_pause_as_well() {
    check(&[
        (0, Change(APP)),
        (50, Change(APP)),
        (101, Told(&[APP, APP])),
        (150, Change(APP)),
        (199, Told(&[])),
        (201, Told(&[APP])),
        (301, Told(&[])),
        (302, Change(APP)),
        (302, Told(&[APP])),
    ]);
}

#[test]
fn each_resource_has_a_pause_of_its_own() {
    check(&[
        (0, Change(APP)),
        (40, Change(NOTE)),
        (40, Told(&[APP, NOTE])),
        (60, Change(APP)),
        (60, Change(NOTE)),
        (101, Told(&[APP])),
        (139, Told(&[])),
        (141, Told(&[NOTE])),
    ]);
}
