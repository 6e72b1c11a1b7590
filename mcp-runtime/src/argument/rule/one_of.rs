use std::any::Any;
use std::borrow::Cow;
use std::fmt::Debug;

use serde_json::{Map, Value};

use super::{Rule, value};

/// A type whose values can be listed.
#[diagnostic::on_unimplemented(
    message = "the values of `{Self}` cannot be listed",
    label = "only for text and whole numbers",
    note = "`one_of` is for text and whole numbers; any other choice is an enum with `#[json]`"
)]
pub trait Listed {
    /// A value as it is written in the list.
    type Literal: Copy + Debug + Sync + Into<Value> + 'static;

    /// Whether it is that value, or there is none.
    fn is(&self, literal: Self::Literal) -> bool;
}

/// A list of the values that there are.
#[derive(Debug)]
pub struct OneOf<L: 'static> {
    pub(super) values: &'static [L],
    pub(super) is: fn(&dyn Any, L) -> bool,
}

/// Refuses every value that is not listed.
#[must_use]
pub const fn one_of<T: Listed + 'static>(values: &'static [T::Literal]) -> OneOf<T::Literal> {
    OneOf {
        values,
        is: |slot, literal| value::<T>(slot).is_none_or(|value| value.is(literal)),
    }
}

impl<L: Copy + Debug + Sync + Into<Value> + 'static> Rule for OneOf<L> {
    fn advertise(&self, schema: &mut Map<String, Value>) {
        let values: Vec<Value> = self.values.iter().map(|value| (*value).into()).collect();
        schema.insert("enum".to_owned(), values.into());
    }

    fn holds(&self, slot: &dyn Any) -> bool {
        self.values.iter().any(|literal| (self.is)(slot, *literal))
    }
}

macro_rules! text {
    ($($type:ty),*) => {$(
        #[diagnostic::do_not_recommend]
        impl Listed for $type {
            type Literal = &'static str;
            fn is(&self, literal: &'static str) -> bool {
                **self == *literal
            }
        }
    )*};
}

text!(String, Box<str>, Cow<'static, str>);

macro_rules! integers {
    ($($type:ty),*) => {$(
        #[diagnostic::do_not_recommend]
        impl Listed for $type {
            type Literal = Self;
            fn is(&self, literal: Self) -> bool {
                *self == literal
            }
        }
    )*};
}

integers!(i8, i16, i32, i64, isize, u8, u16, u32, u64, usize);

#[diagnostic::do_not_recommend]
impl<T: Listed> Listed for Option<T> {
    type Literal = T::Literal;
    fn is(&self, literal: T::Literal) -> bool {
        self.as_ref().is_none_or(|value| value.is(literal))
    }
}
