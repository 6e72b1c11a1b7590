//! Traits for the types of form fields. The compiler rejects fields of all other types.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::num::{
    NonZeroI8, NonZeroI16, NonZeroI32, NonZeroI64, NonZeroIsize, NonZeroU8, NonZeroU16, NonZeroU32,
    NonZeroU64, NonZeroUsize,
};
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;

/// A type that a handler can request from the user with a form.
///
/// `#[json]` implements this trait for every struct whose fields are all supported by forms:
/// strings, numbers, booleans, enums of unit variants and lists of such enums, each optionally in
/// an `Option`. To use a type of another crate as a field, wrap the type in a `#[json]` struct with
/// one unnamed field.
///
/// The compiler cannot check such a wrapped field, or a field with an attribute such as
/// `#[schemars(with = "…")]`. The server checks these fields at start-up if the handler contains
/// `ctx.elicit::<T>(…)`. Otherwise it checks them when the handler first requests the form.
///
/// ```compile_fail
/// use mcp_runtime::prelude::*;
///
/// #[json]
/// struct Tags {
///     names: Vec<String>,
/// }
///
/// async fn ask(ctx: &Context) -> Option<Tags> {
///     // error: a list in a form has choices, and `String` is not an enum of unit variants
///     ctx.elicit("tags", "Which tags?").await.ok()?.accepted()
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be requested with a form",
    label = "not a `#[json]` struct with named fields",
    note = "put `#[json]` on a struct of strings, numbers, booleans and enums"
)]
pub trait Elicitable: DeserializeOwned + JsonSchema + Send + 'static {}

/// A type that a field of a form can have.
#[diagnostic::on_unimplemented(
    message = "a form has no field of type `{Self}`",
    label = "requested here",
    note = "a field is a string, a number, a boolean, an enum of unit variants or a list of such an enum, each optionally in an `Option`",
    note = "wrap a type of another crate in a `#[json]` struct with one unnamed field"
)]
pub trait FormField {}

/// A type whose values a user can choose from in a form. `#[json]` implements this trait for enums
/// of unit variants.
#[diagnostic::on_unimplemented(
    message = "a list in a form has choices, and `{Self}` is not an enum of unit variants",
    label = "requested here",
    note = "put `#[json]` on an enum whose variants have no fields, and request a list of it"
)]
pub trait FormChoice {}

macro_rules! fields {
    ($($ty:ty),* $(,)?) => { $(impl FormField for $ty {})* };
}

fields! {
    bool, char, String, Box<str>, Arc<str>, Rc<str>, Cow<'static, str>, PathBuf, IpAddr, Ipv4Addr, Ipv6Addr, f32, f64,
    i8, i16, i32, i64, isize, u8, u16, u32, u64, usize,
    NonZeroI8, NonZeroI16, NonZeroI32, NonZeroI64, NonZeroIsize,
    NonZeroU8, NonZeroU16, NonZeroU32, NonZeroU64, NonZeroUsize,
}

impl<T: FormField> FormField for Option<T> {}
impl<T: FormField> FormField for Box<T> {}
impl<T: FormChoice> FormField for Vec<T> {}
impl<T: FormChoice> FormField for BTreeSet<T> {}
impl<T: FormChoice, S> FormField for HashSet<T, S> {}
