//! Rate of `notifications/resources/updated`, on a paused clock.

use std::time::Duration;

use serde_json::{Value, json};
use support::wire::Revision;
use tokio::runtime::Builder;
use tokio::time::{Instant, sleep_until};

use crate::definitions::server;
use support::dispatcher_client::DispatcherClient;

/// A client with subscriptions to two resources.
fn subscriber() -> DispatcherClient {
    let mut client = DispatcherClient::connect(server(), Revision::V2025_11_25);
    for uri in ["config://app", "notes://1/body"] {
        let answer = client.request("resources/subscribe", json!({ "uri": uri }));
        assert_eq!(answer["result"], json!({}), "{uri}");
    }
    client
}

/// Takes the URIs of the notifications received.
fn updated_uris(client: &mut DispatcherClient) -> Vec<String> {
    let uri = |message: Value| {
        assert_eq!(message["method"], "notifications/resources/updated");
        message["params"]["uri"].as_str().unwrap().to_owned()
    };
    client.take_notifications().into_iter().map(uri).collect()
}

/// Runs a script of changes and expectations, each at its millisecond.
fn check(script: &[(u64, Step)]) {
    let mut client = subscriber();
    let handle = client.dispatcher.handle().clone();
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
                Step::Received(expected) => {
                    assert_eq!(updated_uris(&mut client), *expected, "at {millis} ms");
                }
            }
        }
    });
}

enum Step {
    Change(&'static str),
    Received(&'static [&'static str]),
}

use Step::{Change, Received};

const APP: &str = "config://app";
const NOTE: &str = "notes://1/body";

#[test]
fn first_update_is_sent_at_once_and_later_ones_are_coalesced() {
    check(&[
        (0, Change(APP)),
        (0, Received(&[APP])),
        (1, Change(APP)),
        (50, Change(APP)),
        (99, Change(APP)),
        (99, Received(&[])),
        (101, Received(&[APP])),
        (500, Received(&[])),
    ]);
}

#[test]
fn update_after_the_interval_is_sent_at_once() {
    check(&[
        (0, Change(APP)),
        (0, Received(&[APP])),
        (101, Received(&[])),
        (102, Change(APP)),
        (102, Received(&[APP])),
        (300, Received(&[])),
    ]);
}

#[test]
fn delayed_update_starts_a_new_interval() {
    check(&[
        (0, Change(APP)),
        (50, Change(APP)),
        (101, Received(&[APP, APP])),
        (150, Change(APP)),
        (199, Received(&[])),
        (201, Received(&[APP])),
        (301, Received(&[])),
        (302, Change(APP)),
        (302, Received(&[APP])),
    ]);
}

#[test]
fn each_resource_has_its_own_interval() {
    check(&[
        (0, Change(APP)),
        (40, Change(NOTE)),
        (40, Received(&[APP, NOTE])),
        (60, Change(APP)),
        (60, Change(NOTE)),
        (101, Received(&[APP])),
        (139, Received(&[])),
        (141, Received(&[NOTE])),
    ]);
}
