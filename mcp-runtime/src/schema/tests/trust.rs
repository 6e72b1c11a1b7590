#![allow(dead_code)]

use super::super::{Trust, generator, of, trust};
use schemars::JsonSchema;
use serde_json::Value;
use std::collections::{BTreeMap, HashSet};
use std::num::NonZeroU8;

fn check<T: JsonSchema>(expected: Trust) {
    let schema = of::<T>(generator());
    assert_eq!(
        trust(&schema),
        expected,
        "{} {schema}",
        std::any::type_name::<T>()
    );
}

#[derive(JsonSchema)]
struct Plain {
    a: u8,
    b: Option<Vec<String>>,
    next: Option<Box<Plain>>,
}

#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
struct Closed {
    a: bool,
}

#[derive(JsonSchema)]
enum Tagged {
    A,
    /// Documented.
    B,
    C(i32),
}

#[derive(JsonSchema)]
struct Ranged {
    #[schemars(range(min = 0, max = 255))]
    wide: i64,
}

#[derive(JsonSchema)]
struct Patterned {
    #[schemars(regex(pattern = "^a"))]
    text: String,
}

#[test]
fn scalars_and_collections_enforce_their_schema() {
    check::<u8>(Trust::Exact);
    check::<i64>(Trust::Exact);
    check::<u64>(Trust::Exact);
    check::<usize>(Trust::Exact);
    check::<i128>(Trust::Exact);
    check::<Option<u16>>(Trust::Exact);
    check::<f32>(Trust::Exact);
    check::<bool>(Trust::Exact);
    check::<String>(Trust::Exact);
    check::<Value>(Trust::Exact);
    check::<uuid::Uuid>(Trust::Exact);
    check::<Vec<Option<u8>>>(Trust::Exact);
    check::<BTreeMap<String, Vec<i32>>>(Trust::Exact);
    check::<(u8, String)>(Trust::Exact);
}

#[test]
fn structs_and_enums_accept_other_spellings() {
    check::<Plain>(Trust::Lenient);
    check::<Closed>(Trust::Lenient);
    check::<Tagged>(Trust::Lenient);
    check::<Vec<Option<Tagged>>>(Trust::Lenient);
    check::<Option<crate::Id64>>(Trust::Lenient);
    check::<crate::Id64<i64>>(Trust::Lenient);
}

#[test]
fn what_no_type_enforces_is_partial() {
    check::<Ranged>(Trust::Partial);
    check::<Patterned>(Trust::Partial);
    check::<HashSet<String>>(Trust::Partial);
    check::<[u8; 3]>(Trust::Partial);
    check::<char>(Trust::Partial);
    check::<NonZeroU8>(Trust::Partial);
    check::<Vec<Ranged>>(Trust::Partial);
}
