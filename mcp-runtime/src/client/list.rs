use serde::de::DeserializeOwned;
use serde_json::json;

use super::budget::MAX_MESSAGE_BYTES;
use super::{Client, ClientError};
use crate::protocol::{
    ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, Prompt,
    Resource, ResourceTemplate, Tool,
};

/// The maximum number of pages of a list. Without it, a server could make the client read pages
/// forever.
const MAX_PAGES: u32 = 1000;
/// The maximum length of all pages of a list together, in bytes. It equals the maximum length of
/// one message.
const MAX_LIST_BYTES: usize = MAX_MESSAGE_BYTES;

/// Methods that list the tools, prompts and resources of the server.
impl Client {
    /// Returns the tools of the server, in the order that the server sends them.
    ///
    /// Over HTTP in protocol version 2026-07-28, the client leaves out tools whose schemas use
    /// `x-mcp-header` incorrectly.
    ///
    /// # Errors
    /// Returns [`ClientError::Protocol`] if the server responds with an error,
    /// [`ClientError::TooManyPages`] or [`ClientError::ListTooLong`] if the list is too long, and
    /// another variant if the request cannot be sent or fails.
    ///
    /// # Examples
    /// ```
    /// # async fn example(client: mcp_runtime::Client) -> Result<(), mcp_runtime::ClientError> {
    /// for tool in client.list_tools().await? {
    ///     println!("{}", tool.name);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub async fn list_tools(&self) -> Result<Vec<Tool>, ClientError> {
        let split = |page: ListToolsResult| (page.tools, page.next_cursor);
        let mut tools = self.list("tools/list", split).await?;
        self.connection.transport()?.filter_tools(&mut tools);
        Ok(tools)
    }

    /// Returns the prompts of the server, in the order that the server sends them.
    ///
    /// # Errors
    /// Returns an error in the same cases as [`list_tools`](Self::list_tools).
    pub async fn list_prompts(&self) -> Result<Vec<Prompt>, ClientError> {
        let split = |page: ListPromptsResult| (page.prompts, page.next_cursor);
        self.list("prompts/list", split).await
    }

    /// Returns the resources of the server, in the order that the server sends them.
    ///
    /// # Errors
    /// Returns an error in the same cases as [`list_tools`](Self::list_tools).
    pub async fn list_resources(&self) -> Result<Vec<Resource>, ClientError> {
        let split = |page: ListResourcesResult| (page.resources, page.next_cursor);
        self.list("resources/list", split).await
    }

    /// Returns the resource templates of the server, in the order that the server sends them.
    ///
    /// # Errors
    /// Returns an error in the same cases as [`list_tools`](Self::list_tools).
    pub async fn list_resource_templates(&self) -> Result<Vec<ResourceTemplate>, ClientError> {
        let split = |page: ListResourceTemplatesResult| (page.resource_templates, page.next_cursor);
        self.list("resources/templates/list", split).await
    }

    /// Reads all pages of a list (specification, *Pagination*).
    async fn list<P: DeserializeOwned, T>(
        &self,
        method: &str,
        split: impl Fn(P) -> (Vec<T>, Option<String>),
    ) -> Result<Vec<T>, ClientError> {
        let mut all = Vec::new();
        let mut params = json!({});
        let mut bytes = 0;
        for _ in 0..MAX_PAGES {
            let (result, length) = self.request_page(method, params).await?;
            bytes += length;
            if bytes > MAX_LIST_BYTES {
                return Err(ClientError::ListTooLong {
                    method: method.to_owned(),
                    limit: MAX_LIST_BYTES,
                });
            }
            let (items, next) = split(serde_json::from_value(result)?);
            all.extend(items);
            let Some(cursor) = next else {
                return Ok(all);
            };
            params = json!({ "cursor": cursor });
        }
        Err(ClientError::TooManyPages {
            method: method.to_owned(),
            pages: MAX_PAGES,
        })
    }
}
