use std::any::Any;
use std::fmt::Debug;
use std::num::{
    NonZeroI8, NonZeroI16, NonZeroI32, NonZeroI64, NonZeroIsize, NonZeroU8, NonZeroU16, NonZeroU32,
    NonZeroU64, NonZeroUsize,
};

use serde_json::{Map, Number, Value};

use super::bounds::{Bounds, tighten};
use super::{Clamp, Rule, value};
use crate::schema::{compare, is_integer};

/// A type whose values are numbers.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a number",
    label = "applies to numbers only",
    note = "`range` and `clamp` apply to numbers, `length` to strings, `items` to lists and maps"
)]
pub trait NumericValue {
    /// The type of the bounds of a range of these numbers.
    type Bound: BoundValue;

    /// Returns the number, or `None` for an absent value.
    fn number(&self) -> Option<Self::Bound>;

    /// Replaces the number with a number that is within the bounds.
    fn set_number(&mut self, number: Self::Bound);
}

/// A type that can be the bound of a range.
pub trait BoundValue: Copy + PartialOrd + Debug + Sync + 'static {
    /// Returns the number as JSON for the schema.
    fn to_json(self) -> Value;

    /// Whether the type has at least the precision of a JSON number.
    const EXACT: bool = true;

    /// Returns the largest integer less than this integer. Returns `None` if the type has no such
    /// integer or is not an integer type.
    fn predecessor(self) -> Option<Self>;
}

/// A range of numbers, and functions that access the number in a slot whose type is erased.
#[derive(Debug)]
pub struct Range<B> {
    pub(super) bounds: Bounds<B>,
    pub(super) number: fn(&dyn Any) -> Option<B>,
    pub(super) set_number: fn(&mut dyn Any, B),
}

/// Creates a rule that rejects numbers outside of the bounds.
#[must_use]
pub const fn range<T: NumericValue + 'static>(bounds: Bounds<T::Bound>) -> Range<T::Bound> {
    Range {
        bounds,
        number: |slot| value::<T>(slot).and_then(T::number),
        set_number: |slot, number| {
            if let Some(Some(value)) = slot.downcast_mut::<Option<T>>() {
                value.set_number(number);
            }
        },
    }
}

/// Creates a range that moves numbers outside of the bounds to the nearer bound.
#[must_use]
pub const fn clamp<T: NumericValue + 'static>(bounds: Bounds<T::Bound>) -> Range<T::Bound> {
    range::<T>(bounds)
}

impl<B: BoundValue> Range<B> {
    /// Returns the largest number in the range, if there is one.
    fn max(&self) -> Option<B> {
        match self.bounds.inclusive {
            true => self.bounds.end,
            false => self.bounds.end?.predecessor(),
        }
    }

    fn empty_error(&self) -> Option<String> {
        let empty = self.bounds.is_empty();
        empty.then(|| format!("the range `{}` is empty", self.bounds))
    }
}

impl<B: BoundValue> Rule for Range<B> {
    fn write_schema(&self, schema: &mut Map<String, Value>) {
        if let Some(start) = self.bounds.start {
            tighten(schema, "minimum", start.to_json());
        }
        match (self.max(), self.bounds.end) {
            (Some(max), _) => tighten(schema, "maximum", max.to_json()),
            (None, Some(end)) => tighten(schema, "exclusiveMaximum", end.to_json()),
            (None, None) => {}
        }
    }

    fn is_satisfied(&self, slot: &dyn Any) -> bool {
        let number = (self.number)(slot);
        number.is_none_or(|number| self.bounds.contains(&number))
    }

    fn definition_error(&self) -> Option<String> {
        self.empty_error()
    }

    fn is_exact(&self) -> bool {
        B::EXACT
    }
}

impl<B: BoundValue> Clamp for Range<B> {
    fn describe(&self) -> String {
        let below = self.bounds.start.map(|start| format!("below {start:?}"));
        let above = self.max().map(|max| format!("above {max:?}"));
        let outside: Vec<String> = below.into_iter().chain(above).collect();
        format!("A value {} is set to that limit.", outside.join(" or "))
    }

