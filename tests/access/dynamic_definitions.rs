//! Scopes of definitions that are added while serving.

use mcp_runtime::ClientError;
use mcp_runtime::dispatch::DynamicDefinition;
use mcp_runtime::protocol::{Prompt, Resource, ResourceTemplate, Revision, Tool};
use serde_json::json;

use support::access::{alice_with_scopes, error_code, server};

fn definitions() -> [DynamicDefinition; 4] {
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
    let template = ResourceTemplate {
        uri_template: "made://of/{x}".to_owned(),
        name: "made".to_owned(),
        ..ResourceTemplate::default()
    };
    let template = DynamicDefinition::resource_template(template, |_, _| async { Ok("made") });
    [
        DynamicDefinition::tool(tool, |_, _| async { Ok("made") }).scopes(scopes),
        DynamicDefinition::prompt(prompt, |_, _| async { Ok("made") }).scopes(scopes),
        DynamicDefinition::resource(resource, |_| async { Ok("made") }).scopes(scopes),
        template.unwrap().scopes(scopes),
    ]
}

#[tokio::test]
async fn dynamic_definitions_require_their_scopes() {
    let all = ["notes:read", "notes:write"];
    for revision in Revision::ALL {
        for count in 0..=all.len() {
            let server = server();
            server.handle().add_all(definitions()).unwrap();
            let (client, log) = alice_with_scopes(server, revision, &all[..count]).await;
            for (method, params) in [
                ("tools/call", json!({ "name": "made", "arguments": {} })),
                ("prompts/get", json!({ "name": "made" })),
                ("resources/read", json!({ "uri": "made://one" })),
                ("resources/read", json!({ "uri": "made://of/x" })),
            ] {
                match client.request(method, params).await {
                    Ok(_) => assert_eq!(count, all.len(), "{revision} {method}"),
                    Err(ClientError::Protocol(error)) => {
                        assert_eq!(i64::from(error.code.0), error_code(-31403, revision));
                        assert!(count < all.len(), "{revision} {method}");
                    }
                    Err(error) => panic!("{error}"),
                }
            }
            for list in ["tools", "prompts", "resources"] {
                let listed = client.request(&format!("{list}/list"), json!({})).await;
                let is_listed = listed.unwrap()[list].to_string().contains("\"made\"");
                assert_eq!(is_listed, count == all.len(), "{revision} {list}");
            }
            log.assert_valid();
        }
    }
}
