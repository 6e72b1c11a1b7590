mod agreement;
mod declared;
mod invalid;
mod listening;
mod message_parts;
mod mutation;
mod notation;
mod order;
mod samples;
mod script;

use samples::samples;
use serde_json::json;

use crate::wire::{
    Revision,
    table::method::{METHODS, Sender},
};

#[test]
fn valid_samples_pass_tables_and_official_schemas() {
    for sample in samples() {
        if let Err(problems) = sample.check() {
            panic!("{sample}\n{problems}");
        }
    }
}

#[test]
fn every_method_has_a_valid_sample() {
    let known: Vec<_> = samples()
        .map(|it| (it.revision, it.sender, it.message["method"].clone()))
        .collect();
    for revision in Revision::ALL {
        for row in METHODS {
            for sender in [Sender::Client, Sender::Server] {
                let sample = (revision, sender, json!(row.name));
                assert!(
                    !row.is_sent(sender, revision) || known.contains(&sample),
                    "{sample:?}"
                );
            }
        }
    }
}
