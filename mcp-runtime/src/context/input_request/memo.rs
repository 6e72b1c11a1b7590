//! Values that a handler computes once and that are kept for all its runs.

use std::future::Future;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{Context, InputRequestError};

impl Context {
    /// Computes a value once for all runs of the handler in this call. Use it for side effects that
    /// must not be repeated.
    ///
    /// The future runs only if the value has not been computed yet. The value is stored in the
    /// encrypted `requestState`, which the client sends back. The client can neither read nor
    /// change the value.
    ///
    /// ```
    /// # use mcp_runtime::prelude::*;
    /// # #[json]
    /// # struct Sure { yes: bool }
    /// /// Places an order.
    /// #[tool]
    /// async fn order(ctx: &Context) -> Result<String, ToolError> {
    ///     let number = ctx.once("number", async { draw_a_number().await }).await?;
    ///     ctx.elicit::<Sure>("sure", format!("Place order {number}?")).await?;
    ///     Ok(format!("order {number} is placed"))
    /// }
    /// # async fn draw_a_number() -> u32 { 7 }
    /// # fn main() {}
    /// ```
    ///
    /// # Errors
    /// Returns [`InputRequestError::InvalidValue`] if the value cannot be written as JSON, or if
    /// the stored value cannot be read as `T`.
    pub async fn once<T: Serialize + DeserializeOwned>(
        &self,
        key: &str,
        value: impl Future<Output = T>,
    ) -> Result<T, InputRequestError> {
        if let Some(stored) = self.stored_value(key)? {
            return Ok(stored);
        }
        let value = value.await;
        self.store_value(key, &value)?;
        Ok(value)
    }

    /// Computes a value like [`once`](Self::once), with a future that can fail. A failure is not
    /// stored, and the future runs again in the next run of the handler.
    ///
    /// ```
    /// # use mcp_runtime::prelude::*;
    /// # #[json]
    /// # struct Sure { yes: bool }
    /// /// Places an order.
    /// #[tool]
    /// async fn order(ctx: &Context) -> Result<String, ToolError> {
    ///     let number = ctx.try_once("number", draw_a_number()).await??;
    ///     ctx.elicit::<Sure>("sure", format!("Place order {number}?")).await?;
    ///     Ok(format!("order {number} is placed"))
    /// }
    /// # async fn draw_a_number() -> std::io::Result<u32> { Ok(7) }
    /// # fn main() {}
    /// ```
    ///
    /// # Errors
    /// Returns the same errors as [`once`](Self::once). The inner result is the result of the
    /// future.
    pub async fn try_once<T: Serialize + DeserializeOwned, E>(
        &self,
        key: &str,
        value: impl Future<Output = Result<T, E>>,
    ) -> Result<Result<T, E>, InputRequestError> {
        if let Some(stored) = self.stored_value(key)? {
            return Ok(Ok(stored));
        }
        let result = value.await;
        if let Ok(value) = &result {
            self.store_value(key, value)?;
        }
        Ok(result)
    }

    fn stored_value<T: DeserializeOwned>(&self, key: &str) -> Result<Option<T>, InputRequestError> {
        let stored = self.input_requests.memo(key).map(serde_json::from_value);
        stored
            .transpose()
            .map_err(|problem| invalid_value(key, &problem))
    }

    fn store_value(&self, key: &str, value: &impl Serialize) -> Result<(), InputRequestError> {
        let json = serde_json::to_value(value).map_err(|problem| invalid_value(key, &problem))?;
        self.input_requests.set_memo(key, json);
        Ok(())
    }
}

fn invalid_value(key: &str, problem: &serde_json::Error) -> InputRequestError {
    InputRequestError::InvalidValue {
        key: key.to_owned(),
        problem: problem.to_string(),
    }
}
