//! One tool for each argument type: it returns its argument in a tuple, since plain
//! text has no structured content.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::num::{NonZeroI8, NonZeroU8};

use mcp_runtime::{Id64, Value, prelude::*};

/// Defines a tool for each type, and the list of tool names.
macro_rules! tools {
    ($($name:ident: $type:ty),* $(,)?) => {
        pub(crate) const NAMES: &[&str] = &[$(stringify!($name)),*];
        $(
            /// Returns its argument.
            #[tool(inline)]
            fn $name(value: $type, other: Option<u8>) -> ($type,) {
                // Another argument, whose coercion must not change this one.
                let _ = other;
                (value,)
            }
        )*
    };
}

tools! {
    of_u8: u8, of_u16: u16, of_u32: u32, of_u64: u64, of_usize: usize,
    of_i8: i8, of_i16: i16, of_i32: i32, of_i64: i64, of_isize: isize,
    of_non_zero_u8: NonZeroU8, of_non_zero_i8: NonZeroI8,
    of_f32: f32, of_f64: f64, of_bool: bool, of_char: char, of_string: String,
    of_id: Id64, of_signed_id: Id64<i64>, of_value: Value,
    of_option: Option<u8>, of_option_of_text: Option<String>, of_option_of_id: Option<Id64>,
    of_vec: Vec<u8>, of_vec_of_options: Vec<Option<i16>>, of_vec_of_vecs: Vec<Vec<bool>>,
    of_set: BTreeSet<String>, of_array: [u8; 2], of_tuple: (u8, String),
    of_tuple_of_one_type: (f64, f64, f64),
    of_map: BTreeMap<String, u8>, of_map_of_options: BTreeMap<String, Option<Vec<u8>>>,
    of_map_by_number: HashMap<i32, bool>,
    of_point: Point, of_nested: Nested, of_tree: Tree, of_limited: Limited, of_open: Open,
    of_external: External, of_internal: Internal, of_adjacent: Adjacent, of_untagged: Untagged,
    of_paged: Paged, of_maybe_paged: MaybePaged, of_shaped: Shaped, of_aliased: Aliased,
    of_patch: Patch, of_nested_option: Option<Option<String>>, of_chain: Chain,
    of_wide: i128, of_unsigned_wide: u128, of_map_of_values: HashMap<String, Value>,
    of_mode: Mode, of_documented: Documented, of_many: Vec<BTreeMap<String, Option<External>>>,
}

/// A point.
#[json]
struct Point {
    /// To the right.
    x: i32,
    y: Option<f64>,
}

#[json]
struct Nested {
    points: Vec<Point>,
    #[serde(default)]
    name: String,
    inner: Option<Box<Point>>,
    mode: (Mode, u8),
}

#[json]
struct Tree {
    value: u8,
    #[serde(default)]
    children: Vec<Tree>,
}

#[json]
struct Limited {
    #[schemars(range(min = 1, max = 100))]
    percent: u64,
    #[schemars(range(min = -0.5, max = 0.5))]
    shift: f64,
    #[schemars(length(min = 1, max = 3))]
    word: String,
    #[schemars(regex(pattern = "^[a-c]+$"))]
    letters: Option<String>,
    #[schemars(length(max = 2))]
    few: Vec<u8>,
}

/// Accepts undeclared members.
#[json]
struct Open {
    a: bool,
    #[serde(flatten)]
    others: BTreeMap<String, u8>,
}

#[json]
enum External {
    Unit,
    Newtype(Option<u8>),
    Tuple(u8, String),
    Struct { x: u8 },
}

#[json]
#[serde(tag = "kind")]
enum Internal {
    Unit,
    Struct { x: u8, y: Option<Mode> },
    Newtype(Point),
}

#[json]
#[serde(tag = "kind", content = "content")]
enum Adjacent {
    Unit,
    Newtype(u8),
    Struct { x: u8 },
}

#[json]
#[serde(untagged)]
enum Untagged {
    Small(u8),
    Flag(bool),
    Struct { x: u8 },
}

#[json]
enum Mode {
    Fast,
    Slow,
}

/// An enum with documented variants.
#[json]
#[serde(rename_all = "kebab-case")]
enum Documented {
    /// With haste.
    VeryFast,
    /// With care.
    VerySlow,
}

#[json]
struct Paging {
    page: u8,
    #[serde(default)]
    size: Option<u8>,
}

/// A flattened struct.
#[json]
struct Paged {
    text: String,
    #[serde(flatten)]
    paging: Paging,
}

/// A flattened struct that may be absent.
#[json]
struct MaybePaged {
    id: u8,
    #[serde(flatten)]
    paging: Option<Start>,
}

#[json]
struct Start {
    page: u8,
}

/// A flattened enum.
#[json]
struct Shaped {
    id: u8,
    #[serde(flatten)]
    shape: Internal,
}

/// A field with other names.
#[json]
struct Aliased {
    in_minutes: u8,
    #[serde(alias = "file_pattern", alias = "glob")]
    pattern: Option<String>,
}

/// Distinguishes an absent member from `null`.
#[json]
struct Patch {
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    note: Option<Option<String>>,
    #[serde(default)]
    rank: u8,
}

fn present<'de, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Option<String>>, D::Error> {
    serde::Deserialize::deserialize(deserializer).map(Some)
}

/// An enum that contains itself below its tag.
#[json]
#[serde(tag = "kind")]
enum Chain {
    End,
    Link { next: Box<Chain>, weight: f64 },
}
