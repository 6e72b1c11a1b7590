use std::any::Any;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};

use serde_json::{Map, Value};

use super::bounds::Bounds;
use super::{Rule, value};

/// A type whose values hold a number of others.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no items",
    label = "only for lists and maps",
    note = "`items` is for lists and maps, `length` for text, `range` for numbers"
)]
pub trait Counted {
    /// The keywords that bound the number from below and from above.
    const KEYWORDS: (&'static str, &'static str) = ("minItems", "maxItems");

    /// How many there are, unless there is nothing to count in.
    fn count(&self) -> Option<usize>;
}

/// A bounded number of items.
#[derive(Debug)]
pub struct Items {
    pub(super) bounds: Bounds<usize>,
    pub(super) keywords: (&'static str, &'static str),
    pub(super) count: fn(&dyn Any) -> Option<usize>,
}

/// Refuses a list or a map with too many or too few items.
#[must_use]
pub const fn items<T: Counted + 'static>(bounds: Bounds<usize>) -> Items {
    Items {
        bounds,
        keywords: T::KEYWORDS,
        count: |slot| value::<T>(slot).and_then(T::count),
    }
}

impl Rule for Items {
    fn advertise(&self, schema: &mut Map<String, Value>) {
        let (least, most) = self.keywords;
        self.bounds.advertise(schema, least, most);
    }

    fn holds(&self, slot: &dyn Any) -> bool {
        let count = (self.count)(slot);
        count.is_none_or(|count| self.bounds.contain(&count))
    }

    fn mistake(&self) -> Option<String> {
        let empty = self.bounds.is_empty();
        empty.then(|| format!("no number of items is in `{}`", self.bounds))
    }
}

macro_rules! lists {
    ($(impl<$($parameter:ident),*> $type:ty;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($parameter),*> Counted for $type {
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
        impl<$($parameter),*> Counted for $type {
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
impl<T: Counted> Counted for Option<T> {
    const KEYWORDS: (&'static str, &'static str) = T::KEYWORDS;

    fn count(&self) -> Option<usize> {
        self.as_ref().and_then(T::count)
    }
}
