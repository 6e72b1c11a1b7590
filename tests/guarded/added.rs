//! What is added while serving is guarded as well.

use mcp_runtime::protocol::{Prompt, Resource, ResourceTemplate, Revision, Tool};
use mcp_runtime::{Added, ClientError};
use serde_json::json;

use crate::server::{server, somebody};

fn added() -> [Added; 4] {
    let scopes: &[&str] = &["notes:read", "notes:write"];
    let tool = Tool {
        name: "made".to_owned(),
        input_schema: json!({ "type": "object" }),
        ..Tool::default()
    };
    let prompt = Prompt {
        name: "made".to_owned(),
        ..Prompt::default()
    };
    let resource = Resource {
        uri: "made://one".to_owned(),
        name: "made".to_owned(),
        ..Resource::default()
    };
    let family = ResourceTemplate {
        uri_template: "made://of/{x}".to_owned(),
        name: "made".to_owned(),
        ..ResourceTemplate::default()
    };
    let family = Added::resource_template(family, |_, _| async { Ok("made") });
    [
        Added::tool(tool, |_, _| async { Ok("made") }).scopes(scopes),
        Added::prompt(prompt, |_, _| async { Ok("made") }).scopes(scopes),
        Added::resource(resource, |_| async { Ok("made") }).scopes(scopes),
        family.unwrap().scopes(scopes),
    ]
}

#[tokio::test]
async fn what_is_added_while_serving_is_closed_like_what_is_linked() {
    let all = ["notes:read", "notes:write"];
    for revision in Revision::ALL {
        for count in 0..=all.len() {
            let server = server();
            server.handle().add_all(added()).unwrap();
            let (client, log) = somebody(server, revision, &all[..count]).await;
            for (method, params) in [
                ("tools/call", json!({ "name": "made", "arguments": {} })),
                ("prompts/get", json!({ "name": "made" })),
                ("resources/read", json!({ "uri": "made://one" })),
                ("resources/read", json!({ "uri": "made://of/x" })),
            ] {
                match client.request(method, params).await {
                    Ok(_) => assert_eq!(count, all.len(), "{revision} {method}"),
                    Err(ClientError::Protocol(error)) => {
                        assert_eq!(error.code.0, -31403);
                        assert!(count < all.len(), "{revision} {method}");
                    }
                    Err(error) => panic!("{error}"),
                }
            }
            for list in ["tools", "prompts", "resources"] {
                let listed = client.request(&format!("{list}/list"), json!({})).await;
                let there = listed.unwrap()[list].to_string().contains("\"made\"");
                assert_eq!(there, count == all.len(), "{revision} {list}");
            }
            log.legal();
        }
    }
}
