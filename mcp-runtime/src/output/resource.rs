use std::borrow::Cow;

use super::kind::{Branch, Failure};
use crate::error::ToolError;
use crate::protocol::ResourceContents;

/// What reading a resource comes to before it is encoded; `None` if there is
/// no such resource.
pub type ResourceOutcome = Result<Option<Vec<ResourceContents>>, ToolError>;

/// A type that a resource can return.
///
/// Implemented for strings (text), bytes (base64 on the wire),
/// [`ResourceContents`], lists of them, a [`serde_json::Value`] (its text), and
/// an `Option` of any of these: `None` says that there is no such resource.
/// Contents with an empty URI are those of the URI that is read.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be returned from a resource",
    label = "neither text nor bytes nor contents",
    note = "a resource returns text, bytes, `ResourceContents`, a list of them, a `serde_json::Value`, or an `Option` or `Result` of one of these"
)]
pub trait ResourceOutput {
    /// The result of a request that returned this value.
    ///
    /// # Errors
    /// A [`ToolError`] if the value cannot be shown.
    fn into_contents(self) -> ResourceOutcome;
}

/// Joins the answers about what a resource returns.
#[must_use]
pub fn resource_result<R, S, F>(_: S, _: F) -> fn(R) -> ResourceOutcome
where
    S: Branch<R>,
    S::Value: ResourceOutput,
    S::Error: Failure<F>,
{
    |returned| match S::branch(returned) {
        Ok(value) => value.into_contents(),
        Err(error) => Err(error.into_tool_error()),
    }
}

impl<T: ResourceOutput> ResourceOutput for Option<T> {
    fn into_contents(self) -> ResourceOutcome {
        self.map_or(Ok(None), T::into_contents)
    }
}

impl ResourceOutput for Vec<ResourceContents> {
    fn into_contents(self) -> ResourceOutcome {
        Ok(Some(self))
    }
}

impl<const N: usize> ResourceOutput for [ResourceContents; N] {
    fn into_contents(self) -> ResourceOutcome {
        Vec::from(self).into_contents()
    }
}

impl ResourceOutput for ResourceContents {
    fn into_contents(self) -> ResourceOutcome {
        vec![self].into_contents()
    }
}

impl ResourceOutput for serde_json::Value {
    fn into_contents(self) -> ResourceOutcome {
        let text = ResourceContents::text("", self.to_string());
        text.mime_type("application/json").into_contents()
    }
}

macro_rules! contents {
    ($how:ident: $($type:ty),*) => {$(
        impl ResourceOutput for $type {
            fn into_contents(self) -> ResourceOutcome {
                ResourceContents::$how("", self).into_contents()
            }
        }
    )*};
}

contents!(text: String, &'static str, Box<str>, Cow<'static, str>);
contents!(bytes: Vec<u8>, &'static [u8], Box<[u8]>);

impl<const N: usize> ResourceOutput for &'static [u8; N] {
    fn into_contents(self) -> ResourceOutcome {
        ResourceContents::bytes("", self).into_contents()
    }
}
