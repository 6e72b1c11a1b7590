mod agreement;
mod declared;
mod listening;
mod mutation;
mod notation;
mod places;
mod invalid;
mod samples;
mod script;
mod timing;

use samples::samples;
use serde_json::json;

use crate::wire::{
    Revision,
    table::method::{METHODS, Side},
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
            for side in [Side::Client, Side::Server] {
                let sample = (revision, side, json!(row.name));
                assert!(
                    !row.is_sent(side, revision) || known.contains(&sample),
                    "{sample:?}"
                );
            }
        }
    }
}
