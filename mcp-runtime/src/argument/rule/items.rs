use std::any::Any;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};

use serde_json::{Map, Value};

use super::bounds::Bounds;
use super::{Rule, value};

/// A type whose values are lists or maps.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a list or a map",
    label = "applies to lists and maps only",
    note = "`items` applies to lists and maps, `length` to strings, `range` to numbers"
)]
pub trait CollectionValue {
    /// The schema keywords for the minimum and the maximum number of items.
    const KEYWORDS: (&'static str, &'static str) = ("minItems", "maxItems");

    /// Returns the number of items, or `None` for an absent value.
    fn count(&self) -> Option<usize>;
}

/// A limit on the number of items of a list or a map.
#[derive(Debug)]
pub struct Items {
    pub(super) bounds: Bounds<usize>,
    pub(super) keywords: (&'static str, &'static str),
    pub(super) count: fn(&dyn Any) -> Option<usize>,
}

/// Creates a rule that rejects lists and maps with too many or too few items.
#[must_use]
pub const fn items<T: CollectionValue + 'static>(bounds: Bounds<usize>) -> Items {
    Items {
        bounds,
        keywords: T::KEYWORDS,
        count: |slot| value::<T>(slot).and_then(T::count),
    }
}

impl Rule for Items {
    fn write_schema(&self, schema: &mut Map<String, Value>) {
        let (min, max) = self.keywords;
        self.bounds.write_schema(schema, min, max);
    }

    fn is_satisfied(&self, slot: &dyn Any) -> bool {
        let count = (self.count)(slot);
        count.is_none_or(|count| self.bounds.contains(&count))
    }

    fn definition_error(&self) -> Option<String> {
        let empty = self.bounds.is_empty();
        empty.then(|| format!("the range `{}` of `items` is empty", self.bounds))
    }
}

macro_rules! lists {
    ($(impl<$($parameter:ident),*> $type:ty;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($parameter),*> CollectionValue for $type {
            fn count(&self) -> Option<usize> {
                Some(self.len())
            }
        }
    )*};
}

lists! {
    impl<T> Vec<T>;
    impl<T> Box<[T]>;
    impl<T> VecDeque<T>;
    impl<T> BTreeSet<T>;
    impl<T, S> HashSet<T, S>;
}

macro_rules! maps {
    ($(impl<$($parameter:ident),*> $type:ty;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($parameter),*> CollectionValue for $type {
            const KEYWORDS: (&'static str, &'static str) = ("minProperties", "maxProperties");

            fn count(&self) -> Option<usize> {
                Some(self.len())
            }
        }
    )*};
}

maps! {
    impl<K, V> BTreeMap<K, V>;
    impl<K, V, S> HashMap<K, V, S>;
    impl<> Map<String, Value>;
}

#[diagnostic::do_not_recommend]
impl<T: CollectionValue> CollectionValue for Option<T> {
    const KEYWORDS: (&'static str, &'static str) = T::KEYWORDS;

    fn count(&self) -> Option<usize> {
        self.as_ref().and_then(T::count)
    }
}
