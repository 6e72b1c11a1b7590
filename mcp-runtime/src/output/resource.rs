use std::borrow::Cow;

use super::select::{ResultOrValue, ReturnError};
use crate::error::ToolError;
use crate::protocol::ResourceContents;

/// The contents of a resource before they are serialized, or `None` if the resource does not exist.
pub type ResourceOutcome = Result<Option<Vec<ResourceContents>>, ToolError>;

/// A type that a resource handler can return.
///
/// The trait is implemented for strings (text), bytes (base64 in the response),
/// [`ResourceContents`], lists of [`ResourceContents`], and [`serde_json::Value`] (JSON text). It
/// is also implemented for an `Option` of such a type, where `None` means that the resource does
/// not exist. If the URI of the contents is empty, the server inserts the URI of the request.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be returned from a resource",
    label = "neither a string, nor bytes, nor contents",
    note = "a resource returns a string, bytes, `ResourceContents`, a list of them, a `serde_json::Value`, or an `Option` or `Result` of one of these"
)]
pub trait ResourceOutput {
    /// Converts the value to the contents of the resource.
    ///
    /// # Errors
    /// Returns an error if the value cannot be converted.
    fn into_contents(self) -> ResourceOutcome;
}

/// Returns the function that converts the return type `R`. The arguments are the marker types that
/// were selected for `R` and its error type.
#[must_use]
pub fn resource_result<R, S, F>(_: S, _: F) -> fn(R) -> ResourceOutcome
where
    S: ResultOrValue<R>,
    S::Value: ResourceOutput,
    S::Error: ReturnError<F>,
{
    |returned| match S::split(returned) {
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
    ($constructor:ident: $($type:ty),*) => {$(
        impl ResourceOutput for $type {
            fn into_contents(self) -> ResourceOutcome {
                ResourceContents::$constructor("", self).into_contents()
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
