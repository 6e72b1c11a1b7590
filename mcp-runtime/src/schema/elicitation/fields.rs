//! Which types a form can have fields of, so that the compiler refuses the others.

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

/// A type that a person can be asked for with a form.
///
/// Implemented for every struct with `#[json]` whose fields a form can have: texts,
/// numbers, booleans, enums of plain variants and lists of such enums, each perhaps
/// in an `Option`. A type of another crate is a field where a `#[json]` struct of
/// one unnamed field is around it: whether a form can hold that, and what
/// attributes as `#[schemars(with = "…")]` say, is found when the server starts,
/// where a body says `ctx.elicit::<T>(…)`, and otherwise when it is first asked.
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
///     // error: a list in a form has choices, and `String` is no enum of plain variants
///     ctx.elicit("tags", "Which tags?").await.ok()?.accepted()
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be asked for with a form",
    label = "no `#[json]` struct with named fields",
    note = "put `#[json]` on a struct of texts, numbers, booleans and enums"
)]
pub trait Elicitable: DeserializeOwned + JsonSchema + Send + 'static {}

/// What a form can have a field of.
#[diagnostic::on_unimplemented(
    message = "a form has no field of type `{Self}`",
    label = "asked for here",
    note = "a field is a text, a number, a boolean, an enum of plain variants or a list of such an enum, each perhaps in an `Option`",
    note = "a type of another crate goes into a `#[json]` struct with one unnamed field"
)]
pub trait FormField {}

/// What a person can choose from; said by `#[json]` of an enum of plain variants.
#[diagnostic::on_unimplemented(
    message = "a list in a form has choices, and `{Self}` is no enum of plain variants",
    label = "asked for here",
    note = "put `#[json]` on an enum whose variants have no fields, and ask for a list of that"
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
