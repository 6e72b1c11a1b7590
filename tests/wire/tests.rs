mod agreement;
mod declared;
mod listening;
mod mutation;
mod notation;
mod places;
mod refused;
mod samples;
mod script;
mod timing;

use samples::samples;
use serde_json::json;

use crate::{
    Revision,
    table::method::{METHODS, Side},
};

#[test]
fn good_messages_pass_the_tables_and_the_official_schemas() {
    for sample in samples() {
        if let Err(problems) = sample.check() {
            panic!("{sample}\n{problems}");
        }
    }
}

#[test]
fn every_method_has_a_good_message() {
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
