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

use samples::{Sample, samples};

#[test]
fn good_messages_pass_the_tables_and_the_official_schemas() {
    for sample in samples() {
        if let Err(problems) = sample.check() {
            panic!("{sample}\n{problems}");
        }
    }
}

#[test]
fn every_revision_has_good_messages_of_every_kind() {
    let count = |revision| {
        samples()
            .filter(|it: &Sample| it.revision == revision)
            .count()
    };
    for revision in crate::Revision::ALL {
        assert!(count(revision) > 40, "{revision}");
    }
}
