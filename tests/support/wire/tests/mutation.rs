//! Violates every row of the tables in the valid samples, one at a time.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{
    message_parts::{MessagePart, all_tables, below, message_parts},
    samples::{Sample, samples},
};
use crate::wire::{
    Rule,
    table::{Member, OtherKeys, Presence, Shape, meta},
};

#[test]
fn breaking_one_rule_is_reported() {
    for sample in samples() {
        for place in message_parts(&sample) {
            for change in changes(&sample, &place) {
                expect_problem(&sample, &place, change);
            }
        }
    }
}

#[test]
fn every_rule_is_used_in_a_valid_sample() {
    let address = |row: &Member| std::ptr::from_ref(row).addr();
    let mut seen = BTreeSet::new();
    for sample in samples() {
        for place in message_parts(&sample) {
            let members = sample.message.pointer(&place.pointer).unwrap();
            let rows = place.table.rows().filter(|row| row.exists(sample.revision));
            seen.extend(
                rows.filter(|row| members.get(row.name).is_some())
                    .map(address),
            );
        }
    }
    let mut missing = Vec::new();
    for table in all_tables().values() {
        let rows = table.rows().filter(|row| !seen.contains(&address(row)));
        missing.extend(rows.map(|row| format!("{}.{}", table.name, row.name)));
    }
    assert!(missing.is_empty(), "no sample has {missing:#?}");
}

/// One change of a member, and the rule that it violates.
struct Change {
    key: String,
    /// The new value; `None` removes the member.
    value: Option<Value>,
    breaks: Rule,
}

fn expect_problem(sample: &Sample, place: &MessagePart, change: Change) {
    let Change { key, value, breaks } = change;
    let mut broken = sample.message.clone();
    let object = broken.pointer_mut(&place.pointer).unwrap();
    let members = object.as_object_mut().unwrap();
    match value {
        Some(value) => members.insert(key.clone(), value),
        None => members.remove(&key),
    };
    let pointer = below(&place.pointer, &key);
    let Err(problems) = sample.check_instead(&broken) else {
        panic!(
            "{pointer} should break {breaks:?} at {}: {broken}",
            sample.revision
        );
    };
    let fits = problems.iter().any(|problem| {
        let inside = problem.pointer.strip_prefix(&pointer);
        problem.rule == breaks && inside.is_some_and(|it| it.is_empty() || it.starts_with('/'))
    });
    assert!(
        fits,
        "{pointer} should break {breaks:?} at {}:\n{problems}",
        sample.revision
    );
}

fn changes(sample: &Sample, place: &MessagePart) -> Vec<Change> {
    let mut changes: Vec<_> = place
        .table
        .rows()
        .filter(|row| !determines_revision(row.name, sample))
        .flat_map(|row| row_changes(row, sample, place))
        .collect();
    let (key, breaks) = match place.table.other_keys {
        OtherKeys::Allowed => return changes,
        OtherKeys::Undeclared => ("surprise", Rule::Undeclared),
        OtherKeys::MetaKeys => ("io.modelcontextprotocol/surprise", Rule::Value),
    };
    changes.push(Change {
        key: key.to_owned(),
        value: Some(json!(1)),
        breaks,
    });
    changes
}

fn row_changes(row: &Member, sample: &Sample, place: &MessagePart) -> Vec<Change> {
    let members = sample.message.pointer(&place.pointer).unwrap();
    let change = |value, breaks| Change {
        key: row.name.to_owned(),
        value,
        breaks,
    };
    let presence = row.presence(sample.revision);
    let mut changes = Vec::new();
    if presence == Presence::Forbidden && !place.table.declares(row.name, sample.revision) {
        changes.push(change(Some(json!({})), Rule::Forbidden));
    }
    let chooses = place.chooser == Some(row.name);
    let kind = place.pointer.is_empty() && row.name == "id";
    if presence == Presence::Required && !chooses && !kind {
        changes.push(change(None, Rule::Required));
    }
    let free = matches!(row.shape, Shape::Any);
    if presence != Presence::Forbidden && members.get(row.name).is_some() && !free {
        changes.push(change(Some(json!([[]])), Rule::Value));
    }
    changes
}

/// Whether the member determines the revision of the message.
fn determines_revision(key: &str, sample: &Sample) -> bool {
    let decisive = [meta::PROTOCOL_VERSION, meta::SUBSCRIPTION_ID];
    sample.revision.is_legacy() && decisive.contains(&key)
}