    fn clamp(&self, slot: &mut dyn Any) -> Option<(Value, Value)> {
        let number = (self.number)(slot)?;
        let (min, max) = (self.bounds.start, self.max());
        let below = min.filter(|min| number < *min);
        let limit = below.or_else(|| max.filter(|max| number > *max))?;
        (self.set_number)(slot, limit);
        Some((number.to_json(), limit.to_json()))
    }

    fn bound_for(&self, number: &Number) -> Option<Value> {
        let min = self.bounds.start.map(BoundValue::to_json);
        let max = self.max().map(BoundValue::to_json);
        let is_below = |min: &Value| {
            min.as_number()
                .is_some_and(|min| compare(number, min).is_lt())
        };
        let is_above = |max: &Value| {
            max.as_number()
                .is_some_and(|max| compare(number, max).is_gt())
        };
        let bound = min.filter(is_below).or_else(|| max.filter(is_above))?;
        // A fraction outside of an integer range is not moved, because the integer type rejects it.
        let fits = bound.is_f64() || is_integer(number);
        fits.then_some(bound)
    }

    fn definition_error(&self) -> Option<String> {
        let open = self.bounds.end.is_some() && self.max().is_none();
        let open = open.then(|| format!("`{}` has no largest value; write `..=`", self.bounds));
        self.empty_error().or(open)
    }
}

macro_rules! integers {
    ($($type:ty, $non_zero:ty;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl NumericValue for $type {
            type Bound = Self;
            fn number(&self) -> Option<Self> {
                Some(*self)
            }
            fn set_number(&mut self, number: Self) {
                *self = number;
            }
        }

        impl BoundValue for $type {
            fn to_json(self) -> Value {
                self.into()
            }
            fn predecessor(self) -> Option<Self> {
                self.checked_sub(1)
            }
        }

        #[diagnostic::do_not_recommend]
        impl NumericValue for $non_zero {
            type Bound = $type;
            fn number(&self) -> Option<$type> {
                Some(self.get())
            }
            fn set_number(&mut self, number: $type) {
                if let Some(number) = Self::new(number) {
                    *self = number;
                }
            }
        }
    )*};
}

integers! {
    i8, NonZeroI8;
    i16, NonZeroI16;
    i32, NonZeroI32;
    i64, NonZeroI64;
    isize, NonZeroIsize;
    u8, NonZeroU8;
    u16, NonZeroU16;
    u32, NonZeroU32;
    u64, NonZeroU64;
    usize, NonZeroUsize;
}

macro_rules! floats {
    ($($type:ty, $exact:literal;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl NumericValue for $type {
            type Bound = Self;
            fn number(&self) -> Option<Self> {
                Some(*self)
            }
            fn set_number(&mut self, number: Self) {
                *self = number;
            }
        }

        impl BoundValue for $type {
            const EXACT: bool = $exact;

            /// Converts the shortest decimal form of the number, because this is the form that the
            /// author of the bound wrote.
            fn to_json(self) -> Value {
                serde_json::from_str(&format!("{self:?}")).unwrap_or(Value::Null)
            }
            fn predecessor(self) -> Option<Self> {
                None
            }
        }
    )*};
}

floats! {
    f32, false;
    f64, true;
}

#[diagnostic::do_not_recommend]
impl<T: NumericValue> NumericValue for Option<T> {
    type Bound = T::Bound;
    fn number(&self) -> Option<T::Bound> {
        self.as_ref().and_then(T::number)
    }
    fn set_number(&mut self, number: T::Bound) {
        if let Some(inner) = self {
            inner.set_number(number);
        }
    }
}

#[diagnostic::do_not_recommend]
impl<T: NumericValue> NumericValue for Box<T> {
    type Bound = T::Bound;
    fn number(&self) -> Option<T::Bound> {
        T::number(self)
    }
    fn set_number(&mut self, number: T::Bound) {
        T::set_number(self, number);
    }
}
