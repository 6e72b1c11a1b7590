use std::any::{Any, TypeId, type_name};
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

/// A type that handlers can borrow from the server as `&T`. Every `Send + Sync + 'static` type
/// implements this trait.
///
/// See [`Server::state`](crate::Server::state) for an example.
#[diagnostic::on_unimplemented(
    message = "`&{Self}` cannot be borrowed from the server",
    label = "not shareable between threads",
    note = "a state value is `Send + Sync + 'static`; wrap what is not in a `Mutex`"
)]
pub trait Injectable: Send + Sync + 'static {}

#[diagnostic::do_not_recommend]
impl<T: ?Sized + Send + Sync + 'static> Injectable for T {}

/// A type that a handler borrows. The server checks when it starts that it can provide the type.
#[derive(Clone, Copy, Debug)]
pub struct Requirement {
    type_id: fn() -> TypeId,
    pub(crate) type_name: fn() -> &'static str,
}

impl Requirement {
    /// Whether the requirement names the type `T`.
    pub(crate) fn is_for<T: ?Sized + 'static>(&self) -> bool {
        (self.type_id)() == TypeId::of::<T>()
    }

    /// Whether both requirements name the same type.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        (self.type_id)() == (other.type_id)()
    }
}

/// Returns the requirement of a handler parameter of type `&T`.
#[must_use]
pub const fn requirement<T: ?Sized + Injectable>() -> Requirement {
    Requirement {
        type_id: TypeId::of::<T>,
        type_name: type_name::<T>,
    }
}

/// The state values that handlers borrow. Each type has at most one value.
#[derive(Default)]
pub(crate) struct State(HashMap<TypeId, Box<dyn Any + Send + Sync>>);

impl State {
    /// Adds `value`, and replaces an earlier value of the same type.
    pub(crate) fn insert<T: ?Sized + Injectable>(&mut self, value: Arc<T>) {
        self.0.insert(TypeId::of::<T>(), Box::new(value));
    }

    pub(crate) fn get<T: ?Sized + Injectable>(&self) -> Option<Arc<T>> {
        let value = self.0.get(&TypeId::of::<T>())?;
        value.downcast_ref::<Arc<T>>().cloned()
    }

    /// Whether the state contains a value of the type that `requirement` names.
    pub(crate) fn satisfies(&self, requirement: &Requirement) -> bool {
        self.0.contains_key(&(requirement.type_id)())
    }
}

/// Returns a clone of `value` if it is an `Arc<T>`.
pub(super) fn downcast_arc<T: ?Sized + Injectable>(value: &dyn Any) -> Option<Arc<T>> {
    value.downcast_ref::<Arc<T>>().cloned()
}

/// Whether `T` and `U` are the same type.
pub(super) fn is_same_type<T: ?Sized + Injectable, U: Injectable>() -> bool {
    TypeId::of::<T>() == TypeId::of::<U>()
}

impl fmt::Debug for State {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "State({} values)", self.0.len())
    }
}
