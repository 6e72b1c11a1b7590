use serde::Serialize;
use serde_json::{Value, json};

/// A value that converts into the arguments of a tool call.
///
/// The trait is implemented for references to values that serialize to an object, for JSON values,
/// for arrays of `(name, value)` pairs, and for `()`. See
/// [`Client::call_tool`](super::Client::call_tool) for an example.
pub trait IntoArguments {
    /// Returns the JSON object to send.
    ///
    /// # Errors
    /// Returns an error if a value cannot be serialized.
    fn into_arguments(self) -> Result<Value, serde_json::Error>;
}

impl<T: Serialize> IntoArguments for &T {
    fn into_arguments(self) -> Result<Value, serde_json::Error> {
        serde_json::to_value(self)
    }
}

impl IntoArguments for Value {
    fn into_arguments(self) -> Result<Value, serde_json::Error> {
        Ok(self)
    }
}

impl IntoArguments for () {
    fn into_arguments(self) -> Result<Value, serde_json::Error> {
        Ok(json!({}))
    }
}

impl<V: Serialize, const N: usize> IntoArguments for [(&str, V); N] {
    fn into_arguments(self) -> Result<Value, serde_json::Error> {
        let pairs = self.into_iter();
        let pairs = pairs.map(|(name, value)| Ok((name.to_owned(), serde_json::to_value(value)?)));
        pairs.collect()
    }
}
