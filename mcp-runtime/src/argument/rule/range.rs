use std::any::Any;
use std::fmt::Debug;
use std::num::{
    NonZeroI8, NonZeroI16, NonZeroI32, NonZeroI64, NonZeroIsize, NonZeroU8, NonZeroU16, NonZeroU32,
    NonZeroU64, NonZeroUsize,
};

use serde_json::{Map, Value};

use super::bounds::{Bounds, tighten};
use super::{Adjust, Rule, value};

/// A type whose values lie between bounds.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no range",
    label = "only for numbers",
    note = "`range` and `clamp` are for numbers, `length` is for text, `items` for lists and maps"
)]
pub trait Ranged {
    /// The type of the bounds.
    type Bound: Bound;

    /// The number that lies between bounds, if there is one.
    fn number(&self) -> Option<Self::Bound>;

    /// Replaces the number by one that is between the bounds.
    fn replace(&mut self, number: Self::Bound);
}

/// The bound of a range.
pub trait Bound: Copy + PartialOrd + Debug + Sync + 'static {
    /// The number as it is advertised.
    fn json(self) -> Value;

    /// Whether a number that was read has all the digits that were sent.
    const EXACT: bool = true;

    /// The greatest number below it, where there is one.
    fn before(self) -> Option<Self>;
}

/// A range of numbers, and how to get at the number of a type that was erased.
#[derive(Debug)]
pub struct Range<B> {
    pub(super) bounds: Bounds<B>,
    pub(super) number: fn(&dyn Any) -> Option<B>,
    pub(super) replace: fn(&mut dyn Any, B),
}

/// Refuses what is out of bounds.
#[must_use]
pub const fn range<T: Ranged + 'static>(bounds: Bounds<T::Bound>) -> Range<T::Bound> {
    Range {
        bounds,
        number: |slot| value::<T>(slot).and_then(T::number),
        replace: |slot, number| {
            if let Some(Some(value)) = slot.downcast_mut::<Option<T>>() {
                value.replace(number);
            }
        },
    }
}

/// Moves what is out of bounds to the nearer one.
#[must_use]
pub const fn clamp<T: Ranged + 'static>(bounds: Bounds<T::Bound>) -> Range<T::Bound> {
    range::<T>(bounds)
}

impl<B: Bound> Range<B> {
    /// The greatest number inside, where there is one.
    fn last(&self) -> Option<B> {
        match self.bounds.inclusive {
            true => self.bounds.end,
            false => self.bounds.end?.before(),
        }
    }

    fn empty(&self) -> Option<String> {
        let empty = self.bounds.is_empty();
        empty.then(|| format!("nothing lies in `{}`", self.bounds))
    }
}

impl<B: Bound> Rule for Range<B> {
    fn advertise(&self, schema: &mut Map<String, Value>) {
        if let Some(start) = self.bounds.start {
            tighten(schema, "minimum", start.json());
        }
        match (self.last(), self.bounds.end) {
            (Some(last), _) => tighten(schema, "maximum", last.json()),
            (None, Some(end)) => tighten(schema, "exclusiveMaximum", end.json()),
            (None, None) => {}
        }
    }

    fn holds(&self, slot: &dyn Any) -> bool {
        let number = (self.number)(slot);
        number.is_none_or(|number| self.bounds.contain(&number))
    }

    fn mistake(&self) -> Option<String> {
        self.empty()
    }

    fn is_exact(&self) -> bool {
        B::EXACT
    }
}

impl<B: Bound> Adjust for Range<B> {
    fn told(&self) -> String {
        let least = self.bounds.start.map(|start| format!("below {start:?}"));
        let most = self.last().map(|last| format!("above {last:?}"));
        let outside: Vec<String> = least.into_iter().chain(most).collect();
        format!("A value {} is set to that limit.", outside.join(" or "))
    }

    fn adjust(&self, slot: &mut dyn Any) -> Option<(Value, Value)> {
        let number = (self.number)(slot)?;
        let (start, last) = (self.bounds.start, self.last());
        let low = start.filter(|start| number < *start);
        let limit = low.or_else(|| last.filter(|last| number > *last))?;
        (self.replace)(slot, limit);
        Some((number.json(), limit.json()))
    }

    fn mistake(&self) -> Option<String> {
        let open = self.bounds.end.is_some() && self.last().is_none();
        let open = open.then(|| format!("`{}` has no greatest value; write `..=`", self.bounds));
        self.empty().or(open)
    }
}

macro_rules! integers {
    ($($type:ty, $non_zero:ty;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl Ranged for $type {
            type Bound = Self;
            fn number(&self) -> Option<Self> {
                Some(*self)
            }
            fn replace(&mut self, number: Self) {
                *self = number;
            }
        }

        impl Bound for $type {
            fn json(self) -> Value {
                self.into()
            }
            fn before(self) -> Option<Self> {
                self.checked_sub(1)
            }
        }

        #[diagnostic::do_not_recommend]
        impl Ranged for $non_zero {
            type Bound = $type;
            fn number(&self) -> Option<$type> {
                Some(self.get())
            }
            fn replace(&mut self, number: $type) {
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
        impl Ranged for $type {
            type Bound = Self;
            fn number(&self) -> Option<Self> {
                Some(*self)
            }
            fn replace(&mut self, number: Self) {
                *self = number;
            }
        }

        impl Bound for $type {
            const EXACT: bool = $exact;

            /// Through its shortest text, which is what the author wrote.
            fn json(self) -> Value {
                serde_json::from_str(&format!("{self:?}")).unwrap_or(Value::Null)
            }
            fn before(self) -> Option<Self> {
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
impl<T: Ranged> Ranged for Option<T> {
    type Bound = T::Bound;
    fn number(&self) -> Option<T::Bound> {
        self.as_ref().and_then(T::number)
    }
    fn replace(&mut self, number: T::Bound) {
        if let Some(inner) = self {
            inner.replace(number);
        }
    }
}

#[diagnostic::do_not_recommend]
impl<T: Ranged> Ranged for Box<T> {
    type Bound = T::Bound;
    fn number(&self) -> Option<T::Bound> {
        T::number(self)
    }
    fn replace(&mut self, number: T::Bound) {
        T::replace(self, number);
    }
}
