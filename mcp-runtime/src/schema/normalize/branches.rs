use serde_json::{Value, json};

use super::Keywords;
use super::keyword::try_merge;

/// Replaces each `allOf`, `anyOf` and `oneOf` that has a single schema with this schema.
pub(super) fn merge_single_branches(schema: &mut Keywords) {
    for combination in ["allOf", "anyOf", "oneOf"] {
        let list = schema.get(combination).and_then(Value::as_array);
        let Some([Value::Object(only)]) = list.map(Vec::as_slice) else {
            continue;
        };
        if combination == "oneOf" && only.contains_key("description") {
            // `fold_variants` handles this variant, because it keeps the documentation of the
            // variant.
            continue;
        }
        let only = only.clone();
        schema.remove(combination);
        match try_merge(schema, only) {
            Ok(()) => return merge_single_branches(schema),
            Err(only) => drop(schema.insert(combination.to_owned(), json!([only]))),
        }
    }
}
