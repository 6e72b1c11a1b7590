use serde::Serialize;
use serde_json::{Value, json};

/// Arguments for a tool: anything that serializes to an object, or pairs of one value type.
pub trait IntoArguments {
    /// The object to send.
    ///
    /// # Errors
    /// Those of serializing.
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
