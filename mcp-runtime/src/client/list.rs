use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::{Client, ClientError};
use crate::protocol::{
    ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, Prompt,
    Resource, ResourceTemplate, Tool,
};

/// How many pages of one list are read, so that a server cannot list for ever.
const PAGES: u32 = 1000;

/// What a server has, over all pages of its lists.
impl Client {
    /// The tools of the server, in its order.
    ///
    /// Over HTTP in 2026-07-28, tools whose schemas misuse `x-mcp-header` are left out.
    ///
    /// # Errors
    /// What the server answers instead of a list, or [`ClientError::TooManyPages`].
    pub async fn list_tools(&self) -> Result<Vec<Tool>, ClientError> {
        let page = |page: ListToolsResult| (page.tools, page.next_cursor);
        let mut tools = self.pages("tools/list", page).await?;
        self.connection.link()?.learn(&mut tools);
        Ok(tools)
    }

    /// The prompts of the server, in its order.
    ///
    /// # Errors
    /// As [`list_tools`](Self::list_tools).
    pub async fn list_prompts(&self) -> Result<Vec<Prompt>, ClientError> {
        let page = |page: ListPromptsResult| (page.prompts, page.next_cursor);
        self.pages("prompts/list", page).await
    }

    /// The resources of the server, in its order.
    ///
    /// # Errors
    /// As [`list_tools`](Self::list_tools).
    pub async fn list_resources(&self) -> Result<Vec<Resource>, ClientError> {
        let page = |page: ListResourcesResult| (page.resources, page.next_cursor);
        self.pages("resources/list", page).await
    }

    /// The templates of the server's resources, in its order.
    ///
    /// # Errors
    /// As [`list_tools`](Self::list_tools).
    pub async fn list_resource_templates(&self) -> Result<Vec<ResourceTemplate>, ClientError> {
        let page = |page: ListResourceTemplatesResult| (page.resource_templates, page.next_cursor);
        self.pages("resources/templates/list", page).await
    }

    /// Follows a list from page to page (specification, *Pagination*).
    async fn pages<P: DeserializeOwned, T>(
        &self,
        method: &str,
        take: impl Fn(P) -> (Vec<T>, Option<String>),
    ) -> Result<Vec<T>, ClientError> {
        let mut all = Vec::new();
        let mut params = json!({});
        for _ in 0..PAGES {
            let result: Value = self.request(method, params).await?;
            let (items, next) = take(serde_json::from_value(result)?);
            all.extend(items);
            let Some(cursor) = next else {
                return Ok(all);
            };
            params = json!({ "cursor": cursor });
        }
        Err(ClientError::TooManyPages {
            method: method.to_owned(),
            pages: PAGES,
        })
    }
}
