//! Values that are made once for all runs of a body.

use std::future::Future;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{AskError, Context};

impl Context {
    /// Makes a value once for all runs of this call, for what must not happen again.
    ///
    /// The future runs only where the value is not known yet. The value travels
    /// through the client, which can neither read nor change it.
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
    /// [`AskError::Once`] if the value has no JSON form, or another one than before.
    pub async fn once<T: Serialize + DeserializeOwned>(
        &self,
        key: &str,
        value: impl Future<Output = T>,
    ) -> Result<T, AskError> {
        if let Some(kept) = self.kept(key)? {
            return Ok(kept);
        }
        let value = value.await;
        self.keep(key, &value)?;
        Ok(value)
    }

    /// As [`once`](Self::once), for what can fail: a failure is not kept, so the
    /// next run tries again.
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
    /// As [`once`](Self::once); the inner result is that of the future.
    pub async fn try_once<T: Serialize + DeserializeOwned, E>(
        &self,
        key: &str,
        value: impl Future<Output = Result<T, E>>,
    ) -> Result<Result<T, E>, AskError> {
        if let Some(kept) = self.kept(key)? {
            return Ok(Ok(kept));
        }
        let made = value.await;
        if let Ok(value) = &made {
            self.keep(key, value)?;
        }
        Ok(made)
    }

    fn kept<T: DeserializeOwned>(&self, key: &str) -> Result<Option<T>, AskError> {
        let kept = self.asking.kept(key).map(serde_json::from_value);
        kept.transpose().map_err(|problem| unkept(key, &problem))
    }

    fn keep(&self, key: &str, value: &impl Serialize) -> Result<(), AskError> {
        let kept = serde_json::to_value(value).map_err(|problem| unkept(key, &problem))?;
        self.asking.keep(key, kept);
        Ok(())
    }
}

fn unkept(key: &str, problem: &serde_json::Error) -> AskError {
    AskError::Once {
        key: key.to_owned(),
        problem: problem.to_string(),
    }
}
