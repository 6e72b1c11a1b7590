use std::borrow::Cow;

use super::select::{ResultSplit, ReturnError};
use crate::error::ToolError;
use crate::protocol::ResourceContents;

/// The contents of a resource before they are encoded; `None` if there is no such
/// resource.
pub type ResourceOutcome = Result<Option<Vec<ResourceContents>>, ToolError>;

/// A type that a resource can return.
///
/// Implemented for strings (text), bytes (base64 in the response), [`ResourceContents`],
/// lists of them, a [`serde_json::Value`] (as JSON text), and an `Option` of any of
/// these, where `None` means that there is no such resource. Contents with an empty URI
/// get the URI of the request.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be returned from a resource",
    label = "neither a string, nor bytes, nor contents",
    note = "a resource returns a string, bytes, `ResourceContents`, a list of them, a `serde_json::Value`, or an `Option` or `Result` of one of these"
)]
pub trait ResourceOutput {
    /// Converts the value to the contents of the resource.
    ///
    /// # Errors
    /// The value cannot be converted.
    fn into_contents(self) -> ResourceOutcome;
}

/// The conversion of a returned type `R`, from the marker types selected for it.
#[must_use]
pub fn resource_result<R, S, F>(_: S, _: F) -> fn(R) -> ResourceOutcome
where
    S: ResultSplit<R>,
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
