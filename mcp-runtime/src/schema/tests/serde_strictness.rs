#![allow(dead_code)]

use super::super::{
    SerdeStrictness, input_generator, schema_of, serde_strictness, unreadable_integer,
};
use schemars::JsonSchema;
use serde_json::Value;
use std::collections::{BTreeMap, HashSet};
use std::num::NonZeroU8;

fn check<T: JsonSchema>(expected: SerdeStrictness) {
    let schema = schema_of::<T>(input_generator());
    assert_eq!(
        serde_strictness(&schema),
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
#[serde(tag = "kind")]
enum InternallyTagged {
    A,
    B { wide: i128 },
}

#[derive(JsonSchema)]
#[serde(untagged)]
enum Untagged {
    A(u8),
    B(bool),
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
fn scalars_and_collections_are_exact() {
    check::<u8>(SerdeStrictness::Exact);
    check::<i64>(SerdeStrictness::Exact);
    check::<u64>(SerdeStrictness::Exact);
    check::<usize>(SerdeStrictness::Exact);
    check::<i128>(SerdeStrictness::Exact);
    check::<Option<u16>>(SerdeStrictness::Exact);
    check::<f32>(SerdeStrictness::Exact);
    check::<bool>(SerdeStrictness::Exact);
    check::<String>(SerdeStrictness::Exact);
    check::<Value>(SerdeStrictness::Exact);
    check::<uuid::Uuid>(SerdeStrictness::Exact);
    check::<Vec<Option<u8>>>(SerdeStrictness::Exact);
    check::<BTreeMap<String, Vec<i32>>>(SerdeStrictness::Exact);
    check::<(u8, String)>(SerdeStrictness::Exact);
}

#[test]
fn structs_and_enums_are_lenient() {
    check::<Closed>(SerdeStrictness::Lenient);
    check::<Tagged>(SerdeStrictness::Lenient);
    check::<Vec<Option<Tagged>>>(SerdeStrictness::Lenient);
    check::<Option<crate::Id64>>(SerdeStrictness::Lenient);
    check::<crate::Id64<i64>>(SerdeStrictness::Lenient);
}

#[test]
fn restrictions_that_serde_does_not_enforce_are_partial() {
    check::<Ranged>(SerdeStrictness::Partial);
    check::<Patterned>(SerdeStrictness::Partial);
    check::<HashSet<String>>(SerdeStrictness::Partial);
    check::<[u8; 3]>(SerdeStrictness::Partial);
    check::<char>(SerdeStrictness::Partial);
    check::<NonZeroU8>(SerdeStrictness::Partial);
    check::<Vec<Ranged>>(SerdeStrictness::Partial);
    // An open struct may flatten another type.
    check::<Plain>(SerdeStrictness::Partial);
    check::<InternallyTagged>(SerdeStrictness::Partial);
    check::<Untagged>(SerdeStrictness::Partial);
}

#[test]
fn a_buffered_wide_integer_is_found() {
    let find = |schema: Value| unreadable_integer(&schema).is_some();
    assert!(find(schema_of::<Vec<InternallyTagged>>(input_generator())));
    assert!(!find(schema_of::<(i128, Option<u128>)>(input_generator())));
    assert!(!find(schema_of::<Option<Tagged>>(input_generator())));
}
