use std::borrow::Cow;
use std::fmt::{self, Display, Formatter};
use std::marker::PhantomData;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A 64-bit integer that is serialized as a string of decimal digits.
///
/// Many JSON parsers round integers above 2^53, which corrupts a 64-bit id. An `Id64` is serialized
/// as a string. It can be deserialized from a string or an integer. `Id64<i64>` holds a signed
/// integer.
///
/// ```
/// use mcp_runtime::{Id64, prelude::*};
///
/// /// Finds the replies to a post.
/// #[tool(read_only)]
/// fn replies(post: Id64) -> Vec<Id64> {
///     vec![Id64(post.0 + 1)]
/// }
/// assert_eq!(replies(Id64(9_007_199_254_740_993)), [Id64(9_007_199_254_740_994)]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Id64<I = u64>(pub I);

/// An integer type that an [`Id64`] can hold. It is implemented for `u64` and `i64`.
pub trait Integer64:
    Copy + Display + FromStr + TryFrom<u64> + TryFrom<i64> + private::Digits
{
}

impl Integer64 for u64 {}
impl Integer64 for i64 {}

mod private {
    use crate::schema::{SIGNED_DIGITS, UNSIGNED_DIGITS};

    pub trait Digits {
        /// The `format` in the schema, from which the schema rules determine the integer type. The
        /// schema that clients receive does not contain it.
        const FORMAT: &'static str;
        /// The regular expression for `pattern` in the schema.
        const PATTERN: &'static str;
    }

    impl Digits for u64 {
        const FORMAT: &'static str = "uint64";
        const PATTERN: &'static str = UNSIGNED_DIGITS;
    }

    impl Digits for i64 {
        const FORMAT: &'static str = "int64";
        const PATTERN: &'static str = SIGNED_DIGITS;
    }
}

impl<I> From<I> for Id64<I> {
    fn from(id: I) -> Self {
        Self(id)
    }
}

impl<I: Display> Display for Id64<I> {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl<I: Integer64> Serialize for Id64<I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<'de, I: Integer64> Deserialize<'de> for Id64<I> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // In arguments, a client may send a string or an integer.
        deserializer
            .deserialize_any(DigitsVisitor(PhantomData))
            .map(Self)
    }
}

struct DigitsVisitor<I>(PhantomData<I>);

impl<I: Integer64> Visitor<'_> for DigitsVisitor<I> {
    type Value = I;

    fn expecting(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str("a 64-bit integer, as a string of digits")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<I, E> {
        // `FromStr` accepts a leading plus sign, but the `pattern` of the schema rejects it.
        let digits = Some(text).filter(|text| !text.starts_with('+'));
        let number = digits.and_then(|text| text.parse().ok());
        number.ok_or_else(|| E::invalid_value(serde::de::Unexpected::Str(text), &self))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<I, E> {
        let unexpected = serde::de::Unexpected::Unsigned(number);
        I::try_from(number).map_err(|_| E::invalid_value(unexpected, &self))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<I, E> {
        let unexpected = serde::de::Unexpected::Signed(number);
        I::try_from(number).map_err(|_| E::invalid_value(unexpected, &self))
    }
}

impl<I: Integer64> JsonSchema for Id64<I> {
    fn schema_name() -> Cow<'static, str> {
        "Id64".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "format": I::FORMAT, "pattern": I::PATTERN })
    }
}
