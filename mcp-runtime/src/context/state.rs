use std::any::{Any, TypeId, type_name};
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use super::Context;
use crate::auth::Principal;

/// A type that a tool can borrow from the server: `&T` with `T` shareable.
#[diagnostic::on_unimplemented(
    message = "`&{Self}` cannot be borrowed from the server",
    label = "not shareable between threads",
    note = "a state value is `Send + Sync + 'static`; wrap what is not in a `Mutex`"
)]
pub trait Injected: Send + Sync + 'static {}

#[diagnostic::do_not_recommend]
impl<T: ?Sized + Send + Sync + 'static> Injected for T {}

/// A type that a definition borrows, to be checked when the server starts.
#[derive(Clone, Copy, Debug)]
pub struct Requirement {
    type_id: fn() -> TypeId,
    pub(crate) type_name: fn() -> &'static str,
}

impl Requirement {
    /// Whether both name one type.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        (self.type_id)() == (other.type_id)()
    }
}

/// The requirement of a parameter `&T`.
#[must_use]
pub const fn requirement<T: ?Sized + Injected>() -> Requirement {
    Requirement {
        type_id: TypeId::of::<T>,
        type_name: type_name::<T>,
    }
}

/// The values that a server lends to its handlers, one a type.
#[derive(Default)]
pub(crate) struct State(HashMap<TypeId, Box<dyn Any + Send + Sync>>);

impl State {
    /// Keeps `value`; a second value of the same type replaces the first.
    pub(crate) fn insert<T: ?Sized + Injected>(&mut self, value: Arc<T>) {
        self.0.insert(TypeId::of::<T>(), Box::new(value));
    }

    pub(crate) fn get<T: ?Sized + Injected>(&self) -> Option<Arc<T>> {
        let value = self.0.get(&TypeId::of::<T>())?;
        value.downcast_ref::<Arc<T>>().cloned()
    }

    /// Whether a call could be given what `requirement` names; a context always
    /// can, and a principal where there is one.
    pub(crate) fn satisfies(&self, requirement: &Requirement) -> bool {
        let wanted = (requirement.type_id)();
        wanted == TypeId::of::<Context>()
            || wanted == TypeId::of::<Principal>()
            || self.0.contains_key(&wanted)
    }
}

/// Gives `value` as an `Arc<T>` if that is what it is, through whatever alias.
pub(super) fn as_lent<T: ?Sized + Injected>(value: &dyn Any) -> Option<Arc<T>> {
    value.downcast_ref::<Arc<T>>().cloned()
}

/// Whether `T` is `U`.
pub(super) fn is<T: ?Sized + Injected, U: Injected>() -> bool {
    TypeId::of::<T>() == TypeId::of::<U>()
}

impl fmt::Debug for State {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "State({} values)", self.0.len())
    }
}
