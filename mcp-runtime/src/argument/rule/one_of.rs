use std::any::Any;
use std::borrow::Cow;
use std::fmt::Debug;

use serde_json::{Map, Value};

use super::{Rule, value};

/// A type whose values can be restricted to a list.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is neither a string nor an integer",
    label = "applies to strings and integers only",
    note = "`one_of` applies to strings and integers; for other choices, use an enum with `#[json]`"
)]
pub trait OneOfValue {
    /// The type of the literals in the list.
    type Literal: Copy + Debug + Sync + Into<Value> + 'static;

    /// Whether the value is absent or equals the literal.
    fn equals(&self, literal: Self::Literal) -> bool;
}

/// A list of the allowed values.
#[derive(Debug)]
pub struct OneOf<L: 'static> {
    pub(super) values: &'static [L],
    pub(super) equals: fn(&dyn Any, L) -> bool,
}

/// Creates a rule that rejects every value that is not in the list.
#[must_use]
pub const fn one_of<T: OneOfValue + 'static>(values: &'static [T::Literal]) -> OneOf<T::Literal> {
    OneOf {
        values,
        equals: |slot, literal| value::<T>(slot).is_none_or(|value| value.equals(literal)),
    }
}

impl<L: Copy + Debug + Sync + Into<Value> + 'static> Rule for OneOf<L> {
    fn write_schema(&self, schema: &mut Map<String, Value>) {
        let values: Vec<Value> = self.values.iter().map(|value| (*value).into()).collect();
        schema.insert("enum".to_owned(), values.into());
    }

    fn is_satisfied(&self, slot: &dyn Any) -> bool {
        self.values
            .iter()
            .any(|literal| (self.equals)(slot, *literal))
    }
}

macro_rules! text {
    ($($type:ty),*) => {$(
        #[diagnostic::do_not_recommend]
        impl OneOfValue for $type {
            type Literal = &'static str;
            fn equals(&self, literal: &'static str) -> bool {
                **self == *literal
            }
        }
    )*};
}

text!(String, Box<str>, Cow<'static, str>);

macro_rules! integers {
    ($($type:ty),*) => {$(
        #[diagnostic::do_not_recommend]
        impl OneOfValue for $type {
            type Literal = Self;
            fn equals(&self, literal: Self) -> bool {
                *self == literal
            }
        }
    )*};
}

integers!(i8, i16, i32, i64, isize, u8, u16, u32, u64, usize);

#[diagnostic::do_not_recommend]
impl<T: OneOfValue> OneOfValue for Option<T> {
    type Literal = T::Literal;
    fn equals(&self, literal: T::Literal) -> bool {
        self.as_ref().is_none_or(|value| value.equals(literal))
    }
}
