//! Parses JSON and rejects objects with two members of the same name. Otherwise the parsed value
//! would keep only the last of these members, and a check of the value would miss the others.

use std::fmt;

use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor,
};
use serde_json::{Map, Number, Value};

/// Parses a JSON value.
///
/// # Errors
/// Returns an error if the text is not JSON, if a number or string in it cannot be represented in
/// Rust, or if an object has two members of the same name.
pub(super) fn parse(json: &str) -> Result<Value, serde_json::Error> {
    serde_json::from_str::<UniqueValue>(json).map(|it| it.0)
}

struct UniqueValue(Value);

impl<'de> Deserialize<'de> for UniqueValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        UniqueSeed.deserialize(deserializer).map(Self)
    }
}

struct UniqueSeed;

impl<'de> DeserializeSeed<'de> for UniqueSeed {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for UniqueSeed {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(text.into())
    }

    fn visit_string<E>(self, text: String) -> Result<Value, E> {
        Ok(text.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(UniqueSeed)? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(name) = members.next_key::<String>()? {
            if object.contains_key(&name) {
                return Err(A::Error::custom(format!("{DUPLICATE}`{name}`")));
            }
            let value = members.next_value_seed(UniqueSeed)?;
            object.insert(name, value);
        }
        Ok(Value::Object(object))
    }
}

/// The start of the error text for a duplicate member. The name of the member follows.
pub(super) const DUPLICATE: &str = "duplicate member ";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_duplicate_members_differ_from_a_tree() {
        for json in [
            "null",
            "true",
            "-1",
            "18446744073709551615",
            "1.5",
            r#""a\u00e9""#,
            r#"[1,[],{"a":{"b":[null]},"c":-0.0}]"#,
            "1e400",
            "[1",
            r#""\ud83d""#,
            "{1:2}",
        ] {
            let tree = serde_json::from_str::<Value>(json).ok();
            assert_eq!(parse(json).ok(), tree, "{json}");
        }
        for json in [r#"{"a":1,"a":1}"#, r#"[{"b":{"a":1,"\u0061":2}}]"#] {
            let error = parse(json).unwrap_err().to_string();
            assert!(error.starts_with("duplicate member `a`"), "{error}");
        }
    }
}
