//! Lists with several pages.

use std::num::NonZeroUsize;

use mcp_runtime::ClientError;
use mcp_runtime::protocol::Revision;
use serde_json::json;

use crate::gate::server;
use support::checked_client::{ClientTransport, checked_client, connect_over};

#[tokio::test]
async fn list_methods_follow_all_pages() {
    for revision in Revision::ALL {
        let unpaged = connect_over(
            ClientTransport::Memory,
            checked_client(revision).0,
            server(),
        )
        .await;
        let (builder, log) = checked_client(revision);
        let paged = server().page_size(NonZeroUsize::MIN);
        let client = connect_over(ClientTransport::Http, builder, paged).await;
        let tools = client.list_tools().await.unwrap();
        assert!(tools.len() > 10);
        assert_eq!(tools, unpaged.list_tools().await.unwrap());
        assert_eq!(client.list_prompts().await.unwrap().len(), 1);
        assert_eq!(client.list_resources().await.unwrap().len(), 0);
        let templates = client.list_resource_templates().await.unwrap();
        assert_eq!(templates[0].uri_template, "test://secret/{id}");
        log.assert_valid();
    }
}

#[tokio::test]
async fn endless_list_is_given_up() {
    let endless = server().method("tools/list", |_| async {
        let page = [
            ("tools", json!([])),
            ("nextCursor", json!("again")),
            ("ttlMs", json!(0)),
            ("cacheScope", json!("private")),
        ];
        Ok(page
            .map(|(key, value)| (key.to_owned(), value))
            .into_iter()
            .collect())
    });
    let client = connect_over(
        ClientTransport::Memory,
        checked_client(Revision::NEWEST).0,
        endless,
    )
    .await;
    let error = client.list_tools().await.unwrap_err();
    assert!(
        matches!(error, ClientError::TooManyPages { pages: 1000, .. }),
        "{error}"
    );
}
