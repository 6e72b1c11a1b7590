use std::any::Any;
use std::borrow::Cow;

use serde_json::{Map, Value};

use super::bounds::Bounds;
use super::{Rule, value};

/// A type whose values are text.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no text",
    label = "only for text",
    note = "`length` and `pattern` are for text, `items` is for lists and maps, `range` for numbers"
)]
pub trait Textual {
    /// The text, if there is one.
    fn text(&self) -> Option<&str>;
}

/// A bounded number of characters.
#[derive(Debug)]
pub struct Length {
    pub(super) bounds: Bounds<usize>,
    pub(super) text: TextOf,
}

/// The text in the slot of a type that was erased.
pub(super) type TextOf = fn(&dyn Any) -> Option<&str>;

/// Refuses a text that is too long or too short, counted in characters.
#[must_use]
pub const fn length<T: Textual + 'static>(bounds: Bounds<usize>) -> Length {
    Length {
        bounds,
        text: text::<T>,
    }
}

pub(super) fn text<T: Textual + 'static>(slot: &dyn Any) -> Option<&str> {
    value::<T>(slot).and_then(T::text)
}

impl Rule for Length {
    fn advertise(&self, schema: &mut Map<String, Value>) {
        self.bounds.advertise(schema, "minLength", "maxLength");
    }

    fn holds(&self, slot: &dyn Any) -> bool {
        let text = (self.text)(slot);
        text.is_none_or(|text| self.bounds.contain(&text.chars().count()))
    }

    fn mistake(&self) -> Option<String> {
        let empty = self.bounds.is_empty();
        empty.then(|| format!("no text has a length in `{}`", self.bounds))
    }
}

macro_rules! text {
    ($($type:ty),*) => {$(
        #[diagnostic::do_not_recommend]
        impl Textual for $type {
            fn text(&self) -> Option<&str> {
                Some(self)
            }
        }
    )*};
}

text!(String, Box<str>, Cow<'static, str>);

#[diagnostic::do_not_recommend]
impl<T: Textual> Textual for Option<T> {
    fn text(&self) -> Option<&str> {
        self.as_ref().and_then(T::text)
    }
}
