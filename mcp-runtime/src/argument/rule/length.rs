use std::any::Any;
use std::borrow::Cow;

use serde_json::{Map, Value};

use super::bounds::Bounds;
use super::{Rule, value};

/// A type whose values are strings.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a string",
    label = "applies to strings only",
    note = "`length` and `pattern` apply to strings, `items` to lists and maps, `range` to numbers"
)]
pub trait StringValue {
    /// Returns the string, or `None` for an absent value.
    fn text(&self) -> Option<&str>;
}

/// A limit on the number of characters of a string.
#[derive(Debug)]
pub struct Length {
    pub(super) bounds: Bounds<usize>,
    pub(super) text: AsStrFn,
}

/// A function that returns the string in a slot whose type is erased.
pub(super) type AsStrFn = fn(&dyn Any) -> Option<&str>;

/// Creates a rule that rejects strings with too many or too few characters.
#[must_use]
pub const fn length<T: StringValue + 'static>(bounds: Bounds<usize>) -> Length {
    Length {
        bounds,
        text: text::<T>,
    }
}

pub(super) fn text<T: StringValue + 'static>(slot: &dyn Any) -> Option<&str> {
    value::<T>(slot).and_then(T::text)
}

impl Rule for Length {
    fn write_schema(&self, schema: &mut Map<String, Value>) {
        self.bounds.write_schema(schema, "minLength", "maxLength");
    }

    fn is_satisfied(&self, slot: &dyn Any) -> bool {
        let text = (self.text)(slot);
        text.is_none_or(|text| self.bounds.contains(&text.chars().count()))
    }

    fn definition_error(&self) -> Option<String> {
        let empty = self.bounds.is_empty();
        empty.then(|| format!("the range `{}` of `length` is empty", self.bounds))
    }
}

macro_rules! text {
    ($($type:ty),*) => {$(
        #[diagnostic::do_not_recommend]
        impl StringValue for $type {
            fn text(&self) -> Option<&str> {
                Some(self)
            }
        }
    )*};
}

text!(String, Box<str>, Cow<'static, str>);

#[diagnostic::do_not_recommend]
impl<T: StringValue> StringValue for Option<T> {
    fn text(&self) -> Option<&str> {
        self.as_ref().and_then(T::text)
    }
}
